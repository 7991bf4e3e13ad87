"""`biny models` as a user calls it: a process, its output, its exit status, a real server on the loopback."""

import getpass
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from biny_desktop.cli import models_commands
from tests.cli.test_commands import ROOT, biny, told
from tests.fakes.model_server import ModelServer

KEY = "sk-very-secret-0123456789"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    root = tmp_path / "h"
    assert biny("config", "set", "storage.encryption", "off", home=root).returncode == 0
    return root


def with_key(*words: str, home: Path, key: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "biny_desktop", "--home", str(home), *words]
    return subprocess.run(
        command, cwd=ROOT, env=dict(os.environ), input=key, capture_output=True, text=True, check=False
    )


def test_a_model_is_set_tested_listed_and_taken_out(home: Path, model_server: ModelServer) -> None:
    offered = biny("models", "set", "small", "--url", model_server.url, home=home)
    assert offered.returncode == 1
    assert "The server offers: large, tiny" in offered.stderr
    set_to = told(biny("models", "set", "small", "--url", model_server.url, "--model", "tiny", "--json", home=home))
    assert (set_to["state"], set_to["model"], set_to["local"]) == ("ready", "tiny", True)
    slots = told(biny("models", "list", "--json", home=home))["slots"]
    assert [slot["state"] for slot in slots] == ["unset", "ready", "unset"]
    model_server.always('{"ok": true}')
    (result,) = told(biny("models", "test", "--json", home=home))["items"]
    assert (result["slot"], result["ok"], result["kind"]) == ("small", True, None)
    words = biny("models", "list", home=home).stdout
    assert "tiny" in words
    assert "ollama" in words
    assert told(biny("models", "set", "small", "--clear", "--json", home=home))["state"] == "unset"


def test_a_failed_test_says_what_to_do_and_is_status_1(home: Path, model_server: ModelServer) -> None:
    none = biny("models", "test", home=home)
    assert (none.returncode, none.stdout) == (1, "No model is set.\n")
    biny("models", "set", "chat", "--url", model_server.url, "--model", "tiny", home=home)
    model_server.always(status=429)
    done = biny("models", "test", "chat", home=home)
    assert done.returncode == 1
    assert "asked too often" in done.stdout
    calls = told(biny("models", "calls", "--json", home=home))
    assert [(call["task"], call["outcome"], call["detail"]) for call in calls["items"]] == [
        ("models_test", "http", "429")
    ]
    assert calls["next"] is None
    assert "429" in biny("models", "calls", home=home).stdout
    (total,) = told(biny("models", "calls", "--totals", "--json", home=home))["items"]
    assert (total["calls"], total["failed"]) == (1, 1)
    assert "Test" in biny("models", "calls", "--totals", home=home).stdout


def test_a_key_is_read_from_a_pipe_kept_and_forgotten(home: Path, model_server: ModelServer) -> None:
    model_server.key = KEY
    model_server.always('{"ok": true}')
    biny("models", "set", "small", "--url", model_server.url, "--model", "tiny", home=home)
    assert "another key" in biny("models", "test", home=home).stdout
    done = with_key("models", "key", "set", "small", "--json", home=home, key=f"{KEY}\n")
    assert json.loads(done.stdout) == {"url": model_server.url, "key": "file"}
    assert KEY not in done.stdout + done.stderr
    assert biny("models", "test", home=home).returncode == 0
    assert "no keyring" in biny("models", "list", home=home).stdout
    assert told(biny("models", "key", "forget", model_server.url, "--json", home=home))["key"] == "none"
    assert biny("models", "test", home=home).returncode == 1
    for path in home.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path


@pytest.mark.parametrize("key", ["", "two words\n", "\n"])
def test_no_key_is_an_error(home: Path, key: str) -> None:
    done = with_key("models", "key", "set", "http://127.0.0.1:1/v1", "--json", home=home, key=key)
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["kind"] == "invalid_input"


def test_on_a_terminal_the_key_is_asked_for_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(getpass, "getpass", lambda prompt: f"{prompt}typed")
    assert models_commands._typed_key() == "Key: typed"


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("set", "nothing"), "not_found"),
        (("set", "chat"), "invalid_input"),
        (("set", "chat", "--preset", "nothing"), "not_found"),
        (("set", "chat", "--preset", "ollama", "--url", "http://x"), "invalid_input"),
        (("set", "chat", "--url", "nonsense", "--model", "m"), "invalid_input"),
        (("test", "nothing"), "not_found"),
        (("key", "forget", "chat"), "invalid_input"),
        (("key", "forget", "nonsense"), "invalid_input"),
        (("index", "rebuild", "nothing"), "not_found"),
    ],
)
def test_a_wrong_word_is_an_error_of_one_object(home: Path, words: tuple[str, ...], kind: str) -> None:
    done = biny("models", *words, "--json", home=home)
    assert done.returncode == 1
    assert told(done)["error"]["kind"] == kind


def test_a_preset_stands_for_an_address(home: Path) -> None:
    done = biny("models", "set", "chat", "--preset", "openai", "--model", "big", home=home)
    assert done.returncode == 0
    assert done.stdout == "chat: key missing, big, https://api.openai.com/v1\n"


def test_indexes_and_embedder_are_shown(home: Path) -> None:
    shown = told(biny("models", "index", "status", "--json", home=home))
    assert set(shown) == {"embedder", "why", "items"}
    assert "Embedder:" in biny("models", "index", "status", home=home).stdout
