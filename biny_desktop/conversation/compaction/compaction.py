"""`Compaction`: asks for a summary of the older part of a path, checks it, and commits it as a checkpoint (spec 05 §3).

The history is never touched: a checkpoint only says what a request may leave out, and a failure leaves all as it was.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from biny_desktop.conversation.compaction import answer, budget, merge, shrink
from biny_desktop.conversation.compaction.asking import PROMPT, Question, ask
from biny_desktop.conversation.compaction.block import block_of
from biny_desktop.conversation.compaction.cut import Division, Keep, divide, tokens_of
from biny_desktop.conversation.compaction.material import gather
from biny_desktop.conversation.compaction.merge import State
from biny_desktop.conversation.model import Checkpoint, CompactionFault, CompactionReason, Message
from biny_desktop.conversation.ports import Budget, CompactionFailure, ConversationLog
from biny_desktop.conversation.session_events import CheckpointMade, CompactionFailed, ItemData, NewEvent
from biny_desktop.conversation.tokens import estimate
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import NotFoundError, UnavailableError
from biny_desktop.core.ids import new_id
from biny_desktop.core.settings import Settings
from biny_desktop.core.text import RedactedText
from biny_desktop.models.client import ModelClient
from biny_desktop.models.model import ModelProfile
from biny_desktop.models.prompts import load_prompt
from biny_desktop.redaction import Redactor
from biny_desktop.storage.rows import dump_json

COOL_DOWN_MS: Final = 60_000
"""Spec 05 §3.1.6."""
FORMAT: Final = 1
PROMPT_TOKENS: Final = 2_000
"""Room for the task, the limits and the rules of data (the prompt file has about 1,100)."""


class Profiled(Protocol):
    """As much of the chat client as is asked here."""

    def profile(self) -> ModelProfile: ...


@dataclass(frozen=True, slots=True)
class _Work:
    """One compaction: where, why, what is covered and what stays."""

    log: ConversationLog
    session_id: str
    reason: CompactionReason
    path: Sequence[Message]
    history: Sequence[Message]
    division: Division
    before: Checkpoint | None
    budget: Budget
    fingerprint: str
    go_on: Callable[[], bool]

    @property
    def covered(self) -> Sequence[Message]:
        """All that the new checkpoint stands for, from the root of the path."""
        return self.path[: len(self.path) - len(self.division.kept)]

    @property
    def kept_tokens(self) -> int:
        return tokens_of(self.division.kept)


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
            if each.format_version <= FORMAT
            and each.covered_until_id in ids
            and (each.first_kept_id is None or each.first_kept_id in ids)
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
        work = _Work(log, session_id, reason, path, history, division, before, limits, fingerprint, go_on)
        cooling = automatic and self._cooling(work)
        if cooling and reason != "overflow":
            return CompactionFailure("provider_error", cooling=True)
        made = "provider_error" if cooling else self._summarised(work)
        if not go_on() or not _still_there(work):
            return None
        if isinstance(made, Checkpoint):
            return self._committed(work, made)
        failed = NewEvent(CompactionFailed(kind=made, fingerprint=fingerprint, reason=reason))
        events = (failed,) if automatic and not cooling else ()
        if reason == "overflow":
            return self._without_model(work, events)
        if events:
            log.append(session_id, events)
        return CompactionFailure(made)

    def _cooling(self, work: _Work) -> bool:
        """Whether the same failed under a minute ago; a clock that was set back holds nothing up."""
        failed_ms = work.log.last_failure(work.session_id, work.fingerprint)
        return failed_ms is not None and 0 <= self._clock.now_ms() - failed_ms < COOL_DOWN_MS

    def _without_model(self, work: _Work, events: Sequence[NewEvent]) -> Checkpoint | CompactionFailure:
        """The program's own summary of an overflow, which has to save tokens too."""
        old = estimate(self.block(work.before)) if work.before else 0
        saving = tokens_of(work.division.covered) + old - 1
        longest = min(saving, budget.summary_tokens(work.budget, self._settings().compaction))
        last_user = next((each for each in reversed(work.path) if each.role == "user"), None)
        state = merge.by_program(work.covered, work.before, last_user)
        made = self._checkpoint(work, state, longest, model="", version="")
        if made.tokens_after < made.tokens_before:
            return self._committed(work, made, events)
        failed = NewEvent(CompactionFailed(kind="no_savings", fingerprint=work.fingerprint, reason=work.reason))
        work.log.append(work.session_id, [failed])
        return CompactionFailure("no_savings")

    def _summarised(self, work: _Work) -> Checkpoint | CompactionFault:
        """A checkpoint by the model, not committed yet, or why there is none."""
        settings = self._settings().compaction
        longest = budget.summary_tokens(work.budget, settings)
        slot = self._settings().compaction.slot
        window = work.budget.whole + work.budget.output if slot == "chat" else budget.WINDOW_UNKNOWN
        room = window - longest - PROMPT_TOKENS
        material = gather(work.division.covered, work.before, room)
        if material is None:
            return "input_budget"
        said = ask(self._client, self._clock, Question(slot, material, work.division, longest, work.go_on))
        if isinstance(said, str):
            return said
        fields = answer.checked(said.value, material.sources)
        if isinstance(fields, str):
            return fields
        if not any(fields.values()):
            return "empty_summary"
        redact = self._redactor().plain  # a model may put pieces together that were harmless apart
        state = merge.merged(fields, material.sources, work.covered, work.before, redact)
        made = self._checkpoint(work, state, longest, model=said.model, version=said.prompt_version)
        saves = made.tokens_after < made.tokens_before
        return made if saves or work.reason == "manual" else "no_savings"

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
            covered=len(work.covered),
            tokens_before=tokens_of(work.history) + old,
            tokens_after=work.kept_tokens + tokens(fitting),
            state=fitting,
            fingerprint=work.fingerprint,
            format_version=FORMAT,
            prompt_version=version,
            model=model,
        )

    def _committed(self, work: _Work, made: Checkpoint, events: Sequence[NewEvent] = ()) -> Checkpoint:
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
        appended = work.log.append(work.session_id, [*events, NewEvent(event)])
        return replace(made, seq=appended[-1].seq, created_at_ms=appended[-1].at_ms)

    def _fingerprint(self, division: Division, before: Checkpoint | None, limits: Budget, keep: Keep) -> str:
        """What a failure is remembered by: any change of it is tried at once."""
        slot = self._settings().compaction.slot
        parts = [
            [each.id for each in division.covered], before.id if before else None, limits.whole, limits.reserve,
            keep.tokens, keep.messages, budget.summary_tokens(limits, self._settings().compaction), slot,
            self._client.model_of(slot), _prompt_version(),
        ]  # fmt: skip
        return hashlib.sha256(dump_json(parts).encode()).hexdigest()


def _after(path: Sequence[Message], before: Checkpoint | None) -> tuple[Message, ...]:
    """The messages of a path behind what a checkpoint covers."""
    if before is None:
        return tuple(path)
    place = next(n for n, each in enumerate(path) if each.id == before.covered_until_id)
    return tuple(path[place + 1 :])


def _still_there(work: _Work) -> bool:
    """Whether nothing of what is covered was deleted meanwhile: its words must not come back in a summary."""
    try:
        now = work.log.path(work.session_id, work.division.covered[-1].id)
    except NotFoundError:
        return False
    return [each.id for each in now] == [each.id for each in work.covered]


def _prompt_version() -> str:
    try:
        return load_prompt(PROMPT).version
    except UnavailableError:  # told as a failure when it is asked
        return ""
