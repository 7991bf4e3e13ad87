"""`Recovery`: what becomes of a turn that was interrupted; it reads checkpoint, log and effect records, never executes.

The table of spec 05 §7, first true line wins. A turn that died before its first checkpoint is told from the log alone.
"""

import logging
from collections.abc import Callable

from biny_desktop.conversation.model import Execution, ToolStatus
from biny_desktop.conversation.ports import ConversationLog, Toolbox
from biny_desktop.conversation.session_events import (
    EventPayload,
    NewEvent,
    TurnEnded,
)
from biny_desktop.conversation.turns.filling import committed, result_of, results, said_anew
from biny_desktop.conversation.turns.open_step import (
    MissingCall,
    OpenStep,
    ended_after,
    finished_steps,
    open_step,
    open_turn,
)
from biny_desktop.conversation.turns.state import DamagedTurnError, Recovered, TurnState
from biny_desktop.conversation.turns.store import TurnStore
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import InvalidInputError, NotFoundError, StorageError
from biny_desktop.core.ids import new_id
from biny_desktop.core.settings import Settings

log = logging.getLogger(__name__)


class Recovery:
    """Interrupted turns of both logs. Only to be asked about a session in which no turn runs."""

    def __init__(
        self, log_of: Callable[[str], ConversationLog], turns: TurnStore, toolbox: Toolbox,
        settings: Callable[[], Settings], clock: Clock,
    ) -> None:  # fmt: skip
        self._log_of, self._turns, self._toolbox = log_of, turns, toolbox
        self._settings, self._clock = settings, clock

    def examine(self, session_id: str) -> Recovered | None:
        """What became of the interrupted turn of a session; None when none was. Changes nothing.

        Raises:
            NotFoundError: there is no such session. StorageError: it cannot be told now.
        """
        found = self._log_of(session_id)
        found.session(session_id)
        if found.incognito:
            return None
        try:
            state = self._turns.load(session_id)
        except DamagedTurnError:
            return Recovered(session_id, open_turn(found, session_id) or "", "blocked", "checkpoint_damaged")
        if state is None:
            turn_id = open_turn(found, session_id)
            return None if turn_id is None else self._told(found, session_id, turn_id, 0)
        if not _stands(found, state):
            return Recovered(session_id, state.turn_id, "blocked", "environment_unavailable")
        if ended_after(found.events(session_id, turn_id=state.turn_id), state.high_water.seq):
            return Recovered(session_id, state.turn_id, "finished")
        return self._told(found, session_id, state.turn_id, state.completed_steps)

    def clear(self, session_id: str) -> None:
        """Remove the checkpoint of a turn that is over (rows 2 and 5), and of a session that is gone.

        Raises:
            NotFoundError: the session is gone.
        """
        try:
            found = self.examine(session_id)
        except NotFoundError:
            self._turns.remove(session_id)
            raise
        if found is not None and found.outcome in ("finished", "incomplete"):
            self._turns.remove(session_id)

    def fill(self, session_id: str) -> int:
        """Commit what is known of each call without a result, marked as recovered, so that the turn can go on.

        Returns how many steps of the turn are done.


        Calls that were never begun, whether they wait for an answer or not, are left for the turn itself.

        Raises:
            InvalidInputError: an effect is unknown and nobody said yet what came of it.
        """
        found = self._log_of(session_id)
        turn_id = self._interrupted(session_id)
        if turn_id is None:
            return 0
        step = open_step(found, session_id, turn_id)
        if step is not None:
            self._fill(found, session_id, step)
        state = self._turns.load(session_id)
        return max(0 if state is None else state.completed_steps, finished_steps(found, session_id, turn_id))

    def _fill(self, found: ConversationLog, session_id: str, step: OpenStep) -> None:
        told = [(each, self._outcome(each)) for each in step.missing if each.execution is not None]
        if any(status == "unknown" for _, status in told):
            raise InvalidInputError(
                "Something is not known", "A step of this chat may have been done or not.", "Say which, then go on."
            )
        if told:
            found.append(session_id, results(step, told, self._id))

    def settle(self, session_id: str, operation_id: str, done: bool) -> None:
        """Note what the person says came of an unknown effect.

        Raises:
            NotFoundError: no such effect is open. InvalidInputError: it is known what came of it.
        """
        found = self._log_of(session_id)
        execution = next((each for each in found.executions(session_id) if each.operation_id == operation_id), None)
        if execution is None:
            raise NotFoundError("There is no such step", "Nothing has to be told about it.")
        if self._looked_up(execution) != "unknown":
            raise InvalidInputError("This is known already", "Nothing was changed.")
        status: ToolStatus = "succeeded" if done else "cancelled"
        noted: list[EventPayload] = [committed(execution, status, "user")]
        path = found.path(session_id)
        if path and path[-1].id == result_of(found, execution):  # what the model reads of it becomes another version
            noted += said_anew(path[-1], execution, status, self._id())
        found.append(session_id, [NewEvent(each, execution.turn_id, execution.run_id) for each in noted])

    def give_up(self, session_id: str, reason: str) -> str | None:
        """End an interrupted turn for good: fill what is missing, commit `cancelled`, remove its checkpoint.

        Args:
            reason: a word of the program for `stop_reason`.

        Returns:
            The turn that was ended, None when there was none. Unknown effects stay `unknown` in their results.
        """
        found = self._log_of(session_id)
        ended = self._interrupted(session_id)
        if ended is not None:
            step = open_step(found, session_id, ended)
            if step is not None and step.missing:
                found.append(
                    session_id, results(step, [(each, self._outcome(each)) for each in step.missing], self._id)
                )
            steps = finished_steps(found, session_id, ended)
            status = TurnEnded(status="cancelled", stop_reason=reason, steps=steps)
            found.append(session_id, [NewEvent(status, ended)])
        if found.incognito:
            return ended
        try:
            self._turns.remove(session_id)
        except StorageError:  # what is committed wins over the older checkpoint
            log.warning("the checkpoint of an ended turn could not be removed")
        return ended

    def _told(self, found: ConversationLog, session_id: str, turn_id: str, steps: int) -> Recovered | None:
        """Rows 3 to 6; None while another branch is selected than the one the turn is on."""
        unknown = self._unknown(found, session_id, turn_id)
        if unknown:
            return Recovered(session_id, turn_id, "blocked", "unsafe_action_required", unknown=unknown)
        leaf = found.leaf(session_id)
        if leaf is None or leaf.turn_id != turn_id:
            return None
        step = open_step(found, session_id, turn_id)
        missing = () if step is None else step.missing
        waiting = tuple(each for each in missing if self._lacks_permission(each))
        if waiting:
            approvals = tuple(each.approval for each in waiting if each.approval is not None)
            return Recovered(session_id, turn_id, "blocked", "missing_user_input", approvals=approvals)
        left = self._settings().agent.hard_steps - max(steps, finished_steps(found, session_id, turn_id))
        if left <= 0:
            return Recovered(session_id, turn_id, "incomplete")
        return Recovered(session_id, turn_id, "continue", steps_left=left)

    def _unknown(self, found: ConversationLog, session_id: str, turn_id: str) -> tuple[Execution, ...]:
        """Effects of this turn, and of no known turn, that nobody knows the outcome of."""
        mine = [each for each in found.executions(session_id) if each.turn_id in (turn_id, None)]
        return tuple(each for each in mine if self._looked_up(each) == "unknown")

    def _interrupted(self, session_id: str) -> str | None:
        """The turn that was interrupted, if it has something in the log and is not over."""
        recovered = self.examine(session_id)
        if recovered is None or recovered.outcome == "finished":
            return None
        if recovered.reason == "environment_unavailable":  # the log is another one than the checkpoint's
            return open_turn(self._log_of(session_id), session_id)
        return recovered.turn_id or None

    def _outcome(self, missing: MissingCall) -> ToolStatus:
        """Of a call without a result; one that was never admitted was not done."""
        return "cancelled" if missing.execution is None else self._looked_up(missing.execution)

    def _looked_up(self, execution: Execution) -> ToolStatus:
        """What an execution came to, without doing anything (spec 05 §7, effect classes)."""
        if execution.status is not None:
            return execution.status
        if execution.effect in ("read", "local"):
            return "cancelled"
        tool = self._toolbox.tools(incognito=False).get(execution.tool)
        return "unknown" if tool is None else tool.found(execution)

    def _lacks_permission(self, missing: MissingCall) -> bool:
        """Whether it waits for an answer, or was allowed and its tool is not allowed any more."""
        approval = missing.approval
        if approval is None or missing.execution is not None or approval.status == "refused":
            return False
        if approval.expires_at_ms <= self._clock.now_ms():
            return False  # the turn asks again
        return approval.status == "open" or approval.tool not in self._toolbox.tools(incognito=False)

    def _id(self) -> str:
        return new_id(self._clock.now_ms())


def _stands(found: ConversationLog, state: TurnState) -> bool:
    """Row 1: whether the log holds the event that the checkpoint was written after, with the same ids."""
    mark = state.high_water
    at = next(iter(found.events(state.session_id, after=mark.seq - 1)), None)
    return at is not None and (at.event_id, at.seq, at.run_id, at.turn_id) == (
        mark.event_id, mark.seq, mark.run_id, mark.turn_id,
    )  # fmt: skip
