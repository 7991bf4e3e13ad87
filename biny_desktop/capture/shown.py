"""The state people see: one of five, first match wins (spec 02 §2, "Shown state"); pure."""

from dataclasses import dataclass
from typing import Literal

from biny_desktop.capture.ports import RecorderState

ShownState = Literal["locked", "stalled", "paused", "idle", "capturing"]

IDLE_MS = 30_000
"""Armed, and no input for longer than this: idle (ms)."""
TRIGGER_MS = 30_000
"""A trigger older than this without a row: stalled (ms)."""
HUNG_MS = 30_000
"""A loop that has not turned for this long hangs (ms; §11 row 6: shown within 30 s)."""

LOCKED = frozenset({"session_inactive", "screen_locked", "asleep"})
OFF = frozenset({"not_enabled", "paused_by_user", "shutting_down"})


@dataclass(frozen=True, slots=True)
class ShownInputs:
    """What the state is computed from; `now_ms` and the other times are monotonic, `since_ms` UTC.

    `state`, `reason`, `since_ms`: the newest row of `recorder_states` (None: there is none). `enabled`, `paused` as the
    user decided. `locked`: the screen is locked, the machine asleep, or another user's session in front. `alive`: the
    supervisor sees a running thread. `front` as in `RecorderHealth`.
    """

    now_ms: int
    state: RecorderState | None
    reason: str
    since_ms: int
    enabled: bool
    paused: bool
    locked: bool = False
    alive: bool = True
    front: str = "none"
    oldest_ms: int | None = None
    step_ms: int | None = None
    input_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """The state, a word why (a `SkipReason`, `user`, `no_thread`, `hung`, `trigger_waits` or empty), and since when."""

    state: ShownState
    reason: str
    since_ms: int


def shown_state(inputs: ShownInputs) -> Shown:
    """The first of locked, stalled, paused by the user, paused for privacy, idle, capturing that applies."""
    state, reason = _first(inputs)
    return Shown(state, reason, inputs.since_ms)


def _first(inputs: ShownInputs) -> tuple[ShownState, str]:
    if inputs.alive and (inputs.locked or inputs.reason in LOCKED):
        return "locked", inputs.reason if inputs.reason in LOCKED else "screen_locked"
    if not inputs.enabled or inputs.paused:
        return "paused", "user"
    stalled = _stalled(inputs)
    if stalled:
        return "stalled", stalled
    if inputs.front in ("private", "unknown"):
        return "paused", inputs.front
    if inputs.input_ms is not None and inputs.now_ms - inputs.input_ms > IDLE_MS:
        return "idle", ""
    return "capturing", ""


def _stalled(inputs: ShownInputs) -> str:
    """Why it should record and does not; empty if it does."""
    if not inputs.alive:
        return "no_thread"
    if inputs.step_ms is not None and inputs.now_ms - inputs.step_ms > HUNG_MS:
        return "hung"
    if inputs.state in ("blocked", "backing_off") and inputs.reason not in OFF:
        return inputs.reason
    if inputs.oldest_ms is not None and inputs.now_ms - inputs.oldest_ms > TRIGGER_MS:
        return "trigger_waits"
    return ""
