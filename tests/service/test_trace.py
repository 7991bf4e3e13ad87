"""From an anchor to its source."""

import pytest

from biny_desktop.conversation.model import Message, Session
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import NotFoundError
from biny_desktop.redaction import from_row
from biny_desktop.service.chat.model import FoundMessage
from biny_desktop.service.trace import trace
from tests.fakes.product_pages import FakeProduct


def test_frames_and_segments_are_opened() -> None:
    product = FakeProduct(40)
    frame = trace(Anchor("frame", "7", 0, "UTC"), product.timeline, product.segments)
    assert frame.frame is not None
    assert frame.frame.frame.id == 7
    segment = trace(Anchor("segment", "2", 0, "UTC"), product.timeline, product.segments)
    assert segment.segment is not None
    assert segment.segment.segment.id == 2


@pytest.mark.parametrize(("kind", "ref"), [("segment", "99"), ("segment", "x"), ("frame", "99"), ("card", "1")])
def test_what_is_gone_or_unknown_is_said_to_be(kind: str, ref: str) -> None:
    product = FakeProduct(40)
    with pytest.raises(NotFoundError):
        trace(Anchor(kind, ref, 0, "UTC"), product.timeline, product.segments)  # type: ignore[arg-type]


def test_without_a_reader_of_segments_none_is_opened() -> None:
    with pytest.raises(NotFoundError):
        trace(Anchor("segment", "1", 0, "UTC"), FakeProduct(4).timeline)


class Messages:
    """Knows one message."""

    def found(self, message_id: str) -> FoundMessage:
        if message_id != "m1":
            raise NotFoundError("There is no such message", message_id)
        session = Session("s1", "Ferries", "user", "chat", 0, 0, "UTC")
        return FoundMessage(Message("m1", "s1", None, "m1", "user", 1, from_row("the ferry"), 0, "UTC"), session, 1, 1)


def test_a_message_is_opened_in_its_branch_and_a_deleted_one_is_said_to_be_gone() -> None:
    timeline = FakeProduct(4).timeline
    opened = trace(Anchor("message", "m1", 0, "UTC"), timeline, messages=Messages())
    assert opened.message is not None
    assert opened.message.message.content == "the ferry"
    for reader in (Messages(), None):
        with pytest.raises(NotFoundError):
            trace(Anchor("message", "m2", 0, "UTC"), timeline, messages=reader)
