"""`Compaction`: asks for a summary of the older part of a path, checks it, and commits it as a checkpoint (spec 05 §3).

The history is never touched: a checkpoint only says what a request may leave out, and a failure leaves all as it was.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from biny_desktop.conversation.compaction import answer, budget, merge, shrink
from biny_desktop.conversation.compaction.answer import SummaryAnswer
from biny_desktop.conversation.compaction.block import block_of
from biny_desktop.conversation.compaction.cut import Division, Keep, divide, tokens_of
from biny_desktop.conversation.compaction.material import Material, gather
from biny_desktop.conversation.compaction.merge import State
from biny_desktop.conversation.model import Checkpoint, CompactionFault, CompactionReason, Message
from biny_desktop.conversation.ports import Budget, CompactionFailure, ConversationLog
from biny_desktop.conversation.session_events import CheckpointMade, CompactionFailed, ItemData, NewEvent
from biny_desktop.conversation.tokens import estimate
from biny_desktop.core.clock import Clock
from biny_desktop.core.ids import new_id
from biny_desktop.core.settings import Settings
from biny_desktop.core.text import RedactedText
from biny_desktop.models.client import ModelClient
from biny_desktop.models.model import Failure, ModelProfile, Slot, Task
from biny_desktop.models.prompts import Part, load_prompt
from biny_desktop.redaction import Redactor, from_row, joined, safe_constant
from biny_desktop.redaction import cut as cut_text
from biny_desktop.storage.rows import dump_json

PROMPT: Final = "conversation_compaction"
TIMEOUT_S: Final = 300.0
IDLE_S: Final = 30.0
COOL_DOWN_MS: Final = 60_000
"""Spec 05 §3.1.6."""
FORMAT: Final = 1
PROMPT_TOKENS: Final = 2_000
"""Room for the task, the limits and the rules of data (the prompt file has about 1,100)."""
_SHORTER: Final = safe_constant(
    "Your last answer was cut off. Answer with at most half as many items, and shorter ones."
)
_FAULTS: Final[dict[str, CompactionFault]] = {
    "no_model": "no_model", "truncated": "output_truncated", "invalid_json": "invalid_structure",
    "invalid_shape": "invalid_structure", "empty": "empty_summary",
}  # fmt: skip
_BROKEN: Final = ("stream", "disconnected", "idle")
"""Details of failures in which a part of an answer may have come."""


class Profiled(Protocol):
    """As much of the chat client as is asked here."""

    def profile(self) -> ModelProfile: ...


@dataclass(frozen=True, slots=True)
class _Work:
    """One compaction: where, why, what is covered and what stays."""

    log: ConversationLog
    session_id: str
    reason: CompactionReason
    history: Sequence[Message]
    division: Division
    before: Checkpoint | None
    budget: Budget
    fingerprint: str
    go_on: Callable[[], bool]


class Compaction:
    """Implements `ports.Compactor`. Thread-safe; one call a session at a time is the caller's care."""

    def __init__(
        self, client: ModelClient, chat: Profiled, redactor: Callable[[], Redactor], settings: Callable[[], Settings],
        clock: Clock,
    ) -> None:  # fmt: skip
        self._client, self._chat, self._redactor = client, chat, redactor
        self._settings, self._clock = settings, clock

    def budget(self) -> Budget:
        """See `ports.Compactor`."""
        return budget.budget_of(self._chat.profile(), self._settings().compaction)

    def current(self, log: ConversationLog, session_id: str, path: Sequence[Message]) -> Checkpoint | None:
        """See `ports.Compactor`."""
        ids = {each.id for each in path}
        fitting = (
            each
            for each in reversed(log.checkpoints(session_id))
            if each.covered_until_id in ids and (each.first_kept_id is None or each.first_kept_id in ids)
        )
        return next(fitting, None)

    def block(self, checkpoint: Checkpoint) -> RedactedText:
        """See `ports.Compactor`."""
        return block_of(checkpoint.id, checkpoint.state, by_model=bool(checkpoint.model))

    def compact(
        self, log: ConversationLog, session_id: str, path: Sequence[Message], reason: CompactionReason,
        *, fixed_tokens: int = 0, go_on: Callable[[], bool] = lambda: True,
    ) -> Checkpoint | CompactionFailure | None:  # fmt: skip
        """See `ports.Compactor`. None also when nobody wants to go on."""
        settings, automatic = self._settings().compaction, reason != "manual"
        before = self.current(log, session_id, path)
        history = _after(path, before)
        limits = self.budget()
        most = settings.keep_recent_messages
        keep = Keep(
            budget.keep_tokens(limits, settings, automatic=automatic, fixed=fixed_tokens),
            most if isinstance(most, int) else None,
        )
        division = divide(history, keep, automatic=automatic, overflow=reason == "overflow")
        if division is None or not division.covered:
            return None
        fingerprint = self._fingerprint(division, before, limits, keep)
        work = _Work(log, session_id, reason, history, division, before, limits, fingerprint, go_on)
        if automatic and reason != "overflow":
            failed_ms = log.last_failure(session_id, fingerprint)
            if failed_ms is not None and self._clock.now_ms() - failed_ms < COOL_DOWN_MS:
                return CompactionFailure("provider_error", cooling=True)
        made = self._summarised(work)
        if not go_on():
            return None
        if isinstance(made, Checkpoint):
            return self._committed(work, made)
        if reason == "overflow":
            return self._committed(work, self._by_program(work))
        log.append(session_id, [NewEvent(CompactionFailed(kind=made, fingerprint=fingerprint, reason=reason))])
        return CompactionFailure(made)

    def _summarised(self, work: _Work) -> Checkpoint | CompactionFault:
        """A checkpoint by the model, not committed yet, or why there is none."""
        settings = self._settings().compaction
        longest = budget.summary_tokens(work.budget, settings)
        room = work.budget.whole - longest - PROMPT_TOKENS
        material = gather(work.division.covered, work.before, room)
        if material is None:
            return "input_budget"
        asked = self._ask(work, material, longest)
        if isinstance(asked, str):
            return asked
        said, model, version = asked
        fields = answer.checked(said, material.sources)
        if isinstance(fields, str):
            return fields
        if not any(fields.values()) and work.before is None:
            return "empty_summary"
        redact = self._redactor().plain  # a model may put pieces together that were harmless apart
        state = merge.merged(fields, material.sources, work.division.covered, work.before, redact)
        made = self._checkpoint(work, state, longest, model=model, version=version)
        saves = made.tokens_after < made.tokens_before
        return made if saves or work.reason == "manual" else "no_savings"

    def _ask(self, work: _Work, material: Material, longest: int) -> tuple[SummaryAnswer, str, str] | CompactionFault:
        """What the model answers, its name and the version of the prompt; asked once more where it was cut off."""
        slot: Slot = self._settings().compaction.slot
        task = Task(PROMPT, slot, longest, TIMEOUT_S, idle_s=IDLE_S)
        limits = _limits(work, longest)
        for parts in ((limits,), (limits, _SHORTER)):
            given = [
                Part("limits", joined(parts)),
                Part("previous", material.previous),
                Part("material", material.text),
            ]
            heard = self._client.ask(task, SummaryAnswer, [each for each in given if each.text], work.go_on)
            if not isinstance(heard, Failure):
                return heard.value, heard.model, heard.prompt_version
            if heard.kind != "truncated":
                return _fault(heard)
        return "output_truncated"

    def _by_program(self, work: _Work) -> Checkpoint:
        last_user = next((each for each in reversed(work.history) if each.role == "user"), None)
        state = merge.by_program(work.division.covered, work.before, last_user)
        longest = budget.summary_tokens(work.budget, self._settings().compaction)
        return self._checkpoint(work, state, longest, model="", version="")

    def _checkpoint(self, work: _Work, state: State, longest: int, *, model: str, version: str) -> Checkpoint:
        checkpoint_id = new_id(self._clock.now_ms())

        def tokens(made: State) -> int:
            return estimate(block_of(checkpoint_id, made, by_model=bool(model)))

        fitting = shrink.shrunk(state, tokens, longest)
        division, before = work.division, work.before
        old = estimate(self.block(before)) if before else 0
        return Checkpoint(
            id=checkpoint_id,
            session_id=work.session_id,
            reason=work.reason,
            created_at_ms=self._clock.now_ms(),
            parent_id=before.id if before else None,
            first_kept_id=division.kept[0].id if division.kept else None,
            covered_until_id=division.covered[-1].id,
            covered=len(division.covered) + (before.covered if before else 0),
            tokens_before=tokens_of(work.history) + old,
            tokens_after=tokens_of(division.kept) + tokens(fitting),
            state=fitting,
            fingerprint=work.fingerprint,
            format_version=FORMAT,
            prompt_version=version,
            model=model,
        )

    def _committed(self, work: _Work, made: Checkpoint) -> Checkpoint:
        state = {
            name: tuple(ItemData(text=each.text, evidence=each.evidence) for each in items)
            for name, items in made.state.items()
        }
        event = CheckpointMade(
            id=made.id,
            reason=made.reason,
            parent_id=made.parent_id,
            first_kept_id=made.first_kept_id,
            covered_until_id=made.covered_until_id,
            covered=made.covered,
            tokens_before=made.tokens_before,
            tokens_after=made.tokens_after,
            state=state,
            fingerprint=made.fingerprint,
            format_version=made.format_version,
            prompt_version=made.prompt_version,
            model=made.model,
        )
        work.log.append(work.session_id, [NewEvent(event)])
        return next(each for each in work.log.checkpoints(work.session_id) if each.id == made.id)

    def _fingerprint(self, division: Division, before: Checkpoint | None, limits: Budget, keep: Keep) -> str:
        """What a failure is remembered by: any change of it is tried at once."""
        slot = self._settings().compaction.slot
        parts = [
            [each.id for each in division.covered], before.id if before else None, limits.whole, limits.reserve,
            keep.tokens, keep.messages, self._client.model_of(slot), load_prompt(PROMPT).version,
        ]  # fmt: skip
        return hashlib.sha256(dump_json(parts).encode()).hexdigest()


def _after(path: Sequence[Message], before: Checkpoint | None) -> tuple[Message, ...]:
    """The messages of a path behind what a checkpoint covers."""
    if before is None:
        return tuple(path)
    place = next(n for n, each in enumerate(path) if each.id == before.covered_until_id)
    return tuple(path[place + 1 :])


def _limits(work: _Work, longest: int) -> RedactedText:
    """What the model is told of its room, and of the request that is being worked on where the cut parts a turn."""
    items = max(1, min(16, longest // 120))
    lines = [safe_constant("At most this many items a field: "), from_row(str(items))]
    first_kept = work.division.kept[0] if work.division.kept else None
    if first_kept is not None and first_kept.role != "user":
        current = next((each for each in reversed(work.division.covered) if each.role == "user"), None)
        if current is not None:
            request = cut_text(current.content, 0, answer.TEXT_MAX)
            lines += [safe_constant("\nThe request that is being worked on: "), request]
    return joined(lines, "")


def _fault(failure: Failure) -> CompactionFault:
    if failure.detail in _BROKEN:
        return "incomplete_response"
    return _FAULTS.get(failure.kind, "provider_error")
