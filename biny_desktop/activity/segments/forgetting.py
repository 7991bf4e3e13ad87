"""A segment without what was deleted under it: words that stand nowhere else, apps, titles, sources; pure.

A model's sentence may quote a screen. Once a frame is deleted, every field is dropped that holds a word of it which no
remaining row of the segment holds; the others stay, marked stale. What the person wrote themselves is theirs.
"""

from collections.abc import Callable, Set
from dataclasses import dataclass, replace
from typing import Final

from biny_desktop.activity.segments.model import Analysis, Highlight, Segment
from biny_desktop.activity.segments.parts import Seen
from biny_desktop.activity.segments.titles import rule_title
from biny_desktop.core.text import index_text

_ASKED: Final = frozenset({"analysed", "not_worth", "failed"})


def words_of(text: str) -> set[str]:
    """The words of a text as the index has them: folded, pairs of characters in CJK runs."""
    return {word for word in _split(index_text(text)) if word}


def _split(text: str) -> list[str]:
    return "".join(char if char.isalnum() else " " for char in text).split()


@dataclass(frozen=True, slots=True)
class Lost:
    """What went: frames, the apps and (title, app) of all rows, and the words that no row holds any more."""

    frames: Set[int]
    apps: Set[str]
    titles: Set[tuple[str, str]]
    words: Set[str]

    def quoted(self, text: str | None) -> bool:
        """Whether a text holds a word that is lost."""
        return bool(text and self.words and not self.words.isdisjoint(words_of(text)))


def without(segment: Segment, lost: Lost, seen: Seen) -> Segment:
    """The segment after rows of it were deleted; `seen` is what its remaining rows show.

    The time of an app that is in no row any more is no active time any more.
    """
    apps = tuple(app for app in segment.apps if app.app_id not in lost.apps or seen.apps.get(app.app_id))
    titles = tuple(
        each for each in segment.titles
        if each.app_id in {app.app_id for app in apps}
        and ((each.title, each.app_id) not in lost.titles or seen.titles.get((each.title, each.app_id)))
        and not lost.quoted(each.title)
    )  # fmt: skip
    gone_ms = min(segment.active_ms, sum(app.ms for app in segment.apps) - sum(app.ms for app in apps))
    said = _said(segment.analysis, lost)
    project = segment.project
    if project is not None and "project" not in segment.edited and lost.quoted(project):
        project = None
    left = replace(
        segment, apps=apps, titles=titles, active_ms=segment.active_ms - gone_ms, idle_ms=segment.idle_ms + gone_ms,
        analysis=said, project=project, stale=segment.stale or segment.status in _ASKED,
    )  # fmt: skip
    if left.title_by == "rule" or (left.title_by == "model" and lost.quoted(left.title)):
        left = replace(left, title=rule_title(left.kind, left.apps, left.titles), title_by="rule")
    return left


def _said(said: Analysis, lost: Lost) -> Analysis:
    def kept(text: str) -> str:
        return "" if lost.quoted(text) else text

    highlights = []
    for each in said.highlights:
        sources = tuple(n for n in each.frame_ids if n not in lost.frames)
        if sources and not lost.quoted(each.text):
            highlights.append(Highlight(each.text, sources))
    entities = {
        kind: left
        for kind, found in (said.entities or {}).items()
        if (left := tuple(each for each in found if not lost.quoted(each)))
    }
    return replace(
        said, description=kept(said.description), summary=kept(said.summary), worth_why=kept(said.worth_why),
        topics=tuple(each for each in said.topics if not lost.quoted(each)), highlights=tuple(highlights),
        entities=entities,
    )  # fmt: skip


def all_of_app(app_id: str) -> Callable[[Segment], Lost]:
    """What a segment loses when every row of an app is gone everywhere; its own rows may not even have named it."""

    def lost(segment: Segment) -> Lost:
        titles = {(each.title, each.app_id) for each in segment.titles if each.app_id == app_id}
        return Lost(frozenset(), {app_id}, titles, frozenset())

    return lost
