"""A message in the source panel: its words with the quote, its place in the branch, when, how it can be found."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from biny_desktop.conversation.model import Message, Session
from biny_desktop.conversation.search.model import MessageIndexed
from biny_desktop.redaction import from_row
from biny_desktop.service.chat.model import FoundMessage
from biny_desktop.ui.widgets.message_source import MessageSource, ShownMessage
from tests.fakes.clock import START_MS

INDEXED = MessageIndexed(words=True, meaning="indexed")


def shown(text: str, quote: str = "", indexed: MessageIndexed = INDEXED, *, active: bool = True) -> ShownMessage:
    session = Session("s1", "Ferries", "user", "chat", START_MS, START_MS, "Europe/Berlin")
    message = Message("m1", "s1", None, "m0", "user", 1, from_row(text), START_MS, "Europe/Berlin", active=active)
    return ShownMessage(FoundMessage(message, session, 2, 3), indexed, quote)


@pytest.fixture
def source(qtbot) -> MessageSource:
    made = MessageSource()
    qtbot.addWidget(made)
    made.resize(360, 400)
    made.show()
    return made


def words(source: MessageSource) -> str:
    return "\n".join(label.text() for label in source.findChildren(QLabel))


def test_the_place_in_the_branch_the_time_with_its_zone_and_the_table_are_told(source: MessageSource) -> None:
    source.show_message(shown("the ferry leaves"))
    told = words(source)
    for part in ("Ferries", "You", "2 of 3, shown now", "2026-01-05 01:00:00", "Europe/Berlin", "messages (m1)"):
        assert part in told
    assert "its words are indexed, its meaning is indexed" in told
    source.show_message(shown("the ferry leaves", active=False))
    assert "a version that is not shown" in words(source)


@pytest.mark.parametrize(
    ("indexed", "said"),
    [
        (MessageIndexed(words=True, meaning="pending"), "its meaning waits to be indexed"),
        (MessageIndexed(words=True, meaning="stale"), "its meaning is out of date"),
        (MessageIndexed(words=False, meaning="none"), "its words are not indexed, too short for its meaning"),
    ],
)
def test_how_it_can_be_found_is_told(source: MessageSource, indexed: MessageIndexed, said: str) -> None:
    source.show_message(shown("the ferry", indexed=indexed))
    assert said in words(source)


def test_the_quote_is_highlighted_and_no_text_becomes_markup(source: MessageSource) -> None:
    source.show_message(shown("a <b>bold</b> ferry & <img src=x>", "<b>bold</b> ferry"))
    markup = source.body.text()
    assert source.body.textFormat() == Qt.TextFormat.RichText
    assert "&lt;b&gt;bold&lt;/b&gt; ferry</span> &amp; &lt;img src=x&gt;" in markup
    assert "<b>" not in markup
    assert source.text() == "a <b>bold</b> ferry & <img src=x>"


@pytest.mark.parametrize("quote", ["", "not in it"])
def test_without_a_quote_it_is_plain_text(source: MessageSource, quote: str) -> None:
    source.show_message(shown("a <b>bold</b> ferry", quote))
    assert source.body.textFormat() == Qt.TextFormat.PlainText
    assert source.body.text() == "a <b>bold</b> ferry"
