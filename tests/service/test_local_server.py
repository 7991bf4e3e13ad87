"""The local socket: questions, rubbish, strangers; and one instance a home."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from multiprocessing.connection import Client
from pathlib import Path

import pytest

from biny_desktop.core.errors import InvalidInputError, UnavailableError
from biny_desktop.service.local_server import LocalServer, ask
from biny_desktop.service.single import InstanceLock
from biny_desktop.storage.folders import Folders, prepare, resolve


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folders:
    (tmp_path / "run").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    return prepare(resolve(tmp_path / "home"))


@pytest.fixture
def server(folders: Folders) -> Iterator[Folders]:
    def answer(question):
        if question.get("do") == "fail":
            raise InvalidInputError("No", "not that", "try this")
        return {"heard": question.get("do")}

    stop = threading.Event()
    running = LocalServer(folders, answer)
    thread = threading.Thread(target=running.run, args=(stop,))
    thread.start()
    yield folders
    stop.set()
    thread.join(10)
    assert not thread.is_alive()


def test_a_question_is_answered(server: Folders) -> None:
    for _ in range(3):
        assert ask(server, {"do": "ping"}) == {"heard": "ping"}


def test_a_known_fault_comes_back_as_an_error(server: Folders) -> None:
    assert ask(server, {"do": "fail"})["error"] == {
        "kind": "invalid_input",
        "message": "No: not that",
        "hint": "try this",
    }


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe", b"[]", b"{", b'"x"', b"x" * 100_000])
def test_rubbish_gets_an_error_and_the_server_goes_on(server: Folders, raw: bytes) -> None:
    address = str(Path(os.environ["XDG_RUNTIME_DIR"]) / f"{server.socket_name}.sock")
    with Client(address, "AF_UNIX") as connection:
        connection.send_bytes(raw)
        assert "error" in json.loads(connection.recv_bytes())
    assert ask(server, {"do": "ping"}) == {"heard": "ping"}


def test_a_stranger_without_the_key_is_turned_away(server: Folders) -> None:
    address = str(Path(os.environ["XDG_RUNTIME_DIR"]) / f"{server.socket_name}.sock")
    for guess in ({"do": "ping"}, {"do": "ping", "key": "guess"}, {"do": "ping", "key": 7}):
        with Client(address, "AF_UNIX") as connection:
            connection.send_bytes(json.dumps(guess).encode())
            assert "error" in json.loads(connection.recv_bytes())
    assert ask(server, {"do": "ping"}) == {"heard": "ping"}
    assert Path(address).stat().st_mode & 0o777 == 0o600


def test_a_client_that_stops_in_the_middle_is_given_up(server: Folders) -> None:
    address = str(Path(os.environ["XDG_RUNTIME_DIR"]) / f"{server.socket_name}.sock")
    with socket.socket(socket.AF_UNIX) as stuck:
        stuck.connect(address)
        stuck.sendall(b"\x00\x00\x10\x00half")
        assert ask(server, {"do": "ping"}) == {"heard": "ping"}


def test_without_an_app_the_question_says_so(folders: Folders) -> None:
    with pytest.raises(UnavailableError):
        ask(folders, {"do": "ping"})


def test_one_instance_a_home_and_a_dead_one_frees_it(folders: Folders) -> None:
    script = (
        "import sys, pathlib, time\n"
        "from biny_desktop.service.single import InstanceLock\n"
        "from biny_desktop.storage.folders import resolve\n"
        "lock = InstanceLock(resolve(pathlib.Path(sys.argv[1])))\n"
        "print(lock.take(), flush=True)\n"
        "sys.stdin.read()\n"
    )
    root = Path(__file__).resolve().parents[2]
    home = str(folders.config.parent)
    child = subprocess.Popen(
        [sys.executable, "-c", script, home], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "True\n"
    mine = InstanceLock(folders)
    assert mine.take() is False
    child.kill()
    child.communicate()
    with mine:
        assert InstanceLock(folders).take() is False
    assert InstanceLock(folders).take() is True
