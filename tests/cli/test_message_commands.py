"""`biny chat search` on a real home: what is found, in which mode, under which filters."""

from pathlib import Path

import pytest

from biny_desktop.app import open_product
from biny_desktop.conversation.log.session_log import SessionLog
from tests.cli.test_commands import biny, told
from tests.fakes.clock import FakeClock
from tests.fakes.conversations import talk


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two chats of 5 and 7 January 2026, one of them imported and of a project."""
    product = open_product(tmp_path / "home")
    clock = FakeClock()
    project = product.projects.create("My boat").id
    one = talk(SessionLog(product.database, clock, product.events), clock, "a-", title="Ferries")
    one.user("when does the northern ferry leave")
    one.answer("the ferry leaves at noon")
    clock.advance(60 * 3_600_000)  # a day begins at four
    other = talk(
        SessionLog(product.database, clock, product.events), clock, "b-", source="import:chatgpt", project_id=project
    )
    other.user("the ferry to 飞书插件配置")
    product.close()
    return tmp_path / "home"


def found(home: Path, *arguments: str) -> list[str]:
    return sorted(item["message"] for item in told(biny("chat", "search", *arguments, "--json", home=home))["items"])


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ((), ["a-m1", "a-m2", "b-m1"]),
        (("--role", "assistant"), ["a-m2"]),
        (("--source", "import"), ["b-m1"]),
        (("--project", "my boat"), ["b-m1"]),
        (("--from", "2026-01-07"), ["b-m1"]),
        (("--to", "2026-01-06"), ["a-m1", "a-m2"]),
        (("--from", "2026-01-06", "--to", "2026-01-06"), []),
    ],
)
def test_filters_narrow_what_is_found(home: Path, filters: tuple[str, ...], ids: list[str]) -> None:
    assert found(home, "ferry", "--mode", "keyword", *filters) == ids


def test_a_person_reads_message_time_role_chat_and_the_words_around(home: Path) -> None:
    out = biny("chat", "search", "noon", "--mode", "keyword", home=home).stdout
    assert "a-m2  2026-01-05 00:00  assistant  Ferries\n    the ferry leaves at noon\n" in out


def test_pages_marks_and_the_mode_are_in_json(home: Path) -> None:
    page = told(biny("chat", "search", "ferry", "--limit", "2", "--json", home=home))
    assert (page["mode"], page["next"]) == ("keyword", 2)
    assert page["notice"] == "by words only: there are no vectors yet"
    (item,) = told(biny("chat", "search", "飞书插件配置", "--json", home=home))["items"]
    assert [item["snippet"][low:high] for low, high in item["marks"]] == ["飞书插件配置"]


@pytest.mark.parametrize("words", ['"', "AND", "a*b(c", "…"])
def test_no_words_fail(home: Path, words: str) -> None:
    assert told(biny("chat", "search", words, "--json", home=home))["items"] == []


def test_a_day_that_is_none_is_said_so(home: Path) -> None:
    assert biny("chat", "search", "ferry", "--from", "soon", home=home).returncode != 0
