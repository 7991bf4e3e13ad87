"""Words of chats: where one comes from."""

import pytest

from biny_desktop.conversation.importers.source import FORMATS
from biny_desktop.conversation.model import Session
from biny_desktop.core.i18n import use_language
from biny_desktop.ui.chat_words import session_source


def from_source(source: str) -> Session:
    return Session("s", "title", "rule", source, 0, 0, "UTC")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("chat", ""),
        ("fork", "forked"),
        ("import:chatgpt", "from ChatGPT"),
        ("import:claude_code", "from Claude Code"),
        ("import:plain", "from a transcript"),
    ],
)
def test_where_a_chat_comes_from_is_said_as_a_person_would(source: str, words: str) -> None:
    use_language("en")
    assert session_source(from_source(source)) == words


def test_no_format_is_shown_by_its_key() -> None:
    assert not [each for each in FORMATS if each in session_source(from_source(f"import:{each}"))]
