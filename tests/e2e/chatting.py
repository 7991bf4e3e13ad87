"""Chats for people to look at: talked with a scripted server through the real desk, with tools, versions, a summary."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from biny_desktop.conversation.drafts import Draft
from tests.fakes.model_server import ModelServer
from tests.fakes.summaries import summary

if TYPE_CHECKING:
    from biny_desktop.service.product import Product
    from biny_desktop.ui.main_window import MainWindow

ANSWER = """The winter timetable changes on **1 December**:

| pier | first | last |
| --- | --- | --- |
| north | 06:20 | 22:40 |
| south | 07:05 | 21:10 |

The change is read from one page now, so the cache has to hold both plans:

```python
def departures(pier: str, day: date) -> list[Departure]:
    return [each for each in plan_of(day) if each.pier == pier]
```

- the old plan stays until midnight
- 冬季时刻表从北码头开始
"""
TURN_S = 30.0


@contextmanager
def chatty(product: "Product", folder: Path) -> Iterator[str]:
    """A home with some chats; the id of the one to look at. The server is there until the end of the block."""
    server = ModelServer()
    try:
        product.set_setting("models.chat_url", server.url)
        product.set_setting("models.chat_model", "harbour-30b")
        product.set_setting("agent.folders", str(folder))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "plan.md").write_text("# Winter plan\n\nnorth 06:00\nsouth 07:00\n", encoding="utf-8")
        yield fill(product, server, folder)
    finally:
        server.close()


def fill(product: "Product", server: ModelServer, folder: Path) -> str:
    """Talk; returns the id of the richest chat."""
    chat = product.chat
    for words, answer in (
        ("码头维修报价里钢板的数量对吗?", "报价单里是 12 块，合计 4,800。和预算一致。"),
        ("Draft a short mail to the council about the quay", "Dear council, the quay will be repaired in spring."),
    ):
        server.answer(answer)
        said(product, chat.create().id, lambda s, words=words: chat.send(s, Draft(words)))
    session = chat.create().id
    server.answer("It leaves at half past.")
    said(product, session, lambda s: chat.send(s, Draft("When does the first ferry leave in winter?")))
    server.answer(ANSWER, reasoning="They ask about the winter plan; the table has both piers.")
    said(product, session, lambda s: chat.retry(s, leaf(product, s)))
    server.answer(summary)
    chat.compact(session)
    calls = [{"id": "t", "name": "todo_write", "arguments": {"items": [
        {"content": "Read the winter plan", "status": "completed"},
        {"content": "Write the new times into plan.md", "status": "in_progress"},
        {"content": "Tell the north pier", "status": "pending"},
    ]}}]  # fmt: skip
    server.answer("I write the list first, then the file.", tool_calls=calls)
    text = "# Winter plan\n\nnorth 06:20\nsouth 07:05\n"
    args = {"path": f"{folder.name}/plan.md", "text": text, "reason": "the new times", "expected_hash": hash_of(folder)}
    server.answer("", tool_calls=[{"id": "w", "name": "write_file", "arguments": args}])
    said(product, session, lambda s: chat.send(s, Draft("Put the new times into plan.md, please.")))
    return session


def chatted(window: "MainWindow", session_id: str, take: Callable[[str], None]) -> None:
    """Chat from its beginning and at its end, with to-dos, incognito, and before anything is said."""
    window.open_page("chat", session_id)
    take("chat-end")
    page = window.page()
    page.transcript.verticalScrollBar().setValue(0)
    take("chat")
    page.todos.fold.head.setChecked(True)
    take("chat-todos")
    page.todos.fold.head.setChecked(False)
    page.side.incognito.click()
    take("chat-incognito")
    page.talk.close_it.click()
    page.side.new.click()
    take("chat-new")


def said(product: "Product", session_id: str, begin: Callable[[str], str]) -> None:
    """Begin a turn and wait until it ends or waits."""
    turn = begin(session_id)
    assert product.chat.wait(turn, TURN_S) is not None
    deadline = time.monotonic() + TURN_S
    while product.chat.view(session_id).running_turn is not None and time.monotonic() < deadline:
        time.sleep(0.01)


def leaf(product: "Product", session_id: str) -> str:
    """The newest message of a chat."""
    return product.chat.view(session_id).session.leaf_id or ""


def hash_of(folder: Path) -> str:
    """What `write_file` wants to know of the file it replaces."""
    import hashlib

    return hashlib.sha256((folder / "plan.md").read_bytes()).hexdigest()
