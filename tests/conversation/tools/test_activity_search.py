"""What of the screen is told to the model, and when nothing is."""

import json

import pytest

from biny_desktop.conversation.ports import ToolAnswer
from biny_desktop.conversation.tools.activity_search import ActivitySearch, ScreenText, ScreenTextPage
from biny_desktop.core.errors import StorageError
from biny_desktop.core.settings import Settings
from tests.conversation.tools.scenes import execution, redactor, refusal, scene, settings
from tests.fakes.clock import START_MS, FakeClock

HOUR = 3_600_000


class FakeTexts:
    """Two moments, and what was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int | None, int | None, str, int]] = []
        self.page = ScreenTextPage(
            (
                _moment(7, "Editor", "plan.md", "… the budget of [hidden: email] …"),
                _moment(6, "", "", ""),
            ),
            1_000, True,
        )  # fmt: skip

    def search(
        self, query: str, *, after_ms: int | None, before_ms: int | None, app: str, limit: int
    ) -> ScreenTextPage:
        self.asked.append((query, after_ms, before_ms, app, limit))
        if query == "broken":
            raise StorageError("The database is locked")
        return self.page


def _moment(frame_id: int, app: str, title: str, snippet: str) -> ScreenText:
    plain = redactor().plain
    return ScreenText(frame_id, START_MS, "Asia/Shanghai", plain(app), plain(title), plain(snippet))


class Switch:
    """`agent.activity`, as a test sets it."""

    on = True

    def __call__(self) -> Settings:
        return settings(activity=self.on)


@pytest.fixture
def texts() -> FakeTexts:
    return FakeTexts()


@pytest.fixture
def switch() -> Switch:
    return Switch()


@pytest.fixture
def tool(texts: FakeTexts, switch: Switch) -> ActivitySearch:
    return ActivitySearch(texts, redactor, switch, FakeClock(zone="Europe/Berlin"))


def ask(tool: ActivitySearch, **arguments: object) -> ToolAnswer:
    found = tool.admit(json.dumps(arguments), scene())
    return found if isinstance(found, ToolAnswer) else tool.run(found, scene())


def test_moments_are_told_with_time_app_title_and_text(tool: ActivitySearch) -> None:
    answer = ask(tool, query="budget")
    assert answer.status == "succeeded"
    assert answer.content == (
        "1000 or more moments, 2 told:\n"
        "[frame 7] 2026-01-05 08:00:00 | Editor | plan.md\n"
        "… the budget of [hidden: email] …\n"
        "[frame 6] 2026-01-05 08:00:00"
    )


def test_days_and_times_are_those_of_the_person(tool: ActivitySearch, texts: FakeTexts) -> None:
    ask(tool, query="x", **{"from": "2026-01-05", "to": "2026-01-05"}, app="mail", limit=50)
    ask(tool, query="x", **{"from": "2026-01-05T10:00", "to": "2026-01-05 10:00Z"})
    ask(tool, query="x")
    ask(tool, query="x", **{"from": "0001-01-01T00:00"})
    assert texts.asked == [
        ("x", START_MS - HOUR, START_MS + 23 * HOUR, "mail", 50),
        ("x", START_MS + 9 * HOUR, START_MS + 10 * HOUR, "", 10),
        ("x", None, None, "", 10),
        ("x", 0, None, "", 10),
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "query: "), ({"query": ""}, "query: "), ({"query": "x" * 501}, "query: "),
        ({"query": "x", "limit": 51}, "limit"),
        ({"query": "x", "from": "soon"}, "from: is no day"), ({"query": "x", "to": "2026-13-01"}, "to: is no day"),
        ({"query": "x", "to": "9999-12-31"}, "to: is no day"), ({"query": "x", "picture": True}, "picture: "),
    ],
)  # fmt: skip
def test_bad_arguments_name_their_field(tool: ActivitySearch, arguments: dict[str, object], words: str) -> None:
    assert words in refusal(ask(tool, **arguments))


def test_nothing_found_is_said(tool: ActivitySearch, texts: FakeTexts) -> None:
    texts.page = ScreenTextPage((), 0, False)
    answer = ask(tool, query="x")
    assert (answer.status, answer.content) == ("succeeded", "Nothing on the screen held these words.")


def test_a_fault_of_the_database_is_an_answer(tool: ActivitySearch) -> None:
    assert "locked" in refusal(ask(tool, query="broken"))


def test_switched_off_meanwhile_it_tells_nothing(tool: ActivitySearch, texts: FakeTexts, switch: Switch) -> None:
    switch.on = False
    assert "switched off" in refusal(ask(tool, query="budget"))
    assert texts.asked == []


def test_the_model_is_told_of_from_and_to(tool: ActivitySearch) -> None:
    properties = tool.spec.parameters["properties"]
    assert isinstance(properties, dict)
    assert list(properties) == ["query", "from", "to", "app", "limit"]
    assert properties["from"] == {
        "type": "string", "maxLength": 40,
        "description": "From this local day or time on: 2026-03-12 or 2026-03-12T14:00.",
    }  # fmt: skip
    assert tool.effect == "read"
    assert tool.found(execution("activity_search")) == "cancelled"
