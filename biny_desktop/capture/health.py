"""What the recorder tells about itself, readable from any thread."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from biny_desktop.capture.ports import RecorderState

Front = Literal["none", "ok", "private", "unknown", "own"]


@dataclass(frozen=True, slots=True)
class RecorderHealth:
    """One moment of the recorder; times are monotonic ms.

    `state`, `reason` as in spec 02 §2; `front` what is in front (`private`, `unknown` show as paused); `oldest_ms` the
    oldest trigger without an answer; `step_ms` when the loop last turned (an old one means hung or dead); `input`,
    `screen` the names of the back ends in use, `input` is `poll` for "reduced input"; `counters` since the start.
    """

    state: RecorderState = "off"
    reason: str = ""
    front: Front = "none"
    locked: bool = False
    oldest_ms: int | None = None
    step_ms: int | None = None
    input_ms: int | None = None
    frame_ms: int | None = None
    input: str = ""
    screen: str = ""
    others_seen: bool = True
    """Whether windows that are not in front can be listed, so that private ones are painted over (§3.6)."""
    epoch: int = 0
    counters: Mapping[str, int] = field(default_factory=dict)
