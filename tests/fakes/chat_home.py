"""A whole home with a model server, to talk in through the desk."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from biny_desktop.app import open_product
from biny_desktop.conversation.agent.model import TurnOutcome
from biny_desktop.conversation.drafts import Draft
from biny_desktop.service.chat.desk import Chat
from biny_desktop.service.chat.model import ChatView, ShownMessage
from biny_desktop.service.product import Product
from tests.fakes.homes import NoKeyring
from tests.fakes.model_server import ModelServer
from tests.waiting import wait_until

TODO = [{"id": "t", "name": "todo_write", "arguments": {"items": [{"content": "look at the pier"}]}}]
WAIT_S = 30.0


def write_call(path: str, text: str = "# a\n") -> list[dict[str, Any]]:
    """A call that waits for an approval."""
    return [{"id": "w", "name": "write_file", "arguments": {"path": path, "text": text, "reason": "asked"}}]


class ChatHome:
    """One opening of the home; `open` is the folder whose files the model may write after approval."""

    def __init__(self, product: Product, server: ModelServer, root: Path) -> None:
        self.product, self.server, self.open = product, server, root / "open"
        self.data = root / "home" / "data"

    @property
    def chat(self) -> Chat:
        return self.product.chat

    def set(self, key: str, value: str) -> None:
        self.product.set_setting(key, value)

    def ended(self, turn_id: str) -> TurnOutcome:
        """How a turn ended; the session is free."""
        outcome = self.chat.wait(turn_id, WAIT_S)
        assert outcome is not None
        return outcome

    def say(self, session_id: str, words: str) -> TurnOutcome:
        return self.ended(self.chat.send(session_id, Draft(words)))

    def begun(self, session_id: str, words: str) -> str:
        """A turn of which some text was heard already; its id."""
        turn_id = self.chat.send(session_id, Draft(words))
        wait_until(lambda: self.chat.view(session_id).streaming)
        return turn_id

    def shown(self, session_id: str) -> list[ShownMessage]:
        return [each for each in self.view(session_id).items if isinstance(each, ShownMessage)]

    def texts(self, session_id: str) -> list[str]:
        return [str(each.message.content) for each in self.shown(session_id)]

    def view(self, session_id: str) -> ChatView:
        return self.chat.view(session_id)

    def free(self, session_id: str) -> None:
        """Wait until nothing runs in it."""
        wait_until(lambda: self.view(session_id).running_turn is None, WAIT_S)


@contextmanager
def opened(root: Path, server: ModelServer) -> Iterator[ChatHome]:
    """The home below `root`, made with the first opening, with the server as its chat model."""
    (root / "open").mkdir(exist_ok=True)
    product = open_product(root / "home", NoKeyring())
    try:
        product.set_setting("models.chat_url", server.url)
        product.set_setting("models.chat_model", "large")
        product.set_setting("agent.folders", str(root / "open"))
        yield ChatHome(product, server, root)
    finally:
        product.close()
        close_log(root)


def close_log(root: Path) -> None:
    """Let go of the log file of a home."""
    for handler in [each for each in logging.getLogger().handlers if str(root) in getattr(each, "baseFilename", "")]:
        logging.getLogger().removeHandler(handler)
        handler.close()


def refusals(home: ChatHome, session_id: str, message_id: str) -> dict[str, Callable[[], object]]:
    """Everything that must not meet a running turn."""
    chat = home.chat
    return {
        "send": lambda: chat.send(session_id, Draft("more")),
        "edit": lambda: chat.edit(session_id, message_id, Draft("other")),
        "retry": lambda: chat.retry(session_id, message_id),
        "select": lambda: chat.select(session_id, message_id),
        "compact": lambda: chat.compact(session_id),
        "delete_message": lambda: chat.delete_message(session_id, message_id),
        "delete_session": lambda: chat.delete_session(session_id),
    }
