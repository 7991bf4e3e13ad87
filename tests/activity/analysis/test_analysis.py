"""A model's account of a segment: what is asked when, what is kept of the answer, and what happens when none comes."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from biny_desktop.activity.analysis import analysis
from biny_desktop.activity.analysis.analysis import SWEEP
from biny_desktop.activity.analysis.offers import Offers
from biny_desktop.activity.analysis.ports import FactOutcome
from biny_desktop.activity.deletes import Selection
from biny_desktop.activity.segments import store
from biny_desktop.core.errors import NotFoundError, UnavailableError
from biny_desktop.core.events import AnalysisAsked, SegmentAnalysed
from tests.activity.analysis.rig import Rig, said
from tests.fakes.model_server import ModelServer, Request

MINUTE_MS = 60_000


def test_an_account_is_kept_and_found(rig: Rig) -> None:
    segment = rig.work()
    rig.server.answer(said())
    done = rig.analysis.sweep()
    assert (done.analysed, done.failed, done.waiting) == (1, 0, "")
    now = rig.now(segment)
    assert (now.title, now.title_by, now.status) == ("Read pull request #42", "model", "analysed")
    assert now.project == "SQLite"
    assert now.analysis.summary == "Pull request #42 was read. After it a timetable was open."
    assert now.analysis.entities == {
        "prs": ("#42",), "versions": ("3.54.0",), "urls": ("https://harbour.example/minutes",)
    }  # fmt: skip
    assert [each.text for each in now.analysis.highlights] == ["Backups run every night at 02:00"]
    assert (now.analysis.tier, now.analysis.model, now.revision) == ("important", "tiny", segment.revision + 1)
    assert [hit.segment.id for hit in rig.home.segment_search.search("timetable").hits] == [segment.id]
    assert rig.home.segment_index_is_whole()


def test_only_redacted_text_of_the_segment_is_sent_with_ids_and_no_picture(rig: Rig) -> None:
    rig.work("password: Tr0ub4dor-and-3", "the meeting about the budget is on Friday", "call 4111 1111 1111 1111 now")
    rig.server.answer(said())
    rig.analysis.sweep()
    sent = rig.server.said()
    assert "Tr0ub4dor" not in json.dumps(rig.server.requests)
    assert "4111 1111" not in sent
    assert "f1 " in sent
    assert "budget" in sent
    assert "image" not in json.dumps(rig.server.requests)


def test_what_has_not_changed_is_not_asked_again(rig: Rig) -> None:
    segment = rig.work()
    rig.server.always(said())
    rig.analysis.sweep()
    with rig.home.db.write() as w:
        store.update(w, replace(rig.now(segment), stale=True), 1)
    assert rig.analysis.sweep().unchanged == 1
    assert rig.analysis.sweep().unchanged == 0, "and it is not stale any more"
    assert len(rig.server.requests) == 1


def test_late_text_brings_a_new_account(rig: Rig) -> None:
    segment = rig.work()
    rig.server.always(said())
    rig.analysis.sweep()
    late_page(rig, "A late page about copper lanterns and their prices")
    assert rig.now(segment).stale
    rig.server.always(said(title="Read about copper lanterns"))
    assert rig.analysis.sweep().analysed == 1
    assert "copper lanterns" in rig.server.said()
    assert (rig.now(segment).title, rig.now(segment).stale) == ("Read about copper lanterns", False)


def test_invented_names_and_numbers_go_and_the_title_by_rule_stays(rig: Rig) -> None:
    segment = rig.work()
    rig.server.answer(
        said(
            title="Reviewed pull request #43 by Ilse Marek",
            summary="Pull request #43 was read. Pull request #42 was read. It was sent to Ilse Marek.",
            project="Lanternworks",
            entities={"prs": ["#43", "#42"], "people": ["Ilse Marek"], "urls": ["https://evil.example/x", "ftp://a.b"]},
            highlights=[
                {"text": "Backups run every night at 03:00", "sources": ["f1"]},
                {"text": "Backups run every night", "sources": ["f999"]},
            ],
        )
    )
    rig.analysis.sweep()
    now = rig.now(segment)
    assert (now.title, now.title_by) == (segment.title, "rule")
    assert now.analysis.summary == "Pull request #42 was read."
    assert now.project is None
    assert now.analysis.entities == {"prs": ("#42",)}
    assert now.analysis.highlights == ()


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ({"text": "I am sorry, I cannot see any screen."}, "invalid_json"),
        ({"text": "[]"}, "invalid_shape"),
        ({"text": ""}, "empty"),
        ({"text": "<think>hm</think>"}, "empty"),
        ({"text": "", "reasoning": "a long thought"}, "empty"),
        ({"text": "", "refusal": "I cannot help with that."}, "refused"),
        ({"text": '{"title": "a", "summ', "finish_reason": "length"}, "truncated"),
        ({"status": 401}, "http"),
        ({"status": 429}, "http"),
        ({"status": 500}, "http"),
        ({"cut_after": 1, "text": said()}, "http"),
        ({"text": json.dumps({"start": "24:00", "end": "09:00"})}, "invalid_shape"),
        ({"text": json.dumps({"title": "", "summary": None})}, "invalid_shape"),
    ],
)
def test_failure_is_recorded_and_nothing_is_made_up(rig: Rig, reply: dict, reason: str) -> None:
    segment = rig.work()
    rig.server.always(**reply)
    for number, wait in enumerate((0, 10, 20), 1):
        rig.home.clock.advance(wait * MINUTE_MS - 1_000)
        if wait:
            assert rig.analysis.sweep().failed == 0, "too early"
        rig.home.clock.advance(2_000)
        done = rig.analysis.sweep()
        assert (done.failed, done.given_up) == (1, int(number == 3))
        assert (rig.now(segment).tries, rig.now(segment).reason) == (number, reason)
    now = rig.now(segment)
    assert (now.status, now.title, now.title_by) == ("failed", segment.title, "rule")
    rig.home.clock.advance(24 * 60 * MINUTE_MS)
    assert rig.analysis.sweep().failed == 0, "three tries and no more"
    assert [each.id for each in rig.analysis.failures()] == [segment.id]
    assert rig.outcomes(segment) == []

    rig.server.always(said())
    asked: list[int] = []
    rig.home.events.subscribe(AnalysisAsked, lambda event: asked.append(event.segment_id))
    rig.analysis.retry(segment.id)
    assert asked == [segment.id], "so that the app need not wait for the next round"
    assert rig.analysis.sweep().analysed == 1
    assert rig.analysis.failures() == ()


@pytest.mark.parametrize("wrap", ["```json\n{}\n```", "<think>let me see</think>{}", "Here you are:\n{}", "double"])
def test_a_good_answer_in_odd_wrapping_is_read(rig: Rig, wrap: str) -> None:
    segment = rig.work()
    rig.server.answer(json.dumps(said()) if wrap == "double" else wrap.replace("{}", said()))
    assert rig.analysis.sweep().analysed == 1
    assert rig.now(segment).status == "analysed"


def test_an_account_in_another_language_is_held_to_the_same_text(rig: Rig) -> None:
    segment = rig.work("讨论预算草稿 #42", "渡船九点十五分离港")
    rig.server.answer(said(title="讨论预算草稿", summary="讨论了预算草稿 #42。之后给王小明写了 3 封信。", project=None))
    rig.analysis.sweep()
    now = rig.now(segment)
    assert (now.title, now.analysis.summary) == ("讨论预算草稿", "讨论了预算草稿 #42。")


def test_a_server_that_is_gone_costs_one_try_of_one_segment(rig: Rig) -> None:
    segments = [rig.work(), rig.work("another page about a quite different harbour"), rig.work("a third page")]
    rig.server.always(status=500)
    assert rig.analysis.sweep().failed == 1
    assert [rig.now(each).tries for each in segments] == [0, 0, 1], "newest first, and the rest is spared"


def test_without_a_model_segments_wait_and_come_back(tmp_path: Path, model_server: ModelServer) -> None:
    rig = Rig(tmp_path, model_server, model=False)
    old = rig.work()
    rig.home.clock.advance(8 * 24 * 60 * MINUTE_MS)
    new = rig.work("a page of this week about the harbour")
    assert rig.analysis.sweep().waiting == "no_model"
    assert [rig.now(each).status for each in (old, new)] == ["skipped_no_model"] * 2
    rig.set(model=True)
    rig.server.always(said())
    assert rig.analysis.sweep().analysed == 1
    assert [rig.now(each).status for each in (old, new)] == ["skipped_no_model", "analysed"]
    rig.set(model=True, analysis=False)
    assert rig.analysis.sweep().waiting == "off"
    rig.home.close()


def test_what_the_person_wrote_stays(rig: Rig) -> None:
    segment = rig.work()
    edits = rig.home.segment_edits
    renamed = edits.rename(segment.id, "My own title", segment.revision)
    edits.set_project(segment.id, "My project", renamed.revision)
    rig.server.answer(said())
    rig.analysis.sweep()
    now = rig.now(segment)
    assert (now.title, now.title_by, now.project) == ("My own title", "user", "My project")
    assert now.analysis.summary


def test_borders_and_words_of_the_person_stay_through_split_late_text_rebuild_and_new_account(rig: Rig) -> None:
    segment = rig.work()
    edits = rig.home.segment_edits
    noted = edits.annotate(segment.id, "mine", segment.revision)
    edits.split(segment.id, segment.start_ms + 3 * MINUTE_MS, noted.revision)
    rig.server.always(said())
    rig.home.clock.advance(11 * MINUTE_MS)
    rig.analysis.sweep()
    parts = rig.home.segments.list(segment.start_ms, segment.end_ms)
    borders = [(each.start_ms, each.end_ms, each.note) for each in parts]
    assert len(borders) == 2
    late_page(rig, "A late page about copper lanterns and their prices")
    rig.home.keeper.rebuild(segment.day)
    rig.analysis.sweep()
    parts = rig.home.segments.list(segment.start_ms, segment.end_ms)
    assert [(each.start_ms, each.end_ms, each.note) for each in parts] == borders
    assert {each.status for each in parts} == {"analysed"}


def test_an_answer_that_comes_after_a_delete_is_dropped(rig: Rig) -> None:
    segment = rig.work()

    def delete_meanwhile(_request: Request) -> str:
        rig.home.deletes.run(Selection.of_frames(rig.home.timeline.frames(limit=1).frames[0].id))
        return said()

    rig.server.answer(delete_meanwhile)
    done = rig.analysis.sweep()
    assert (done.analysed, done.dropped) == (0, 1)
    assert (rig.now(segment).status, rig.now(segment).tries) == ("pending", 0)
    assert rig.outcomes(segment) == []


def test_an_answer_for_a_segment_that_changed_is_dropped(rig: Rig) -> None:
    segment = rig.work()

    def change(_request: Request) -> str:
        with rig.home.db.write() as w:
            w.run("UPDATE frame_text SET text = text || ' more of it', revision = revision + 1")
        return said()

    rig.server.answer(change)
    assert rig.analysis.sweep().dropped == 1
    assert rig.now(segment).status == "pending"


def test_a_sweep_ends_when_somebody_needs_the_machine(rig: Rig) -> None:
    for number in range(3):
        rig.work(f"page {number} about the harbour", title=f"page {number}")
    rig.server.always(said())
    left = iter([True] * 1)
    done = rig.analysis.sweep(lambda: next(left, False))
    assert (done.analysed, done.failed) == (0, 0)
    assert rig.analysis.sweep().analysed == 3


def test_a_call_of_a_model_on_this_machine_makes_way_and_one_elsewhere_is_not_asked_twice(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(2):
        rig.work(f"page {number} about the harbour", title=f"page {number}")
    rig.server.answer(hang=True).always(said(title="Looked at a page"))
    done = rig.analysis.sweep(quiet=lambda: not rig.server.requests)
    assert (done.analysed, done.failed, done.cut_off) == (0, 0, True)
    monkeypatch.setattr(rig.client, "is_here", lambda _slot: False)
    asked = len(rig.server.requests)
    done = rig.analysis.sweep(quiet=lambda: len(rig.server.requests) == asked)
    assert (done.analysed, done.cut_off) == (1, True), "the call is heard to its end, the next is not begun"
    assert rig.analysis.sweep(quiet=lambda: False).cut_off


def test_a_sweep_asks_about_ten_at_most_newest_first_with_pauses(rig: Rig) -> None:
    segments = [rig.work(f"page {number} about lamps", title=f"page {number}") for number in range(SWEEP + 1)]
    rig.server.always(said(title="Looked at a page"))
    rig.home.clock.waits.clear()
    assert rig.analysis.sweep().analysed == SWEEP
    assert rig.home.clock.waits.count(3.0) == SWEEP - 1
    assert rig.now(segments[0]).status == "pending"


def test_seven_candidates_of_which_four_may_not_be_offered(rig: Rig) -> None:
    segment = rig.work()
    texts = [
        ("project", "Backups run every night at 02:00.", ["f1"]),
        ("user", "The person likes the ferry.", ["f1"]),
        ("feedback", "The person wants shorter answers.", ["f1"]),
        ("project", "It is reading the page cache.", ["f1"]),
        ("reference", "The ferry leaves at 09:15.", []),
        ("reference", "The ferry to Harbour Point leaves at 09:15.", ["f1"]),
        ("project", "Pull request #42 reads the page cache.", ["f1"]),
        ("project", "BACKUPS run every night at 02:00", ["f1"]),
        ("project", "Backups run every night at 04:00.", ["f1"]),
    ]
    candidates = [{"kind": kind, "content": text, "sources": ids} for kind, text, ids in texts]
    rig.server.answer(said(candidates=candidates))
    rig.analysis.sweep()
    assert rig.outcomes(segment) == [
        ("added", ""), ("rejected", "not_from_screen"), ("rejected", "not_from_screen"), ("rejected", "narration"),
        ("rejected", "no_source"), ("added", ""), ("added", ""), ("rejected", "repeat"), ("rejected", "not_in_source"),
    ]  # fmt: skip
    assert [fact.key for fact in rig.takers.facts] == [f"segment:{segment.id}:{n}" for n in (1, 6, 7)]
    of_segment, of_frame = rig.takers.facts[0].anchors
    assert (of_segment.kind, of_segment.ref) == ("segment", str(segment.id))
    frame = rig.home.timeline.frame(1).frame
    assert (of_frame.kind, of_frame.ref, of_frame.observed_at_ms) == ("frame", "1", frame.at_ms)


def test_personal_candidates_pass_only_when_wanted_and_at_most_as_many_as_set(rig: Rig) -> None:
    rig.set(personal_candidates=True, max_candidates=1)
    segment = rig.work()
    both = [
        {"kind": "user", "content": "The ferry leaves at 09:15.", "sources": ["f1"]},
        {"kind": "project", "content": "Backups run every night at 02:00.", "sources": ["f1"]},
    ]
    rig.server.answer(said(candidates=both))
    rig.analysis.sweep()
    assert rig.outcomes(segment) == [("added", ""), ("rejected", "over_limit")]


def test_the_key_of_an_offer_whose_source_was_deleted_is_not_given_to_another(rig: Rig) -> None:
    segment = rig.work()
    rig.server.answer(said())
    rig.analysis.sweep()
    frame = late_page(rig, "A late page: lanterns are sold on Mondays")
    rig.home.deletes.run(Selection.of_frames(1))
    assert rig.outcomes(segment) == []
    rig.server.answer(said(candidates=[{"kind": "project", "content": "Lanterns are sold.", "sources": [f"f{frame}"]}]))
    rig.analysis.sweep()
    assert len(rig.takers.facts) == 2
    assert len({fact.key for fact in rig.takers.facts}) == 2


def test_nothing_is_offered_of_what_is_not_worth_it(rig: Rig) -> None:
    segment = rig.work()
    rig.server.answer(said(worth=False))
    rig.analysis.sweep()
    assert (rig.now(segment).status, rig.outcomes(segment)) == ("not_worth", [])


def test_offers_wait_without_a_taker_and_deferred_ones_are_tried_again(rig: Rig) -> None:
    segment = rig.work()
    waiting = rig.with_offers(Offers(rig.home.db, rig.home.clock))
    rig.server.answer(said())
    waiting.sweep()
    assert rig.outcomes(segment) == [("waiting", "")]
    rig.takers.outcomes = [FactOutcome("deferred", "no_index"), FactOutcome("duplicate", "near", "fact-9")]
    rig.analysis.sweep()
    assert rig.outcomes(segment) == [("deferred", "no_index")]
    rig.analysis.sweep()
    rig.analysis.sweep()
    assert rig.outcomes(segment) == [("duplicate", "near")]
    assert len({fact.key for fact in rig.takers.facts}) == 1
    assert len(rig.takers.facts) == 2


def test_terms_go_out_once_and_only_what_stands_in_the_text(rig: Rig) -> None:
    segment = rig.work()
    rig.server.always(said(topics=["page cache", "Lanternworks"]))
    rig.analysis.sweep()
    terms = {term.term for term in rig.takers.terms}
    assert terms == {"SQLite", "page cache", "#42", "3.54.0"}
    assert {term.day for term in rig.takers.terms} == {segment.day}
    rig.analysis.retry(segment.id)
    rig.analysis.sweep()
    assert len(rig.takers.terms) == len(terms)


def test_a_term_spelled_otherwise_is_no_new_one_and_one_nobody_took_goes_with_its_account(rig: Rig) -> None:
    segment = rig.work()
    waiting = rig.with_offers(Offers(rig.home.db, rig.home.clock))
    rig.server.answer(said(topics=["ferry", "timetable"]))
    waiting.sweep()
    waiting.retry(segment.id)
    rig.server.answer(said(topics=["page cache"], entities={}))
    rig.analysis.sweep()
    assert {term.term for term in rig.takers.terms} == {"SQLite", "page cache"}
    rig.analysis.retry(segment.id)
    rig.server.answer(said(project="sqlite", topics=["Page cache"], entities={}))
    rig.analysis.sweep()
    assert len(rig.takers.terms) == 2


def test_topics_and_highlights_have_their_limits(rig: Rig) -> None:
    segment = rig.work()
    rig.server.answer(
        said(
            topics=["page", "cache", "ferry", "night", "backups", "harbour", "x" * 41],
            highlights=[
                {"text": f"Backups run every night {'so ' * n}", "sources": ["f1", "F1", "f9"]} for n in range(5)
            ],
        )
    )
    rig.analysis.sweep()
    said_now = rig.now(segment).analysis
    assert said_now.topics == ("page", "cache", "ferry", "night", "backups")
    assert [each.frame_ids for each in said_now.highlights] == [(1,)] * 3


def test_long_texts_are_cut_at_a_sentence(rig: Rig) -> None:
    segment = rig.work()
    rig.server.answer(
        said(title="Read pages. " + "and more " * 20, description="It went on. " * 90, summary="It was read. " * 100)
    )
    rig.analysis.sweep()
    now = rig.now(segment)
    assert len(now.title) <= 80
    assert len(now.analysis.description) <= 800
    assert now.analysis.description.endswith("It went on.")
    assert len(now.analysis.summary) <= 1_000
    assert now.analysis.summary.endswith("It was read.")


def test_what_the_model_leaves_out_has_its_default(rig: Rig) -> None:
    segment = rig.work()
    rig.server.answer(json.dumps({"title": "Read a page", "summary": "A page was read.", "tier": "great", "worth": 1,
                                  "confidence": 7, "is_meeting": "yes"}))  # fmt: skip
    rig.analysis.sweep()
    now = rig.now(segment)
    found = (now.analysis.worth, now.analysis.is_meeting, now.analysis.tier, now.analysis.confidence)
    assert (now.status, found) == ("not_worth", (False, False, "standard", 0.0))


def test_a_project_of_another_segment_may_be_named_but_supports_no_sentence_and_is_no_term(rig: Rig) -> None:
    other = rig.work("quite another page", title="plans.txt")
    rig.home.segment_edits.set_project(other.id, "Lanternworks", other.revision)
    rig.server.answer(said())
    rig.analysis.sweep()
    segment = rig.work(title="more.txt")
    rig.server.answer(said(project="lanternworks", summary="Lanternworks was planned. A page was read."))
    rig.analysis.sweep()
    assert "Lanternworks" in rig.server.said()
    now = rig.now(segment)
    assert (now.project, now.analysis.summary) == ("Lanternworks", "A page was read.")
    assert "lanternworks" not in {term.term.casefold() for term in rig.takers.terms if term.segment_id == segment.id}


def late_page(rig: Rig, text: str) -> int:
    """A text that is read long after its frame was taken; the frame."""
    frame = rig.home.timeline.frames(limit=500).frames[-2].id
    rig.home.queue_nothing(frame)
    with rig.home.db.write() as w:
        w.run("UPDATE frames SET picture_id = (SELECT max(id) FROM pictures) WHERE id = :id", {"id": frame})
    rig.home.read(frame, text)
    rig.home.keeper.catch_up(lambda: True)
    return frame


def fail_three_times(rig: Rig) -> None:
    rig.server.always("no JSON")
    for _ in range(3):
        rig.analysis.sweep()
        rig.home.clock.advance(21 * MINUTE_MS)


def test_a_failed_one_is_asked_about_anew_when_its_text_changes_and_not_before(rig: Rig) -> None:
    segment = rig.work()
    fail_three_times(rig)
    assert rig.now(segment).status == "failed"
    asked = len(rig.server.requests)
    with rig.home.db.write() as w:
        store.update(w, replace(rig.now(segment), stale=True), 1)
    assert rig.analysis.sweep().unchanged == 1
    assert len(rig.server.requests) == asked
    late_page(rig, "A late page about copper lanterns and their prices")
    assert rig.analysis.sweep().failed == 1
    assert (rig.now(segment).status, rig.now(segment).tries) == ("pending", 1), "with all its tries"
    rig.server.always(said())
    rig.home.clock.advance(11 * MINUTE_MS)
    assert rig.analysis.sweep().analysed == 1


def test_a_failed_one_is_asked_about_anew_after_a_part_of_it_was_deleted(rig: Rig) -> None:
    segment = rig.work()
    late_page(rig, "A late page about copper lanterns and their prices")
    fail_three_times(rig)
    rig.home.deletes.run(Selection.of_frames(1))
    rig.home.keeper.catch_up(lambda: True)
    rig.server.always(said(title="Read about copper lanterns"))
    assert rig.analysis.sweep().analysed == 1
    assert rig.now(segment).title == "Read about copper lanterns"


def test_an_account_that_cannot_be_renewed_stays_with_its_borders_and_says_why(rig: Rig) -> None:
    segment = rig.work()
    rig.server.answer(said())
    rig.analysis.sweep()
    late_page(rig, "A late page about copper lanterns and their prices")
    fail_three_times(rig)
    now = rig.now(segment)
    assert (now.status, now.reason, now.title) == ("failed", "invalid_json", "Read pull request #42")
    rig.home.keeper.rebuild(segment.day)
    now = rig.now(segment)
    assert (now.start_ms, now.end_ms, now.status) == (segment.start_ms, segment.end_ms, "failed")


def test_a_title_of_an_older_account_gives_way_to_the_rule_when_the_new_one_is_invented(rig: Rig) -> None:
    segment = rig.work()
    rig.server.answer(said()).answer(said(title="Wrote to Ilse Marek"))
    rig.analysis.sweep()
    rig.analysis.retry(segment.id)
    rig.analysis.sweep()
    assert (rig.now(segment).title, rig.now(segment).title_by) == (segment.title, "rule")


def test_a_segment_too_long_for_the_model_does_not_hold_up_the_others(rig: Rig) -> None:
    segments = [rig.work(f"page {number} about the harbour", title=f"page {number}") for number in range(2)]
    rig.server.answer(status=400, message="maximum context length is 512 tokens").always(said(title="Looked at a page"))
    done = rig.analysis.sweep()
    assert (done.failed, done.analysed) == (1, 1)
    assert [rig.now(each).tries for each in segments] == [0, 1]


def test_failures_of_a_model_that_is_gone_are_no_tries_of_the_next_one(rig: Rig) -> None:
    segment = rig.work()
    rig.server.always("no JSON")
    rig.analysis.sweep()
    rig.home.clock.advance(11 * MINUTE_MS)
    rig.analysis.sweep()
    rig.set(model=False)
    rig.analysis.sweep()
    assert rig.now(segment).status == "skipped_no_model"
    rig.set(model=True)
    assert rig.analysis.sweep().failed == 1
    assert (rig.now(segment).status, rig.now(segment).tries) == ("pending", 1)


def test_a_server_that_hangs_is_given_up_at_the_deadline(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (analysis.TASK.slot, analysis.TASK.timeout_s, analysis.TASK.max_tokens) == ("small", 60.0, 2_000)
    monkeypatch.setattr(analysis, "TASK", replace(analysis.TASK, timeout_s=0.3))
    segment = rig.work()
    rig.server.always(hang=True)
    assert rig.analysis.sweep().failed == 1
    assert (rig.now(segment).reason, rig.now(segment).tries) == ("timeout", 1)


def test_bad_json_is_asked_for_once_more_in_the_same_try(rig: Rig) -> None:
    segment = rig.work()
    rig.server.answer("I think it was a nice day.").answer(said())
    assert rig.analysis.sweep().analysed == 1
    assert (len(rig.server.requests), rig.now(segment).tries) == (2, 0)


def test_what_is_analysed_is_told_after_it_was_committed(rig: Rig) -> None:
    segment = rig.work()
    told: list[tuple[int, str]] = []
    rig.home.events.subscribe(SegmentAnalysed, lambda e: told.append((e.segment_id, rig.now(segment).status)))
    rig.server.answer(said())
    rig.analysis.sweep()
    assert told == [(segment.id, "analysed")]


@pytest.mark.logs_warning("could not be passed on")
def test_a_fault_of_whoever_takes_facts_rolls_nothing_back_and_is_tried_again(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    segment = rig.work()
    rig.server.answer(said())

    def broken(_fact: object) -> FactOutcome:
        raise UnavailableError("No", "Not now.")

    monkeypatch.setattr(rig.takers, "offer", broken)
    assert rig.analysis.sweep().analysed == 1
    assert (rig.now(segment).status, rig.outcomes(segment)) == ("analysed", [("deferred", "unavailable")])
    monkeypatch.undo()
    rig.analysis.sweep()
    assert rig.outcomes(segment) == [("added", "")]


@pytest.mark.logs_warning("could not be passed on")
def test_a_fault_of_whoever_takes_terms_keeps_them_waiting(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.work()
    rig.server.answer(said())

    def broken(_terms: object) -> None:
        raise UnavailableError("No", "Not now.")

    with monkeypatch.context() as patch:
        patch.setattr(rig.takers, "take", broken)
        assert rig.analysis.sweep().analysed == 1
    assert rig.takers.terms == []
    rig.analysis.sweep()
    assert rig.takers.terms


def test_a_new_account_replaces_offers_nobody_took_and_repeats_none_that_was(rig: Rig) -> None:
    segment = rig.work()
    rig.server.always(said())
    rig.analysis.sweep()
    rig.analysis.retry(segment.id)
    rig.analysis.sweep()
    assert rig.outcomes(segment) == [("added", ""), ("rejected", "repeat")]


def test_private_trivial_and_open_ones_are_never_asked_about(rig: Rig) -> None:
    rig.home.work(8, "notes.txt", "editor", "a page")
    rig.home.keeper.catch_up(lambda: True)
    rig.server.always(said())
    rig.analysis.sweep()
    assert rig.server.requests == []
    with pytest.raises(NotFoundError):
        rig.analysis.retry(4_711)


def test_secrets_that_a_model_writes_are_hidden(rig: Rig) -> None:
    segment = rig.work("the key is shown as password: Tr0ub4dor-and-3", *("page of text " * 3,))
    rig.server.answer(said(summary="The password: Tr0ub4dor-and-3 was shown.", title="password: Tr0ub4dor-and-3"))
    rig.analysis.sweep()
    assert "Tr0ub4dor" not in repr(rig.now(segment))
    assert rig.home.bytes_holding("Tr0ub4dor") == []


@pytest.mark.parametrize("number", range(18))
def test_no_answer_of_a_weak_model_is_stored_as_more_than_it_is(rig: Rig, number: int) -> None:
    path = Path(__file__).resolve().parents[2] / "data" / "model_outputs" / "tiny_model.json"
    output = json.loads(path.read_text(encoding="utf-8"))[number]
    segment = rig.work()
    rig.server.always(output["output"], finish_reason=output["finish_reason"])
    done = rig.analysis.sweep()
    assert done.analysed + done.failed == 1
    assert rig.now(segment).title == segment.title
    assert rig.outcomes(segment) == []
