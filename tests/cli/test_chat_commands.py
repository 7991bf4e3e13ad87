"""`biny chat`: asking, other versions, going on, changes; as a person and as a program get them."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biny_desktop.cli import chat_asking
from biny_desktop.cli.main import main
from tests.fakes.chat_home import TODO, ChatHome, opened, write_call
from tests.fakes.model_server import ModelServer
from tests.fakes.summaries import summary


class Line:
    """A command line over an open home; `run` gives (status, stdout, stderr)."""

    def __init__(self, home: ChatHome, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.home, self._capsys = home, capsys
        patch.setattr(home.product, "close", lambda: None)

    def open(self, _home: Path | None) -> object:
        return self.home.product

    def run(self, *words: str) -> tuple[int, str, str]:
        status = main(self, ["chat", *words])  # type: ignore[arg-type]  # as much of a backend as chats need
        said = self._capsys.readouterr()
        return status, said.out, said.err

    def told(self, *words: str, status: int = 0) -> dict[str, Any]:
        found, out, _err = self.run(*words, "--json")
        assert found == status, out
        (one,) = out.splitlines()
        return json.loads(one)  # type: ignore[no-any-return]

    def asked(self, words: str, answer: str = "good morning") -> dict[str, Any]:
        self.home.server.answer(answer)
        return self.told("ask", words)


@pytest.fixture
def line(tmp_path: Path, model_server: ModelServer, capsys: pytest.CaptureFixture[str]) -> Iterator[Line]:
    patch = pytest.MonkeyPatch()
    patch.setenv("BINY_STORAGE__ENCRYPTION", "off")
    patch.setenv("COLUMNS", "200")
    with opened(tmp_path, model_server) as home:
        yield Line(home, capsys, patch)
        patch.undo()


def test_a_person_reads_the_answer_as_it_comes_and_what_tools_run(line: Line) -> None:
    line.home.server.answer("first the list", tool_calls=TODO).answer("it is made")
    assert line.run("ask", "plan", "it") == (0, "first the list\nit is made\n", "… todo_write\n")


def test_a_program_gets_exactly_one_object_and_goes_on_in_the_session(line: Line) -> None:
    first = line.asked("hello")
    assert (first["status"], first["reason"], first["text"], first["steps"]) == (
        "completed", "answered", "good morning", 0,
    )  # fmt: skip
    line.home.server.answer("yes")
    again = line.told("ask", "--session", first["session"], "still there?")
    assert again["session"] == first["session"]
    shown = line.told("show", first["session"])
    assert [(each["role"], each["content"]) for each in shown["items"]] == [
        ("user", "hello"), ("assistant", "good morning"), ("user", "still there?"), ("assistant", "yes"),
    ]  # fmt: skip
    assert shown["items"][-1]["id"] == again["message"]
    assert (shown["sending"], shown["recovered"]) == (None, None)


def test_what_to_say_comes_from_standard_input_too(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a long\ntext"))
    line.home.server.answer("read")
    session = line.told("ask", "-")["session"]
    assert line.home.texts(session)[0] == "a long\ntext"


def test_without_a_model_nothing_is_begun(line: Line) -> None:
    line.home.set("models.chat_model", "")
    assert line.told("ask", "hello", status=1)["error"]["kind"] == "unavailable"
    assert line.told("sessions") == {"items": [], "next": None}
    status, out, err = line.run("ask", "hello")
    assert (status, out) == (1, "")
    assert "No model is set" in err


def test_an_answer_that_failed_is_an_error_with_its_reason(line: Line) -> None:
    line.home.server.answer(status=401)
    status, out, err = line.run("ask", "hello")
    assert (status, out) == (1, "")
    assert "There is no answer" in err
    line.home.server.answer(status=401)
    assert "error" in line.told("ask", "hello", status=1)
    session = line.told("sessions")["items"][0]["id"]
    assert "no answer:" in line.run("show", session)[1]


def test_a_turn_that_waits_says_for_what_and_goes_on_after_the_answer(line: Line) -> None:
    line.home.server.answer("", tool_calls=write_call("open/a.md"))
    waiting = line.told("ask", "write it", status=1)
    assert (waiting["status"], [each["tool"] for each in waiting["approvals"]]) == ("blocked", ["write_file"])
    session = waiting["session"]
    _status, out, _err = line.run("show", session)
    assert "waits for approval: write_file" in out
    assert line.told("resume", session, status=1)["error"]["kind"] == "invalid_input"
    (approval,) = line.home.view(session).approvals
    line.home.set("models.chat_model", "")
    line.home.chat.answer(session, approval.id, approve=True, revision=approval.revision)
    line.home.set("models.chat_model", "large")
    assert "`biny chat resume` goes on" in line.run("show", session)[1]
    line.home.server.answer("written")
    assert line.told("resume", session)["text"] == "written"
    assert (line.home.open / "a.md").read_text() == "# a\n"


def test_an_interrupted_turn_is_ended_for_good(line: Line) -> None:
    line.home.server.answer("", tool_calls=write_call("open/a.md"))
    session = line.told("ask", "write it", status=1)["session"]
    assert line.told("stop", session) == {"session": session, "status": "cancelled"}
    assert line.told("show", session)["recovered"] is None
    assert line.told("settle", session, "x", "--done", status=1)["error"]["kind"] == "not_found"


def test_ctrl_c_stops_the_answer_and_keeps_what_came(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    wait = line.home.chat.wait

    def pressed(turn_id: str, timeout_s: float) -> object:
        if timeout_s != chat_asking.LOOK_S:
            return wait(turn_id, timeout_s)
        (session,) = line.home.chat.running()
        line.home.product.clock.wait(0.01)
        if line.home.view(session).streaming:
            raise KeyboardInterrupt
        return None

    monkeypatch.setattr(line.home.chat, "wait", pressed)
    line.home.server.answer("one two three four five", piece=4, trickle_s=0.5)
    done = line.told("ask", "count", status=1)
    assert (done["status"], done["reason"]) == ("cancelled", "stopped")
    assert done["text"].startswith("one")


def test_an_incognito_answer_leaves_no_session(line: Line) -> None:
    line.home.server.answer("between us")
    assert line.told("ask", "--incognito", "hello")["text"] == "between us"
    assert line.told("sessions")["items"] == []
    assert line.told("ask", "--incognito", "--session", "x", "hello", status=1)["error"]["kind"] == "invalid_input"


def test_sessions_come_page_by_page(line: Line) -> None:
    made = [line.asked(f"number {n}")["session"] for n in range(3)]
    first = line.told("sessions", "--limit", "2")
    second = line.told("sessions", "--limit", "2", "--before", first["next"])
    assert [each["id"] for page in (first, second) for each in page["items"]] == made[::-1]
    assert second["next"] is None
    assert line.told("sessions", "--before", "soon", status=1)["error"]["kind"] == "invalid_input"
    status, out, _err = line.run("sessions")
    assert status == 0
    assert "number 2" in out


def test_versions_forks_and_titles(line: Line) -> None:
    session = line.asked("hello", "one")["session"]
    line.home.server.answer("two")
    again = line.told("retry", session)
    assert again["text"] == "two"
    user, answer = line.told("show", session)["items"]
    assert (answer["version"], len(answer["versions"])) == (2, 2)
    assert "2/2" in line.run("show", session)[1]
    line.told("select", session, answer["versions"][0])
    assert line.told("show", session)["items"][1]["content"] == "one"
    line.home.server.answer("three")
    assert line.told("edit", session, user["id"], "good", "night")["text"] == "three"
    fork = line.told("fork", session, again["message"])
    assert (fork["parent"], fork["source"]) == (session, "fork")
    assert line.home.texts(fork["id"]) == ["hello", "two"]
    renamed = line.told("rename", session, "Mornings")
    assert renamed["title"] == "Mornings"
    stale = line.told("rename", session, "Evenings", "--revision", "1", status=1)
    assert stale["error"]["kind"] == "stale_revision"


def test_deleting_asks_first(line: Line) -> None:
    session = line.asked("hello")["session"]
    user = line.told("show", session)["items"][0]["id"]
    assert line.told("delete", session, status=1)["error"]["kind"] == "invalid_input"
    assert line.told("delete", session, "--message", user, "--yes")["messages"] == 2
    assert line.told("show", session)["items"] == []
    line.told("delete", session, "--yes")
    assert line.told("show", session, status=1)["error"]["kind"] == "not_found"


def test_to_dos_are_shown_and_changed(line: Line) -> None:
    session = line.asked("hello")["session"]
    assert line.told("todos", session)["items"] == []
    line.told("todos", session, "--add", "read the plan", "--add", "write it down")
    done = line.told("todos", session, "--done", "1", "--begin", "2")
    assert [each["status"] for each in done["items"]] == ["completed", "in_progress"]
    assert line.run("todos", session)[1] == "  1 [x] read the plan\n  2 [>] write it down\n"
    assert line.told("todos", session, "--done", "7", status=1)["error"]["kind"] == "invalid_input"
    assert line.told("todos", session, "--clear", "--add", "rest")["items"] == [
        {"content": "rest", "status": "pending"}
    ]


def test_a_chat_is_summed_up_by_hand(line: Line) -> None:
    session = line.asked("hello")["session"]
    line.home.server.answer(summary)
    made = line.told("compact", session)["checkpoint"]
    assert made["covered"] >= 1
    assert made["state"]["goal"]
    _status, out, _err = line.run("show", session)
    assert "summed up" in out
