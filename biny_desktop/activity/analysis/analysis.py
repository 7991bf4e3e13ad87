"""A model's account of segments: asked for one at a time while nobody needs the machine, checked, committed, told.

The row is committed before anything is passed on. An answer that comes after its segment changed, or after something
was deleted, is dropped. Failure is recorded and nothing is made up: the segment keeps its title by rule (spec 03 §3).
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from biny_desktop.activity import event_store
from biny_desktop.activity.analysis import offer_store, queue_store
from biny_desktop.activity.analysis.answer import SegmentAnswer
from biny_desktop.activity.analysis.candidates import Candidate, judged
from biny_desktop.activity.analysis.checks import Checked, checked
from biny_desktop.activity.analysis.material import Material, gather
from biny_desktop.activity.analysis.offers import Offers
from biny_desktop.activity.analysis.ports import CrystalTerm
from biny_desktop.activity.segments import index, store
from biny_desktop.activity.segments.model import Analysis as Said
from biny_desktop.activity.segments.model import Highlight, Segment, Status, TitleBy
from biny_desktop.activity.segments.titles import rule_title
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import NotFoundError, UnavailableError
from biny_desktop.core.events import AnalysisAsked, EventBus, SegmentAnalysed, SegmentsChanged
from biny_desktop.core.settings import Settings
from biny_desktop.core.text import RedactedText
from biny_desktop.models.client import ModelClient
from biny_desktop.models.model import Answer, Failure, Task
from biny_desktop.models.prompts import load_prompt
from biny_desktop.redaction import Redactor
from biny_desktop.storage.database import Database, Writer

log = logging.getLogger(__name__)
TASK: Final = Task("activity_segment", "small", 2_000, 60.0)
"""Spec 03 §3, call."""
SWEEP: Final = 10
BETWEEN_S: Final = 3.0
"""Segments of a sweep, seconds between two (spec 03 §3, schedule)."""
TRIES: Final = 3
AGAIN_MS: Final = (600_000, 1_200_000)
"""After 10, then 20 min; then it failed (spec 03 §3, retry)."""
_SERVER: Final = frozenset({"http", "timeout"})
"""Failures that say something of the server: the rest of a sweep would only meet them again."""


def _yes() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep did: segments with an account, failures (of which given up), offers decided, whether it was cut off.

    `waiting`: why nothing was asked at all: `off`, `no_model`, or empty. `cut_off`: it made way before its end.
    """

    analysed: int = 0
    unchanged: int = 0
    failed: int = 0
    given_up: int = 0
    dropped: int = 0
    offers: int = 0
    waiting: str = ""
    cut_off: bool = False


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question: the segment as it was, what was sent, and which deletes had happened by then."""

    segment: Segment
    material: Material
    generation: str


class Analysis:
    """Asks about segments. One sweep at a time (the schedule sees to it); `retry` from any thread."""

    def __init__(
        self, db: Database, client: ModelClient, redactor: Callable[[], Redactor], settings: Callable[[], Settings],
        clock: Clock, events: EventBus, offers: Offers,
    ) -> None:  # fmt: skip
        self._db, self._client, self._redactor, self._settings = db, client, redactor, settings
        self._clock, self._events, self._offers = clock, events, offers

    def sweep(self, go_on: Callable[[], bool] = _yes, quiet: Callable[[], bool] = _yes) -> Swept:
        """Ask about the segments that are due, at most ten, newest first.

        Args:
            go_on: False ends it, also a call under way. quiet: whether nobody needs the machine, asked before each
                segment; it ends a call only of a model on this machine: another is not asked twice for a key pressed.

        Raises:
            StorageError: the database cannot be used; what was done is done.
        """
        ready = self._client.ready(TASK.slot)
        with self._db.write() as w:
            queue_store.settle_statuses(w, self._clock.now_ms(), model=ready)
        waiting = "no_model" if not ready else "" if self._settings().activity.analysis else "off"
        done = Swept(waiting=waiting)
        if not waiting:
            with self._db.read() as r:
                due = queue_store.due(r, self._clock.now_ms(), SWEEP)
            done = self._ask_all(due, go_on, quiet)
        passed = self._offers.pass_on(go_on)
        return replace(done, offers=passed.decided)

    def retry(self, segment_id: int) -> None:
        """Have a segment asked about again at the next sweep, as if for the first time.

        Raises:
            NotFoundError: there is no such segment, or none that a model is asked about.
        """
        with self._db.write() as w:
            if not queue_store.ask_again(w, segment_id):
                raise NotFoundError("Nothing to analyse", "There is no such activity, or it is private or too short.")
        self._events.publish(SegmentAnalysed(segment_id))
        self._events.publish(AnalysisAsked(segment_id))

    def failures(self, limit: int = 50) -> tuple[Segment, ...]:
        """Segments whose analysis was given up, newest first."""
        with self._db.read() as r:
            return tuple(queue_store.failed(r, limit))

    def counts(self) -> dict[Status, int]:
        """Closed segments by status."""
        with self._db.read() as r:
            return queue_store.counts(r)

    def _ask_all(self, due: list[Segment], go_on: Callable[[], bool], quiet: Callable[[], bool]) -> Swept:
        done = Swept()
        call_on = (lambda: go_on() and quiet()) if self._client.is_here(TASK.slot) else go_on
        for number, segment in enumerate(due):
            if number:
                self._clock.wait(BETWEEN_S)
            if not (go_on() and quiet()):
                return replace(done, cut_off=True)
            done, more = self._ask_one(segment, call_on, done)
            if not more:
                break
        return done

    def _ask_one(self, segment: Segment, go_on: Callable[[], bool], done: Swept) -> tuple[Swept, bool]:
        """Ask about one; False when the sweep should end."""
        try:
            version = load_prompt(TASK.name).version
        except UnavailableError:  # a fault of the installation is no try of a segment
            log.warning("the prompt of activities is missing or damaged")
            return done, False
        with self._db.read() as r:
            generation = event_store.generation(r)
            current = store.get(r, segment.id)
            if current is None or current.open:
                return done, True
            material = gather(r, current, self._redactor(), version)
        asked = _Asked(current, material, generation)
        settled = current.status == "failed" or (current.status != "pending" and not current.tries)
        if current.analysis.input_hash == material.hash and settled:
            self._unstale(asked)
            return replace(done, unchanged=done.unchanged + 1), True
        answer = self._client.ask(TASK, SegmentAnswer, material.parts, go_on)
        if isinstance(answer, Failure):
            if answer.kind in ("stopped", "no_model", "no_prompt"):
                return replace(done, cut_off=answer.kind == "stopped"), False
            given_up = self._fail(asked, answer)
            done = replace(done, failed=done.failed + 1, given_up=done.given_up + given_up)
            return done, answer.kind not in _SERVER or answer.detail == "too_long"
        if not self._commit(asked, answer, version):
            return replace(done, dropped=done.dropped + 1), True
        self._tell(asked.segment)
        return replace(done, analysed=done.analysed + 1), True

    def _commit(self, asked: _Asked, answer: Answer[SegmentAnswer], version: str) -> bool:
        """Write what stands of an answer; False when it came too late."""
        redactor, settings = self._redactor(), self._settings().activity
        said = checked(answer.value, asked.material)
        with self._db.write() as w:
            segment = self._unchanged(w, asked, version)
            if segment is None:
                return False
            candidates = _offered(answer.value, asked.material, settings.max_candidates,
                                  offer_store.contents(w, segment.id),
                                  personal=settings.personal_candidates)  # fmt: skip
            now = self._clock.now_ms()
            new = _with(segment, said, answer, asked.material.hash, now, redactor)
            with index.reindexed(w, [segment.id]):
                store.update(w, new, now)
            offers = [
                offer_store.NewOffer(
                    redactor.plain(each.kind), redactor.plain(each.content), redactor.plain(each.why), each.frame_ids,
                    each.refusal or "",
                )
                for each in candidates
            ]  # fmt: skip
            offer_store.replace_offers(w, segment.id, segment.revision, offers, now)
            terms = [CrystalTerm(segment.id, redactor.plain(term), kind, segment.day) for kind, term in said.terms]
            offer_store.replace_terms(w, segment.id, terms)
            event_store.bump_day(w, segment.day)
        return True

    def _unchanged(self, w: Writer, asked: _Asked, version: str) -> Segment | None:
        """The segment as it is now, unless it, its rows or anything it was made of is another since the question."""
        segment = store.get(w, asked.segment.id)
        if segment is None or segment.open or event_store.generation(w) != asked.generation:
            return None
        same = gather(w, segment, self._redactor(), version).hash == asked.material.hash
        return segment if same else None

    def _fail(self, asked: _Asked, failure: Failure) -> bool:
        """Note a failed try; True when it was the last one."""
        now = self._clock.now_ms()
        with self._db.write() as w:
            segment = store.get(w, asked.segment.id)
            if segment is None:
                return False
            again = segment.analysis.input_hash != asked.material.hash  # another input starts anew
            tries = 1 if again else segment.tries + 1
            last = tries >= TRIES
            new = replace(
                segment, tries=tries, reason=failure.kind, status="failed" if last else segment.status,
                next_try_at_ms=None if last else now + AGAIN_MS[tries - 1],
                stale=segment.stale and not last,
                analysis=replace(segment.analysis, input_hash=asked.material.hash),
            )  # fmt: skip
            if segment.status in ("failed", "skipped_no_model") and not last:
                new = replace(new, status="pending")
            store.update(w, new, now)
            event_store.bump_day(w, segment.day)
        log.info("a segment has no account (%s), try %d", failure.kind, tries)
        self._tell(asked.segment)
        return last

    def _unstale(self, asked: _Asked) -> None:
        with self._db.write() as w:
            segment = store.get(w, asked.segment.id)
            if segment is not None and segment.revision == asked.segment.revision:
                store.update(w, replace(segment, stale=False), self._clock.now_ms())

    def _tell(self, segment: Segment) -> None:
        self._events.publish(SegmentAnalysed(segment.id))
        self._events.publish(SegmentsChanged((segment.day,)))


def _offered(
    said: SegmentAnswer, material: Material, limit: int, known: list[str], *, personal: bool
) -> list[Candidate]:
    """Nothing is offered of a segment that the model itself finds not worth remembering."""
    return judged(said.candidates, material, limit=limit, personal=personal, known=known) if said.worth else []


def _with(
    segment: Segment, said: Checked, answer: Answer[SegmentAnswer], input_hash: str, now_ms: int, redactor: Redactor
) -> Segment:
    """The segment with a checked account; what the person wrote stays."""
    value = answer.value
    title, title_by = segment.title, segment.title_by
    if title_by != "user":
        title, title_by = redactor.plain(said.title), _BY_MODEL
        if not said.title:  # nor does one of an older account stay: what it was made of may be gone
            title, title_by = rule_title(segment.kind, segment.apps, segment.titles), _BY_RULE
    account = Said(
        description=redactor.plain(said.description),
        summary=redactor.plain(said.summary),
        topics=tuple(redactor.plain(each) for each in said.topics),
        highlights=tuple(Highlight(redactor.plain(each.text), each.frame_ids) for each in said.highlights),
        entities={kind: _all(redactor, names) for kind, names in said.entities.items()},
        worth=value.worth,
        worth_why=redactor.plain(said.worth_why),
        is_meeting=value.is_meeting,
        tier=value.tier,
        confidence=value.confidence,
        model=redactor.plain(answer.model),
        prompt_version=answer.prompt_version,
        input_hash=input_hash,
        analysed_at_ms=now_ms,
    )
    project = segment.project if "project" in segment.edited else said.project and redactor.plain(said.project)
    return replace(
        segment, title=title, title_by=title_by, project=project, analysis=account, stale=False, tries=0, reason="",
        status="analysed" if value.worth else "not_worth", next_try_at_ms=None, revision=segment.revision + 1,
    )  # fmt: skip


_BY_MODEL: Final[TitleBy] = "model"
_BY_RULE: Final[TitleBy] = "rule"


def _all(redactor: Redactor, names: tuple[str, ...]) -> tuple[RedactedText, ...]:
    return tuple(redactor.plain(name) for name in names)
