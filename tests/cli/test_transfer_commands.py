"""`biny chat import`, `imports`, `rollback`, `export`: as a person and as a program get them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biny_desktop.cli.main import main
from biny_desktop.service.product import Product
from tests.fakes.chat_home import opened
from tests.fakes.import_home import SAMPLES
from tests.fakes.model_server import ModelServer


class Line:
    """A command line over an open home; `run` gives (status, stdout, stderr)."""

    def __init__(self, product: Product, capsys: pytest.CaptureFixture[str]) -> None:
        self.product, self._capsys = product, capsys

    def open(self, _home: Path | None) -> Product:
        return self.product

    def run(self, *words: str) -> tuple[int, str, str]:
        status = main(self, list(words))  # type: ignore[arg-type]  # as much of a backend as chats need
        said = self._capsys.readouterr()
        return status, said.out, said.err

    def told(self, *words: str, status: int = 0) -> dict[str, Any]:
        found, out, _err = self.run("chat", *words, "--json")
        assert found == status, out
        (one,) = out.splitlines()
        return json.loads(one)  # type: ignore[no-any-return]


@pytest.fixture
def line(
    tmp_path: Path, model_server: ModelServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Line]:
    monkeypatch.setenv("BINY_STORAGE__ENCRYPTION", "off")
    monkeypatch.setenv("COLUMNS", "200")
    with opened(tmp_path, model_server) as home, monkeypatch.context() as patch:
        patch.setattr(home.product, "close", lambda: None)
        yield Line(home.product, capsys)


def test_without_apply_it_only_says_what_would_come_in(line: Line) -> None:
    shown = line.told("import", str(SAMPLES / "chatgpt"))
    assert (shown["applied"], shown["format"], shown["mine"]) == (False, "chatgpt", True)
    assert (shown["sessions_new"], shown["messages_new"], shown["already_here"]) == (3, 16, 0)
    assert shown["skipped"]["tool"] == 2
    assert shown["malformed"]["cycle"] == 1
    assert {"kind": "cycle", "place": "conversations.json, conversation 2, message 2"} in shown["problems"]
    assert line.told("sessions")["items"] == []
    status, out, _err = line.run("chat", "import", str(SAMPLES / "chatgpt"))
    assert status == 0
    assert "new messages: 16" in out
    assert "--apply" in out


def test_an_import_is_listed_and_taken_out_again(line: Line) -> None:
    done = line.told("import", str(SAMPLES / "claude"), "--apply", "--not-mine")
    assert (done["applied"], done["state"], done["mine"], done["messages_new"]) == (True, "done", False, 8)
    assert line.told("import", str(SAMPLES / "claude"), "--apply")["messages_new"] == 0
    (again, first) = line.told("imports")["items"]
    assert (first["id"], first["state"], first["messages_new"], again["messages_new"]) == (done["batch"], "done", 8, 0)
    assert "claude" in line.run("chat", "imports")[1]
    assert line.run("chat", "rollback", str(done["batch"]))[0] == 1
    taken = line.told("rollback", str(done["batch"]), "--yes")
    assert (taken["sessions"], taken["messages"], taken["stayed"]) == (2, 8, [])
    assert line.told("sessions")["items"] == []
    assert line.told("rollback", "77", "--yes", status=1)["error"]["kind"] == "not_found"


def test_imported_memories_wait_in_approvals_and_are_answered_there(line: Line) -> None:
    assert line.run("chat", "import", str(SAMPLES / "chatgpt"), "--apply")[0] == 0
    items = json.loads(line.run("approvals", "list", "--json")[1])["items"]
    assert (
        sorted(each["title"] for each in items)
        == ["Custom instructions of ChatGPT"] * 2 + ["What ChatGPT remembered of you"] * 2
    )
    one = items[0]["id"]
    assert json.loads(line.run("approvals", "show", one, "--json")[1])["evidence"]
    assert line.run("approvals", "accept", one, "--yes")[0] == 0
    assert line.run("approvals", "refuse", items[1]["id"], "--never", "--yes")[0] == 0
    assert json.loads(line.run("approvals", "list", "--json")[1])["open"] == 2
    assert line.run("approvals", "show", "memory:x", "--json")[0] == 1


def test_chats_are_written_out_and_read_back(line: Line, tmp_path: Path) -> None:
    assert line.run("chat", "import", str(SAMPLES / "chatgpt"), "--apply")[0] == 0
    file, folder = tmp_path / "all.jsonl", tmp_path / "all"
    done = line.told("export", "--all", "--out", str(file))
    assert (done["format"], done["sessions"], done["messages"]) == ("jsonl", 3, 16)
    assert line.told("import", str(file))["messages_new"] == 0
    assert line.told("export", "--all", "--format", "md", "--out", str(folder))["sessions"] == 3
    one = line.told("sessions")["items"][0]["id"]
    assert "**User** (2025" in line.run("chat", "export", one)[1]
    lines = line.run("chat", "export", one, "--format", "jsonl")[1].splitlines()
    assert [json.loads(each).get("type") for each in lines][:2] == [None, "session"]
    assert line.told("export", status=1)["error"]["kind"] == "invalid_input"
    assert line.told("export", one, status=1)["error"]["kind"] == "invalid_input"


def test_what_cannot_be_read_is_an_error_a_person_understands(line: Line, tmp_path: Path) -> None:
    assert line.told("import", str(tmp_path / "nowhere"), status=1)["error"]["kind"] == "not_found"
    (tmp_path / "empty.json").write_text("{}")
    assert line.told("import", str(tmp_path / "empty.json"), status=1)["error"]["kind"] == "invalid_input"
