"""Segments that belong together: by project, else by like words of title and entities; pure (spec 03 §5, Groups).

A segment is compared with the one that began a group, not with all of it: groups do not creep from subject to subject,
and with an index of words a thousand segments take no longer than their shared words do.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.segments.model import Segment
from biny_desktop.activity.segments.titles import without_app
from biny_desktop.core.text import normalise, words

ALIKE: Final = 0.18
"""Jaccard of words from which two segments are about the same (spec 03 §5)."""
SHORT_MS: Final = 180_000
"""A single segment below this without entities goes to "Other" (spec 03 §5)."""
_NUMBERED: Final = ("prs", "issues", "identifiers")
"""Entities that name a piece of work: pull requests, issues, documents."""
_NUMBER: Final = re.compile(r"(?<![\w#&/])#\d{1,7}\b")
_EMPTY: Final = "a an the of and or to in on for with at by from is new tab page untitled window home file edit view"
_EMPTY_WORDS: Final = frozenset(_EMPTY.split())
_PARTS: Final = re.compile(r"\s+[-–—|·]\s+|:\s+")
_MOST: Final = 0.6
"""Share of a group's time from which a title, or a part of titles, names it."""


@dataclass(frozen=True, slots=True)
class Group:
    """Segments of one subject, oldest first. `name` is a project or the title of the longest; empty for "Other"."""

    name: str
    segments: tuple[Segment, ...]
    numbers: tuple[str, ...]
    """Numbers of pull requests, issues and documents named in it, most often first."""

    @property
    def ms(self) -> int:
        """How long, ms."""
        return sum(length_of(segment) for segment in self.segments)

    @property
    def longest(self) -> Segment:
        """Its longest segment."""
        return max(self.segments, key=lambda segment: (length_of(segment), -segment.id))


def length_of(segment: Segment) -> int:
    """What counts as its time: active, and for watching what was watched, ms."""
    return segment.length_ms if segment.kind == "watching" else segment.active_ms


def shown(segments: Iterable[Segment]) -> list[Segment]:
    """Those a report tells of: neither private nor hidden nor trivial."""
    return [each for each in segments if each.kind != "private" and not each.hidden and not each.trivial]


def plain_title(segment: Segment) -> str:
    """Its title; from one made by rule the app's name is taken, since it is told beside it."""
    title = segment.title.strip()
    if segment.title_by != "rule" or not segment.apps:
        return title or segment.apps[0].app_name if segment.apps else title
    app = segment.apps[0].app_name or segment.apps[0].app_id
    title = title.removeprefix(f"{app} – ").strip()
    title = without_app(title, app)
    return title or app


def numbers_of(segment: Segment) -> tuple[str, ...]:
    """Numbers of pull requests, issues and documents: those the analysis found, and `#n` in the title."""
    entities = segment.analysis.entities or {}
    found = [each for kind in _NUMBERED for each in entities.get(kind, ()) if any(char.isdigit() for char in each)]
    return tuple(dict.fromkeys([*found, *_NUMBER.findall(segment.title)]))


def grouped(segments: Sequence[Segment]) -> tuple[Group, ...]:
    """The groups of `shown` segments: those with numbers first, then by time; "Other" last. Equal in, equal out."""
    by_project: dict[str, list[Segment]] = defaultdict(list)
    free: list[Segment] = []
    for segment in segments:
        if segment.project and segment.project.strip():
            by_project[normalise(segment.project).strip()].append(segment)
        else:
            free.append(segment)
    free = [each for each in free if not _joins(each, by_project)]
    groups = [_group(_name_of_project(members), members) for members in by_project.values()]
    other: list[Segment] = []
    for members in _alike(free):
        if len(members) == 1 and length_of(members[0]) < SHORT_MS and not _has_entities(members[0]):
            other += members
        else:
            groups.append(_group("", members))
    groups.sort(key=lambda group: (not group.numbers, -group.ms, group.segments[0].start_ms, group.segments[0].id))
    if other:
        groups.append(Group("", tuple(sorted(other, key=_when)), ()))
    return tuple(groups)


def _group(name: str, members: Iterable[Segment]) -> Group:
    ordered = tuple(sorted(members, key=_when))
    counts = Counter(number for segment in ordered for number in numbers_of(segment))
    numbers = tuple(sorted(counts, key=lambda number: (-counts[number], number)))
    return Group(name or _name_of_titles(ordered) or "…", ordered, numbers)


def _joins(segment: Segment, by_project: dict[str, list[Segment]]) -> bool:
    """Put a segment without a project into one that stands in its title: "storage.py – harbour" into "harbour"."""
    project = next((part for part in reversed(_parts(segment)) if part in by_project), None)
    if project is not None:
        by_project[project].append(segment)
    return project is not None


def _parts(segment: Segment) -> list[str]:
    return [normalise(part).strip() for part in _PARTS.split(plain_title(segment))]


def _name_of_titles(members: Sequence[Segment]) -> str:
    """The title that most of the time has; else the part that most titles share; else the longest one's title."""
    whole: Counter[str] = Counter()
    parts: Counter[str] = Counter()
    spelled: dict[str, str] = {}
    for segment in members:
        title, spent = plain_title(segment), length_of(segment) + 1
        whole[title] += spent
        for part in dict.fromkeys(each.strip() for each in _PARTS.split(title)):
            parts[normalise(part)] += spent
            spelled.setdefault(normalise(part), part)
    enough = _MOST * sum(whole.values())
    title = max(sorted(whole), key=lambda each: whole[each])
    part = max(sorted(parts), key=lambda each: parts[each])
    if whole[title] >= enough or parts[part] < enough:
        return title if whole[title] >= enough else plain_title(Group("", tuple(members), ()).longest)
    return spelled[part]


def _name_of_project(members: Sequence[Segment]) -> str:
    """The spelling that most of the time has."""
    spent: Counter[str] = Counter()
    for segment in members:
        spent[(segment.project or "").strip()] += length_of(segment) + 1
    return max(sorted(spent), key=lambda name: spent[name])


def _alike(segments: Sequence[Segment]) -> list[list[Segment]]:
    groups: list[list[Segment]] = []
    leaders: list[frozenset[str]] = []
    by_word: dict[str, list[int]] = defaultdict(list)
    for segment in sorted(segments, key=lambda each: (-length_of(each), *_when(each))):
        told = _words_of(segment)
        common = Counter(place for word in told for place in by_word[word])
        best = max(
            ((n / (len(told) + len(leaders[place]) - n), -place) for place, n in common.items()), default=(0.0, 0)
        )
        if best[0] >= ALIKE:
            groups[-best[1]].append(segment)
            continue
        for word in told:
            by_word[word].append(len(groups))
        groups.append([segment])
        leaders.append(told)
    return groups


def _words_of(segment: Segment) -> frozenset[str]:
    entities = segment.analysis.entities or {}
    named = [each for values in entities.values() for each in values]
    told = words(" ".join([plain_title(segment), *named, *numbers_of(segment)]))
    apps = words(" ".join(app.app_name for app in segment.apps))
    return frozenset(word for word in told if len(word) > 1 and word not in _EMPTY_WORDS) - apps


def _has_entities(segment: Segment) -> bool:
    return any((segment.analysis.entities or {}).values()) or bool(numbers_of(segment))


def _when(segment: Segment) -> tuple[int, int]:
    return segment.start_ms, segment.id
