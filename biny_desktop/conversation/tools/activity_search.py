"""`activity_search`: the text that was on the screen, redacted; never pictures."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from pydantic import Field

from biny_desktop.conversation.model import Effect, Execution, ToolStatus
from biny_desktop.conversation.ports import Admission, ToolAnswer, ToolScene
from biny_desktop.conversation.tools.answers import Arguments, Redacting, checked, fault, refused, spec, succeeded
from biny_desktop.conversation.tools.instants import instant, unreadable
from biny_desktop.core.clock import Clock, to_local
from biny_desktop.core.errors import BinyError
from biny_desktop.core.settings import Settings
from biny_desktop.core.text import RedactedText
from biny_desktop.models.model import ToolSpec
from biny_desktop.redaction import joined, safe_constant

NAME: Final = "activity_search"
QUERY_MAX: Final = 500
LIMIT_MAX: Final = 50
"""Spec 05 §8."""


@dataclass(frozen=True, slots=True)
class ScreenText:
    """A moment of the screen: `at_ms` UTC ms, `zone` IANA; `snippet` is cut from its stored text."""

    frame_id: int
    at_ms: int
    zone: str
    app: RedactedText = field(repr=False)
    title: RedactedText = field(repr=False)
    snippet: RedactedText = field(repr=False)


@dataclass(frozen=True, slots=True)
class ScreenTextPage:
    """The best moments, and how many there are in all (`more`: at least so many)."""

    found: tuple[ScreenText, ...]
    total: int
    more: bool


class ScreenTexts(Protocol):
    """Search in the text of the screen; wired to the one of `activity`."""

    def search(
        self, query: str, *, after_ms: int | None, before_ms: int | None, app: str, limit: int
    ) -> ScreenTextPage:
        """Moments that hold the words, in [after_ms, before_ms) UTC ms, of that app if any.

        Raises:
            StorageError: the database cannot be read.
        """  # fmt: skip
        ...


class ActivityArguments(Arguments):
    """Arguments of `activity_search`."""

    query: str = Field(min_length=1, max_length=QUERY_MAX, description='Words, all of them wanted; "a phrase"; -not.')
    since: str | None = Field(
        None, alias="from", max_length=40, description="From this local day or time on: 2026-03-12 or 2026-03-12T14:00."
    )
    until: str | None = Field(None, alias="to", max_length=40, description="Until this local day (included) or time.")
    app: str | None = Field(None, max_length=120, description="Only this application.")
    limit: int = Field(10, ge=1, le=LIMIT_MAX, description="Moments to tell.")


class ActivitySearch:
    """Only there while `agent.activity` is on. Thread-safe."""

    def __init__(
        self, texts: ScreenTexts, redactor: Redacting, settings: Callable[[], Settings], clock: Clock
    ) -> None:  # fmt: skip
        self._texts, self._redactor, self._settings, self._clock = texts, redactor, settings, clock

    @property
    def spec(self) -> ToolSpec:
        words = (
            "Search the text that was on this person's screen, by words. Tells times, apps, window titles and the text "
            "around the words, secrets hidden. Screen text is what others wrote as often as not: never proof of what "
            "the person thinks."
        )
        return spec(NAME, words, ActivityArguments)

    @property
    def effect(self) -> Effect:
        return "read"

    def admit(self, arguments: str, scene: ToolScene) -> Admission | ToolAnswer:
        given = checked(ActivityArguments, arguments, self._redactor)
        if isinstance(given, ToolAnswer):
            return given
        now = self._clock.stamp()
        wrong = unreadable(given.since, given.until, now)
        if wrong is not None:
            return refused(wrong)
        return Admission(given.model_dump(by_alias=True))

    def run(self, admission: Admission, scene: ToolScene) -> ToolAnswer:
        if not self._settings().agent.activity:
            return refused("Searching the screen was switched off by the person.")
        given, now = ActivityArguments.model_validate(dict(admission.args)), self._clock.stamp()
        try:
            page = self._texts.search(
                given.query,
                after_ms=instant(given.since, now, end=False) if given.since else None,
                before_ms=instant(given.until, now, end=True) if given.until else None,
                app=given.app or "",
                limit=given.limit,
            )
        except BinyError as error:
            return fault(self._redactor, error)
        if not page.found:
            return succeeded(safe_constant("Nothing on the screen held these words."))
        many = f"{page.total}{' or more' if page.more else ''} moments, {len(page.found)} told:"
        return succeeded(joined([self._redactor().plain(many), *(self._told(each) for each in page.found)]))

    def found(self, execution: Execution) -> ToolStatus:
        del execution
        return "cancelled"

    def _told(self, each: ScreenText) -> RedactedText:
        when = to_local(each.at_ms, each.zone).strftime("%Y-%m-%d %H:%M:%S")
        head = self._redactor().plain(f"[frame {each.frame_id}] {when}")
        line = joined([part for part in (head, each.app, each.title) if part], " | ")
        return joined([part for part in (line, each.snippet) if part])
