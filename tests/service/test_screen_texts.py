"""The agent's search of the screen on real rows."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.core.text import RedactedText
from biny_desktop.service.screen_texts import KeywordScreenTexts
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock


@pytest.fixture
def home(tmp_path: Path, fake_clock: FakeClock) -> Iterator[ActivityHome]:
    made = ActivityHome(tmp_path, fake_clock)
    yield made
    made.close()


def test_words_app_and_times_narrow_what_is_told(home: ActivityHome, fake_clock: FakeClock) -> None:
    first = home.seen("plan.md", "the quarterly budget", app="editor")
    fake_clock.advance(3_600_000)
    then = fake_clock.now_ms()
    second = home.seen("mail", "budget again", app="mail")
    texts = KeywordScreenTexts(home.search)

    def ids(query: str = "budget", after: int | None = None, before: int | None = None, app: str = "") -> list[int]:
        page = texts.search(query, after_ms=after, before_ms=before, app=app, limit=10)
        assert page.total == len(page.found)
        return [each.frame_id for each in page.found]

    assert ids() == [second, first]
    assert ids(app="editor") == [first]
    assert ids(app='edi"tor') == []
    assert ids(after=then) == [second]
    assert ids(before=then) == [first]
    assert ids("budget -again") == [first]
    assert ids("nothing of the kind") == []


def test_a_moment_is_told_with_its_text(home: ActivityHome) -> None:
    home.seen("plan.md", "the quarterly budget", app="editor")
    (found,) = KeywordScreenTexts(home.search).search(
        "budget", after_ms=None, before_ms=None, app="", limit=1
    ).found  # fmt: skip
    assert found.title == "plan.md"
    assert "budget" in found.snippet
    assert found.app.lower().startswith("editor")
    assert all(isinstance(text, RedactedText) for text in (found.title, found.snippet, found.app))
