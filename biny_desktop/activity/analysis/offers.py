"""Offers on their way: each goes once to whoever keeps facts, terms to whoever keeps crystals; until then they wait."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, cast

from biny_desktop.activity import frame_store
from biny_desktop.activity.analysis import offer_store
from biny_desktop.activity.analysis.offer_store import Offer
from biny_desktop.activity.analysis.ports import CrystalSink, FactKind, FactOutcome, FactSink, OfferedFact
from biny_desktop.activity.segments import store
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError
from biny_desktop.storage.database import Database

log = logging.getLogger(__name__)
ROUND: Final = 100
"""Offers and terms of one round."""


@dataclass(frozen=True, slots=True)
class Passed:
    """How many offers were decided, were deferred, and how many terms were taken."""

    decided: int
    deferred: int
    terms: int


class Offers:
    """Passes on what waits. A sink of None: it goes on waiting. Raises StorageError."""

    def __init__(
        self, db: Database, clock: Clock, facts: FactSink | None = None, crystals: CrystalSink | None = None
    ) -> None:
        self._db, self._clock, self._facts, self._crystals = db, clock, facts, crystals

    def pass_on(self, go_on: Callable[[], bool] = lambda: True) -> Passed:
        """Offer everything that waits, each once a round; a fault of the taker defers it."""
        decided = deferred = 0
        if self._facts is not None:
            with self._db.read() as r:
                waiting = offer_store.open_offers(r, ROUND)
            for offer in waiting:
                if not go_on():
                    break
                done = self._offer(offer, self._facts)
                decided, deferred = decided + done, deferred + (not done)
        return Passed(decided, deferred, self._pass_terms())

    def of_segment(self, segment_id: int) -> tuple[Offer, ...]:
        """All offers of a segment with what became of them."""
        with self._db.read() as r:
            return tuple(offer_store.offers_of(r, segment_id))

    def _offer(self, offer: Offer, sink: FactSink) -> bool:
        """Offer one; True when it was decided. The answer is written after the taker committed: the key is the same at
        the next try, so that a kill between the two makes no second fact."""
        with self._db.read() as r:
            segment = store.get(r, offer.segment_id)
            found = frame_store.frames_by_id(r, offer.frame_ids)
        if segment is None:
            return True
        frames = [found[each][0] for each in offer.frame_ids if each in found]
        anchors = [Anchor("segment", str(segment.id), segment.start_ms, segment.zone)]
        anchors += [Anchor("frame", str(each.id), each.at_ms, each.zone) for each in frames]
        fact = OfferedFact(
            f"segment:{offer.segment_id}:{offer.n}", cast(FactKind, offer.kind), offer.content, offer.why,
            tuple(anchors),
        )  # fmt: skip
        try:
            outcome = sink.offer(fact)
        except BinyError as error:
            log.warning("an offer could not be passed on (%s)", error.kind)
            outcome = FactOutcome("deferred", error.kind)  # behind the others, so that it never keeps them waiting
        with self._db.write() as w:
            offer_store.settle(w, offer, outcome, self._clock.now_ms())
        return outcome.outcome != "deferred"

    def _pass_terms(self) -> int:
        if self._crystals is None:
            return 0
        with self._db.read() as r:
            terms = offer_store.open_terms(r, ROUND)
        if not terms:
            return 0
        try:
            self._crystals.take(terms)
        except BinyError as error:
            log.warning("terms could not be passed on (%s)", error.kind)
            return 0
        with self._db.write() as w:
            offer_store.terms_taken(w, terms, self._clock.now_ms())
        return len(terms)
