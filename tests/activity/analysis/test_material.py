"""What is sent of a segment: which pieces, how much of each, in which order, and when its hash changes."""

from dataclasses import replace
from itertools import pairwise

import pytest

from biny_desktop.activity.analysis.material import EVENTS_MAX, TOTAL_MAX, Material, assemble, choose
from biny_desktop.activity.analysis.material_store import SeenEvent, SeenFrame
from biny_desktop.activity.segments.model import Segment, TitleTime
from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import RedactionOptions, Redactor
from tests.activity.analysis.rig import Rig

REDACTOR = Redactor(RedactionOptions())


def red(text: str) -> RedactedText:
    return REDACTOR.plain(text)


@pytest.fixture
def segment(rig: Rig) -> Segment:
    """A segment of a hundred minutes."""
    made = rig.work()
    return replace(made, end_ms=made.start_ms + 6_000_000)


def frame(segment: Segment, number: int, minute: float, changed: int = 1, url: str | None = None) -> SeenFrame:
    at = segment.start_ms + round(minute * 60_000)
    return SeenFrame(number, at, red("Editor"), red("notes"), None if url is None else red(url), changed, True)


def text_of(material: Material, name: str) -> str:
    return next((part.text for part in material.parts if part.name == name), "")


def material(
    segment: Segment, *, frames: list[SeenFrame] | None = None, texts: list[str] | None = None,
    events: list[SeenEvent] | None = None, projects: list[str] | None = None, version: str = "1",
) -> Material:  # fmt: skip
    frames = frames or []
    shown = [(frames[n], REDACTOR.redact(text.split("\n")).text) for n, text in enumerate(texts or [])]
    known = [red(each) for each in projects or []]
    return assemble(segment, frames, shown, events or [], known, REDACTOR, version)


def test_first_and_last_come_first_and_then_what_changed_most_in_each_tenth(segment: Segment) -> None:
    frames = [frame(segment, n, n, changed=50 if n % 10 == 4 else n % 7) for n in range(100)]
    chosen = [each.id for each in choose(frames, segment)]
    assert chosen[:12] == [0, 99, 4, 14, 24, 34, 44, 54, 64, 74, 84, 94]
    assert len(chosen) == len(set(chosen))
    assert {each // 10 for each in chosen[12:]} == set(range(10)), "and then the next of each tenth"


def test_frames_without_a_text_are_no_choice(segment: Segment) -> None:
    frames = [replace(frame(segment, n, n), has_text=n in (3, 7)) for n in range(10)]
    assert [each.id for each in choose(frames, segment)] == [3, 7]
    assert choose([], segment) == []


def test_a_text_like_one_already_taken_is_left_out(segment: Segment) -> None:
    words = " ".join(f"word{n}" for n in range(40))
    frames = [frame(segment, n, n) for n in range(3)]
    found = material(segment, frames=frames, texts=[words, words + " more", "quite another page of lanterns"])
    assert set(found.sources) == {"f0", "f2"}


def test_each_text_is_cut_at_1500_characters_with_what_is_new_first(segment: Segment) -> None:
    menu = "  File Edit View Help  "
    first = "\n".join([menu, *(f"alpha line {n} of the harbour page" for n in range(80))])
    second = "\n".join([menu, *(f"beta line {n} of the lantern list" for n in range(200, 280))])
    found = material(segment, frames=[frame(segment, 1, 1), frame(segment, 2, 2)], texts=[first, second])
    one, two = text_of(found, "screens").split("\n")
    assert "f1 " in one
    assert one.index("File Edit") < one.index("alpha line 0")
    assert two.partition(" ")[2].partition(" ")[2].startswith("beta line 200"), (
        "a line that was there before comes last"
    )
    assert all(len(line) <= 1_500 + len("f1 00:00 ") for line in (one, two))


def test_screens_are_told_in_the_order_of_time_with_id_and_clock(segment: Segment) -> None:
    frames = [frame(segment, n, n) for n in (1, 90, 40)]
    texts = ["the first page of all", "the very last words there", "something else between them"]
    found = material(segment, frames=frames, texts=texts)
    assert [line.split(" ")[0] for line in text_of(found, "screens").split("\n")] == ["f1", "f40", "f90"]


def test_forty_titles_thirty_addresses_without_query_and_forty_events_evenly(segment: Segment) -> None:
    titles = tuple(TitleTime(red(f"title number {n}"), "editor", 1_000) for n in range(60))
    frames = [frame(segment, n, n, url=f"https://harbour.example/page/{n}?token=abc#part") for n in range(50)]
    events = [SeenEvent(segment.start_ms + n * 1_000, "focus", red("Editor"), red(f"window {n}")) for n in range(400)]
    found = material(replace(segment, titles=titles), frames=frames, events=events)
    lines = text_of(found, "titles").split("\n")
    assert sum(line.startswith("title ") for line in lines) == 40
    assert sum(line.startswith("address ") for line in lines) == 30
    assert not any("token" in line or "#part" in line for line in lines)
    told = [int(line.rsplit(" ", 1)[1]) for line in text_of(found, "events").split("\n")]
    assert len(told) == EVENTS_MAX
    assert (told[0], told[-1]) == (0, 399)
    assert {later - one for one, later in pairwise(told)} <= {10, 11}


def test_long_titles_and_addresses_leave_room_for_screens(segment: Segment) -> None:
    titles = tuple(TitleTime(red(f"{n} " + "very long title " * 12), "editor", 1_000) for n in range(60))
    frames = [frame(segment, n, n, url=f"https://harbour.example/{n}/" + "path/" * 60) for n in range(50)]
    events = [SeenEvent(segment.start_ms + n, "focus", red("Editor"), red("window " * 40)) for n in range(400)]
    texts = [f"page {n} " + " ".join(f"w{n}x{m}" for m in range(400)) for n in range(20)]
    found = material(
        replace(segment, titles=titles), frames=frames, texts=texts, events=events,
        projects=[f"project {n} " + "x" * 100 for n in range(20)],
    )  # fmt: skip
    assert sum(len(part.text) for part in found.parts) <= TOTAL_MAX
    assert len(found.sources) >= 4
    events_told = text_of(found, "events").split("\n")
    assert len(events_told) > 5, "fewer, but from first to last"


def test_the_hash_is_of_all_that_is_sent_but_the_projects_of_others(segment: Segment) -> None:
    frames = [frame(segment, 1, 1)]
    one = material(segment, frames=frames, texts=["a page"], projects=["Harbour"])
    assert material(segment, frames=frames, texts=["a page"], projects=["Lanterns"]).hash == one.hash
    assert material(segment, frames=frames, texts=["a page"], version="2").hash != one.hash
    assert material(segment, frames=frames, texts=["another page"]).hash != one.hash
    assert material(replace(segment, active_ms=segment.active_ms + 600_000), frames=frames, texts=["a page"]).hash != (
        one.hash
    )


def test_the_names_of_other_projects_support_no_sentence(segment: Segment) -> None:
    found = material(segment, frames=[frame(segment, 1, 1)], texts=["a page"], projects=["Lanternworks"])
    assert "Lanternworks" in text_of(found, "projects")
    assert not found.source.holds("Lanternworks")
    assert found.projects == ("Lanternworks",)
