"""`ExactCalls`: approvals of one exact call each, asked by a turn and answered by a person (spec 05 §8).

Nothing else makes, answers or uses up an approval: no message, summary, memory, file or tool text can count as one.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Mapping
from typing import Final, Literal

from biny_desktop.conversation.model import Approval
from biny_desktop.conversation.ports import Admission, ConversationLog
from biny_desktop.conversation.session_events import ApprovalAnswered, ApprovalAsked, NewEvent
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import InvalidInputError, NotFoundError, StaleRevisionError
from biny_desktop.core.events import ApprovalsChanged, EventBus
from biny_desktop.core.ids import new_id
from biny_desktop.models.model import ToolCall
from biny_desktop.storage.rows import JsonValue

VALID_MS: Final = 24 * 60 * 60 * 1000
"""How long an approval can be answered and used (spec 05 §8)."""
ShownStatus = Literal["open", "approved", "refused", "used", "expired"]
"""`expired`: open or approved, and too old for it."""


def canonical(args: Mapping[str, JsonValue]) -> str:
    """Arguments as the one JSON text that every equal set of arguments has."""
    return json.dumps(args, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def args_hash(tool: str, args: Mapping[str, JsonValue]) -> str:
    """What an approval is bound to: sha256, hex, of the tool and its arguments."""
    return hashlib.sha256(canonical({"tool": tool, "args": dict(args)}).encode("utf-8", "surrogatepass")).hexdigest()


def shown_status(approval: Approval, now_ms: int) -> ShownStatus:
    """How an approval stands at that instant (UTC ms)."""
    stale = approval.status in ("open", "approved") and approval.expires_at_ms <= now_ms
    return "expired" if stale else approval.status


class ExactCalls:
    """Approvals in the logs of their sessions. Thread-safe; `ApprovalsChanged` follows every change."""

    def __init__(self, log_of: Callable[[str], ConversationLog], clock: Clock, events: EventBus) -> None:
        self._log_of, self._clock, self._events = log_of, clock, events
        self._lock = threading.Lock()

    def ask(self, session_id: str, turn_id: str, run_id: str, call: ToolCall, admission: Admission) -> Approval:
        """Ask for this exact call; a call that was asked for already and still waits is not asked for twice.

        Raises:
            ValueError: the admission wants no approval; a bug of the caller.
        """
        if admission.approval is None:
            raise ValueError("this call needs no approval")
        wanted, now = args_hash(call.name, admission.args), self._clock.now_ms()
        with self._lock:
            log = self._log_of(session_id)
            for each in log.approvals(session_id):
                if (each.call_id, each.args_hash) == (call.id, wanted) and shown_status(each, now) == "open":
                    return each
            asked = ApprovalAsked(
                id=new_id(now),
                call_id=call.id,
                tool=call.name,
                args=canonical(admission.args),
                args_hash=wanted,
                shown=admission.approval,
                reason=admission.reason,
                expires_at=now + VALID_MS,
            )
            log.append(session_id, [NewEvent(asked, turn_id, run_id)])
            made = self._find(log, session_id, asked.id)
        self._events.publish(ApprovalsChanged())
        return made

    def standing(self, session_id: str, tool: str, args_hash: str, turn_id: str | None = None) -> Approval | None:
        """The newest approval of this exact call that counts now: `open`, `approved`, or `refused`.

        None: it was never asked for, is used up or expired: ask. A refusal counts in its own turn only; without
        `turn_id` in every one.
        """
        now = self._clock.now_ms()
        for each in sorted(self._log_of(session_id).approvals(session_id), key=lambda a: a.asked_at_ms, reverse=True):
            if (each.tool, each.args_hash) != (tool, args_hash):
                continue
            elsewhere = each.status == "refused" and turn_id is not None and each.turn_id != turn_id
            if shown_status(each, now) in ("open", "approved", "refused") and not elsewhere:
                return each
        return None

    def used(self, approval: Approval, turn_id: str, run_id: str) -> NewEvent:
        """The event that uses an approval up; committed in one transaction with the admission of its call.

        Raises:
            InvalidInputError: it does not allow anything now.
        """
        present = self._find(self._log_of(approval.session_id), approval.session_id, approval.id)
        if shown_status(present, self._clock.now_ms()) != "approved":
            raise InvalidInputError("This approval does not count", "It was not given, was used, or is too old.")
        return NewEvent(ApprovalAnswered(id=approval.id, status="used"), turn_id, run_id)

    def answer(self, session_id: str, approval_id: str, approve: bool, revision: int) -> Approval:
        """Note what the person said, once.

        Raises:
            NotFoundError: there is no such approval. StaleRevisionError: it is another one than was shown.
            InvalidInputError: it was answered before, or is older than 24 hours.
        """
        with self._lock:
            log = self._log_of(session_id)
            found = self._find(log, session_id, approval_id)
            status = shown_status(found, self._clock.now_ms())
            if status == "expired":
                raise InvalidInputError(
                    "This approval has expired", "It was valid for 24 hours.", "Ask for the same again in the chat."
                )
            if status != "open":
                raise InvalidInputError("This was answered before", "An approval is answered once.")
            if found.revision != revision:
                raise StaleRevisionError("This approval has changed", "Nothing was answered.", "Look at it again.")
            answered = ApprovalAnswered(id=approval_id, status="approved" if approve else "refused")
            log.append(session_id, [NewEvent(answered, found.turn_id)])
            answered_now = self._find(log, session_id, approval_id)
        self._events.publish(ApprovalsChanged())
        return answered_now

    def _find(self, log: ConversationLog, session_id: str, approval_id: str) -> Approval:
        found = next((each for each in log.approvals(session_id) if each.id == approval_id), None)
        if found is None:
            raise NotFoundError("There is no such approval", "Its chat may have been deleted.")
        return found
