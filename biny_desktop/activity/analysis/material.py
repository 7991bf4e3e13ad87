"""What a model is shown of a segment: at most 18,000 characters of redacted text, every piece with an id; no picture.

Pure but for the rows that `gather` reads. The same rows give the same text, so that its hash tells whether anything
changed (spec 03 §3).
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.analysis import material_store
from biny_desktop.activity.analysis.material_store import SeenEvent, SeenFrame
from biny_desktop.activity.claim_check import Source
from biny_desktop.activity.segments.model import Segment
from biny_desktop.core.clock import to_local
from biny_desktop.core.text import RedactedText, jaccard, words
from biny_desktop.models.prompts import Part
from biny_desktop.redaction import Redactor
from biny_desktop.storage.database import Reader

TOTAL_MAX: Final = 18_000
TITLES_MAX, TITLE_CHARS = 40, 180
URLS_MAX, URL_CHARS = 30, 140
EVENTS_MAX: Final = 40
TEXT_CHARS: Final = 1_500
TENTHS: Final = 10
APPS_MAX: Final = 10
ALIKE: Final = 0.9
PROJECTS_MAX: Final = 20
PROJECTS_MS: Final = 30 * 86_400_000
"""Numbers of spec 03 §3, input: characters, pieces, word Jaccard, days."""
TITLES_ROOM, URLS_ROOM, EVENTS_ROOM, PROJECTS_ROOM = 4_500, 3_000, 3_000, 1_200
"""Characters of each piece at most, so that a third of the whole is left for screens however long titles are (own)."""
_PER_TENTH: Final = 2
"""Texts that are looked at in each tenth, in the order of their changed tiles (own: TOTAL_MAX holds about twelve)."""


@dataclass(frozen=True, slots=True)
class Material:
    """What is sent: `parts`; `source` all that an answer may take words from (not the names of projects, which are of
    other segments); `sources` the lines by source id (`f12`); `projects` their names; `hash` of all but those."""

    parts: tuple[Part, ...]
    source: Source
    sources: Mapping[str, Source]
    projects: tuple[str, ...]
    hash: str

    def source_of(self, ids: Iterable[str]) -> Source:
        """What these sources say together."""
        named = [self.sources[each] for each in ids]
        return named[0] if len(named) == 1 else Source(tuple(line for each in named for line in each.lines))


def gather(r: Reader, segment: Segment, redactor: Redactor, prompt_version: str) -> Material:
    """Read and assemble the material of a segment."""
    frames = material_store.frames_of(r, segment.id)
    chosen = choose(frames, segment)
    texts = material_store.texts_of(r, [frame.id for frame in chosen])
    projects = material_store.projects_since(r, segment.start_ms - PROJECTS_MS, PROJECTS_MAX)
    return assemble(
        segment, frames, [(frame, texts[frame.id]) for frame in chosen if frame.id in texts],
        material_store.events_of(r, segment.id), projects, redactor, prompt_version,
    )  # fmt: skip


def choose(frames: Sequence[SeenFrame], segment: Segment) -> list[SeenFrame]:
    """Frames whose texts may be shown, most wanted first: first, last, then those with the most changed tiles of each
    tenth of the segment, one tenth after the other, so that the end of a long one is not lost."""
    read = [frame for frame in frames if frame.has_text]
    if not read:
        return []
    tenths: list[list[SeenFrame]] = [[] for _ in range(TENTHS)]
    length = max(1, segment.end_ms - segment.start_ms)
    for frame in read:
        place = (frame.at_ms - segment.start_ms) * TENTHS // length
        tenths[min(max(place, 0), TENTHS - 1)].append(frame)
    for tenth in tenths:
        tenth.sort(key=lambda frame: (-frame.changed, frame.id))
    rest = [tenth[place] for place in range(_PER_TENTH) for tenth in tenths if place < len(tenth)]
    return list({frame.id: frame for frame in (read[0], read[-1], *rest)}.values())


def assemble(
    segment: Segment, frames: Sequence[SeenFrame], texts: Sequence[tuple[SeenFrame, RedactedText]],
    events: Sequence[SeenEvent], projects: Sequence[RedactedText], redactor: Redactor, prompt_version: str,
) -> Material:  # fmt: skip
    """The material of these rows; `texts` most wanted first."""
    said: dict[str, list[str]] = {
        "header": list(_header(segment)),
        "titles": [*_fitting(_titles(segment), TITLES_ROOM), *_fitting(_urls(frames), URLS_ROOM)],
        "events": _events(segment, events),
        "projects": _fitting(projects, PROJECTS_ROOM),
    }
    left = TOTAL_MAX - sum(len(line) + 1 for lines in said.values() for line in lines)
    screens = _screens(segment, texts, left)
    said["screens"] = [f"f{frame.id} {_time(segment, frame.at_ms)} {line}" for frame, line in screens]
    parts = tuple(Part(name, redactor.redact(lines).text) for name, lines in said.items() if lines)
    shown = {part.name: part.text for part in parts}
    by_id = {
        f"f{frame.id}": Source((frame.app_name, frame.title, *line.split("\n"))) for frame, line in screens
    }  # fmt: skip
    digest = hashlib.blake2b(f"{prompt_version}\x1f".encode(), digest_size=16)
    own = {name: text for name, text in shown.items() if name != "projects"}
    for name, text in own.items():  # another segment's project is no change of this one
        digest.update(f"{name}\x1f{text}\x1e".encode())
    lines = tuple(line for text in own.values() for line in text.split("\n"))
    known = tuple(shown["projects"].split("\n")) if "projects" in shown else ()
    return Material(parts, Source(lines), by_id, known, digest.hexdigest())


def _fitting(lines: Iterable[str], room: int) -> list[str]:
    """The first lines, as many as fit."""
    out: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        out.append(line)
    return out


def _time(segment: Segment, at_ms: int) -> str:
    return f"{to_local(at_ms, segment.zone):%H:%M}"


def _header(segment: Segment) -> Iterator[str]:
    yield f"day {segment.day}, {_time(segment, segment.start_ms)} to {_time(segment, segment.end_ms)} {segment.zone}"
    yield f"active {round(segment.active_ms / 60_000)} min of {round(segment.length_ms / 60_000)} min, {segment.kind}"
    for app in segment.apps[:APPS_MAX]:
        yield f"app {app.app_name or app.app_id}: {round(app.ms / 60_000)} min"


def _titles(segment: Segment) -> Iterator[str]:
    for each in segment.titles[:TITLES_MAX]:
        yield f"title {round(each.ms / 1000)} s: {each.title[:TITLE_CHARS]}"


def _urls(frames: Sequence[SeenFrame]) -> list[str]:
    """Host and path of each address once, with the title it was first seen with."""
    seen: dict[str, str] = {}
    for frame in frames:
        if frame.url:
            bare = frame.url.split("?", 1)[0].split("#", 1)[0][: 2 * URL_CHARS]
            seen.setdefault(bare, f"address {bare} {frame.title[:URL_CHARS]}".rstrip())
    return list(seen.values())[:URLS_MAX]


def _events(segment: Segment, events: Sequence[SeenEvent]) -> list[str]:
    """At most 40, evenly from first to last; fewer, as evenly, where they are too long."""
    count = min(EVENTS_MAX, len(events))
    while count:
        chosen = (events[number * (len(events) - 1) // max(1, count - 1)] for number in range(count))
        lines = [
            f"{_time(segment, each.at_ms)} {each.kind} {each.app_name} {each.title[:TITLE_CHARS]}".rstrip()
            for each in chosen
        ]  # fmt: skip
        if sum(len(line) + 1 for line in lines) <= EVENTS_ROOM:
            return lines
        count -= 1
    return []


def _screens(
    segment: Segment, texts: Sequence[tuple[SeenFrame, RedactedText]], left: int
) -> list[tuple[SeenFrame, str]]:
    """The texts that fit, in the order of time; one that is like one already taken is left out."""
    taken: list[tuple[SeenFrame, str]] = []
    bags: list[frozenset[str]] = []
    known: set[str] = set()
    for frame, text in texts:
        bag = words(text)
        if not bag or any(jaccard(bag, other) > ALIKE for other in bags):
            continue
        line = _new_first(text, known)[:TEXT_CHARS]
        cost = len(line) + len(f"f{frame.id} 00:00 ") + 1
        if cost > left:
            continue
        left -= cost
        bags.append(bag)
        known.update(each.strip() for each in text.split("\n"))
        taken.append((frame, line))
    return sorted(taken, key=lambda each: each[0].id)


def _new_first(text: str, known: set[str]) -> str:
    """The lines that no text before held, then the others, on one line."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return " / ".join([line for line in lines if line not in known] + [line for line in lines if line in known])
