"""The real program, killed with kill -9 while it answers in a chat: what was committed stays, nothing is done twice."""

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from biny_desktop.app import open_product
from biny_desktop.conversation.drafts import Draft
from biny_desktop.service.product import Product
from tests.fakes.model_server import ModelServer

TODO = [{"id": "t", "name": "todo_write", "arguments": {"items": [{"content": "look at the pier"}]}}]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model_server: ModelServer) -> Path:
    monkeypatch.setenv("BINY_STORAGE__ENCRYPTION", "off")
    (tmp_path / "open").mkdir()
    with opened(tmp_path / "home") as product:
        for key, value in (
            ("models.chat_url", model_server.url), ("models.chat_model", "large"),
            ("agent.folders", str(tmp_path / "open")),
        ):  # fmt: skip
            product.set_setting(key, value)
    return tmp_path / "home"


@contextmanager
def opened(home: Path) -> Iterator[Product]:
    product = open_product(home)
    try:
        with product.database.write() as w:
            w.run("DELETE FROM leases")  # the one of a killed process runs out by itself, after 15 s
        yield product
    finally:
        product.close()
        for handler in [h for h in logging.getLogger().handlers if str(home) in getattr(h, "baseFilename", "")]:
            logging.getLogger().removeHandler(handler)
            handler.close()


class Child:
    """`biny chat …` in a process of its own; killed from within the server."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "biny_desktop", "--home", str(home), "chat", *arguments],
            env={**os.environ, "BINY_STORAGE__ENCRYPTION": "off"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(20.0)

    def killing(self, text: str = "too late") -> Callable[[dict[str, Any]], str]:
        """An answer that kills who asked for it."""

        def reply(_request: dict[str, Any]) -> str:
            self.kill()
            return text

        return reply

    def ended(self) -> int:
        self.process.communicate(timeout=60.0)
        return self.process.returncode


def session_of(product: Product) -> str:
    (session,) = product.chat.page().sessions
    return session.id


def goes_on(product: Product, session: str) -> None:
    turn = product.chat.resume(session)
    outcome = product.chat.wait(turn, 30.0)
    assert outcome is not None
    assert outcome.status == "completed"


def texts(product: Product, session: str) -> list[str]:
    return [item.message.content for item in product.chat.view(session).items if hasattr(item, "message")]


def test_killed_before_anything_was_answered_the_message_is_there_and_can_be_answered(
    home: Path, model_server: ModelServer
) -> None:
    child = Child(home, "ask", "hello")
    model_server.answer(child.killing())
    assert child.ended() == -signal.SIGKILL
    with opened(home) as product:
        session = session_of(product)
        assert texts(product, session) == ["hello"]
        model_server.answer("good morning")
        turn = product.chat.retry(session, product.chat.view(session).session.leaf_id or "")
        assert product.chat.wait(turn, 30.0) is not None
        assert texts(product, session) == ["hello", "good morning"]


def test_killed_after_a_step_it_goes_on_from_there_and_the_step_is_not_done_again(
    home: Path, model_server: ModelServer
) -> None:
    child = Child(home, "ask", "make a list")
    model_server.answer("first the list", tool_calls=TODO).answer(child.killing())
    assert child.ended() == -signal.SIGKILL
    with opened(home) as product:
        session = session_of(product)
        recovered = product.chat.view(session).recovered
        assert recovered is not None
        assert recovered.outcome == "continue"
        assert product.chat.view(session).todos.revision == 1
        model_server.answer("the list is made")
        goes_on(product, session)
        assert texts(product, session) == ["make a list", "first the list", "the list is made"]
        assert product.chat.view(session).todos.revision == 1
        sent = model_server.requests[-1]["messages"]
        assert [each["role"] for each in sent if each["role"] == "tool"] == ["tool"]
        assert not list((home / "data" / "turns").glob("*.json"))


def test_killed_while_it_waited_for_an_approval_the_file_is_written_once_after_it(
    home: Path, model_server: ModelServer
) -> None:
    args = {"path": "open/a.md", "text": "# a\n", "reason": "asked"}
    call = [{"id": "w", "name": "write_file", "arguments": args}]
    model_server.answer("", tool_calls=call)
    assert Child(home, "ask", "write it").ended() == 1  # blocked: it waits
    with opened(home) as product:
        item = product.approvals.page().items[0]
    child = Child(home, "resume", "nothing")  # a command that fails leaves all as it is
    assert child.ended() == 1
    target = home.parent / "open" / "a.md"
    assert not target.exists()
    with opened(home) as product:
        session = session_of(product)
        model_server.answer("written")
        product.approvals.accept(item.id, item.revision)
        turn = product.chat.view(session).running_turn
        if turn is not None:
            assert product.chat.wait(turn, 30.0) is not None
        assert target.read_text(encoding="utf-8") == "# a\n"
        assert texts(product, session)[-1] == "written"
        executions = product.chat._logs.stored.executions(session)
        assert [(each.tool, each.status) for each in executions] == [("write_file", "succeeded")]


def test_killed_in_the_middle_of_a_streamed_answer_nothing_of_it_is_kept_and_the_message_is(
    home: Path, model_server: ModelServer
) -> None:
    child = Child(home, "ask", "count")
    model_server.answer("one two three four five six", piece=4, trickle_s=0.2)
    assert child.process.stdout is not None
    assert child.process.stdout.read(4) == b"one "
    child.kill()
    child.process.stdout.close()
    child.process.stderr.close()  # type: ignore[union-attr]
    with opened(home) as product:
        assert texts(product, session_of(product)) == ["count"]


def test_two_processes_do_not_answer_in_one_chat(home: Path, model_server: ModelServer) -> None:
    with opened(home) as product:
        session = product.chat.create().id
        model_server.answer("slow", delay_s=5.0)
        turn = product.chat.send(session, Draft("hello"))
        other = Child(home, "ask", "--session", session, "me too")
        _out, err = other.process.communicate(timeout=60.0)
        assert other.process.returncode == 1
        assert b"Another program answers in this chat" in err
        product.chat.stop(session)
        assert product.chat.wait(turn, 30.0) is not None
        assert texts(product, session) == ["hello"]
