"""What capture takes and gives: windows, input, presence, screens on one side, frames and notes on the other."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from biny_desktop.core.clock import Stamp
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect
from biny_desktop.core.tiles import TileMask

Pixels: TypeAlias = npt.NDArray[np.uint8]
"""Height × width × 4, BGRA, 8 bit, physical pixels, as `mss` gives it."""

Json: TypeAlias = "str | int | float | bool | Mapping[str, Json] | list[Json] | tuple[Json, ...] | None"

TriggerKind = Literal[
    "start", "app_switch", "click", "typing_pause", "scroll_stop", "visual_change", "manual"
]  # fmt: skip

SkipReason = Literal[
    "not_enabled", "paused_by_user", "shutting_down",
    "session_inactive", "screen_locked", "asleep",
    "disk_low", "folder_missing",
    "no_permission", "no_monitor",
    "in_flight", "back_off",
    "unknown_window", "own_window",
    "private_app", "private_window", "private_url", "user_rule", "password_prompt",
    "no_picture", "black_picture", "frozen_source",
    "window_changed", "stale_epoch",
    "same_exact", "same_below_noise", "same_structure", "same_caret", "same_ring", "same_pointer", "same_panel",
    "same_tiny", "same_stroke", "same_restless", "watch_limit",
    "encode_failed", "write_failed", "screening_failed",
    "private_text",
]  # fmt: skip
"""Exactly the reasons of spec 02 §2, in the order of the gates, plus `private_text` (found later by reading)."""

EventKind = Literal[
    "skip", "private", "focus", "title", "input", "state", "lock", "unlock", "sleep", "wake", "clock_step", "zone",
    "monitors", "source", "drop", "disk",
]  # fmt: skip

RecorderState = Literal[
    "off", "starting", "armed", "waiting", "grabbing", "comparing", "saving", "backing_off", "blocked"
]


@dataclass(frozen=True, slots=True)
class WindowInfo:
    """One top-level window at one moment. All text is raw: it lives in memory and is redacted before any sink.

    `window_id` the system's id as text; `app_id` bundle id, program name or WM_CLASS in lower case (privacy rules
    compare it); `app_name` what people call it; `rect` in physical pixels of the virtual screen; `dialog` whether the
    system calls it a dialog; `private_hint` what the system or the process arguments tell about private browsing
    ("unknown" counts as private); `own` whether it is a window of this app.
    """

    window_id: str
    app_id: str
    app_name: str
    pid: int | None
    title: str
    rect: Rect | None
    dialog: bool = False
    private_hint: Literal["private", "unknown"] | None = None
    url: str | None = None
    own: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """The front window cannot be told, and why (a short word for status and Doctor, no title in it)."""

    reason: str


Notify: TypeAlias = Callable[[], None]
"""Called from a source's own thread when something changed; must return within 50 µs (it only wakes the recorder)."""


class WindowSource(Protocol):
    """The window manager, as far as capture needs it. Every method is called from the recorder thread."""

    def start(self, notify: Notify) -> None:
        """Begin to watch; `notify` is called on any focus, title or stacking change."""
        ...

    def stop(self) -> None:
        """End the watch and free everything; may be called twice."""
        ...

    def front(self) -> WindowInfo | Unknown:
        """The window in front now; never raises, a slow or failing answer is `Unknown`."""
        ...

    def visible(self) -> list[WindowInfo] | None:
        """All windows that can be seen, lowest first; None when the system cannot list them."""
        ...


@dataclass(frozen=True, slots=True)
class InputTotals:
    """Running totals since the source started; only ever rise. Monotonic ms of the last of each kind, 0 = never.

    `keys` typing keys pressed (never which), `clicks` buttons released (not the wheel), `scrolls` wheel steps;
    `click_x`, `click_y` the place of the last click on the virtual screen.
    """

    keys: int = 0
    clicks: int = 0
    scrolls: int = 0
    last_key_ms: int = 0
    last_click_ms: int = 0
    last_scroll_ms: int = 0
    last_input_ms: int = 0
    click_x: int | None = None
    click_y: int | None = None


class InputSource(Protocol):
    """Counts of input, never its content (spec 02 §1.6)."""

    name: str

    def start(self, notify: Notify) -> None:
        """Begin to count; `notify` wakes the recorder.

        Raises:
            UnavailableError: input cannot be observed here.
        """
        ...

    def stop(self) -> None:
        """End; may be called twice."""
        ...

    def totals(self) -> InputTotals:
        """The totals now; cheap, from any thread."""
        ...


PresenceKind = Literal["lock", "unlock", "sleep", "wake", "session_inactive", "session_active"]


@dataclass(frozen=True, slots=True)
class PresenceNotice:
    """The session changed: what, and when (monotonic ms)."""

    kind: PresenceKind
    mono_ms: int


class PresenceSource(Protocol):
    """Whether a person is there: idle time, lock, sleep, session."""

    def start(self, notify: Notify) -> None:
        """Begin to listen for lock, sleep and session notices; works without any bus (then it knows nothing)."""
        ...

    def stop(self) -> None:
        """End; may be called twice."""
        ...

    def idle_ms(self) -> int | None:
        """Milliseconds since the last input of the whole system; None when it cannot be told."""
        ...

    def locked(self) -> bool | None:
        """Whether the session is locked; None when it cannot be told."""
        ...

    def notices(self) -> list[PresenceNotice]:
        """What happened since the last call, oldest first."""
        ...


@dataclass(frozen=True, slots=True)
class Monitor:
    """One monitor: `key` = name + physical size + position (never an index), `rect` on the virtual screen in physical
    pixels, `scale` physical per logical pixel, `work_area` without panels, on the virtual screen."""

    key: str
    rect: Rect
    scale: float
    work_area: Rect


@dataclass(frozen=True, slots=True)
class Shot:
    """One grabbed picture. All geometry is in pixels of this picture and inside it.

    `pixels` BGRA, `scale` of the monitor, `work_area` the part without panels, `pointer` (x, y) or None when it is on
    another monitor, `mono_ms` when it was taken.
    """

    pixels: Pixels
    monitor: Monitor
    scale: float
    work_area: Rect
    pointer: tuple[int, int] | None
    mono_ms: int

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) px."""
        return int(self.pixels.shape[1]), int(self.pixels.shape[0])


class ScreenSource(Protocol):
    """Monitors and their pixels."""

    name: str

    def monitors(self) -> list[Monitor]:
        """The monitors now; empty when there is none."""
        ...

    def grab(self, monitor: Monitor) -> Shot:
        """One picture of that monitor.

        Raises:
            BinyError: the monitor is gone, permission is missing, or the system refused.
        """
        ...

    def pointer(self) -> tuple[int, int] | None:
        """Pointer place on the virtual screen."""
        ...

    def renew(self) -> None:
        """Throw the connection away and make a new one (screen change, frozen source)."""
        ...

    def close(self) -> None:
        """Free everything; may be called twice."""
        ...


class NoPermissionError(UnavailableError):
    """The system does not let this app see the screen (gate 4, `no_permission`); `monitors` or `grab` raises it."""

    kind = "no_permission"


class Platform(Protocol):
    """All sources of one system, as `platforms.pick` puts them together."""

    @property
    def windows(self) -> WindowSource: ...
    @property
    def input(self) -> InputSource: ...
    @property
    def presence(self) -> PresenceSource: ...
    @property
    def screen(self) -> ScreenSource: ...

    def next_screen(self, failed: ScreenSource) -> ScreenSource | None:
        """The way to grab to try when `failed` keeps failing (spec 02 §2.4); None after the last."""
        ...


@dataclass(frozen=True, slots=True)
class TextVerdict:
    """What the user's text rules say about the lines of a screen (spec 02 §3.8).

    `rule` (`user:7`) hides the whole frame, None: it may be kept; `traced`: a placeholder row takes its place;
    `masked`: numbers of the lines to paint over and to leave out of the text, `masks`: the rules that hit them.
    """

    rule: str | None = None
    traced: bool = True
    masked: tuple[int, ...] = ()
    masks: tuple[str, ...] = ()

    @property
    def hides(self) -> bool:
        """Whether anything of the screen must not be kept."""
        return self.rule is not None or bool(self.masked)


class TextScreen(Protocol):
    """Privacy rules on the text of a screen; `rules.RuleBook` is one, whoever reads pictures asks it."""

    def wants_text(self) -> bool:
        """Whether there is a text rule, so that every kept frame must be read."""
        ...

    def wants_paint(self) -> bool:
        """Whether one of them masks lines, so that every frame must be read before its picture is written."""
        ...

    def judge_text(self, lines: Sequence[str]) -> TextVerdict:
        """The answer about raw lines; bounded in time, a slow rule counts as a hit."""
        ...


@dataclass(frozen=True, slots=True)
class NewPicture:
    """An encoded picture ready to be written: JPEG bytes without metadata and what rows keep about it.

    `pixel_hash` BLAKE2b-128 of the grab's pixels (hex), `phash` 64-bit perceptual hash (hex), `thumb` JPEG 160×90.
    """

    jpeg: bytes
    width: int
    height: int
    quality: int
    pixel_hash: str
    phash: str
    thumb: bytes


@dataclass(frozen=True, slots=True)
class NewFrame:
    """A kept attempt. Exactly one of `picture` and `seen_again_of` (an earlier frame's id) is set, or neither while
    the picture is held for screening.

    `window` holds raw text; the sink redacts it. `keys`, `clicks` since the last frame. `why` is JSON-able and holds no
    captured text. `held` is the unscaled grab for reading, given only when the picture is wider than it is stored.
    """

    stamp: Stamp
    trigger: TriggerKind
    monitor_key: str
    scale: float
    window: WindowInfo
    idle_ms: int | None
    keys: int
    clicks: int
    picture: NewPicture | None
    seen_again_of: int | None
    tiles: TileMask | None
    change_reason: str
    flags: tuple[str, ...] = ()
    why: Mapping[str, Json] = field(default_factory=dict)
    held: Pixels | None = None


@dataclass(frozen=True, slots=True)
class KeptFrame:
    """What the sink committed."""

    frame_id: int
    picture_bytes: int


@dataclass(frozen=True, slots=True)
class Note:
    """A non-frame: something that happened, or why nothing was kept. Text is raw; the sink redacts it.

    `stamp` when it began, `until_ms` UTC ms when it ended (None = a moment), `count` how many it stands for.
    A private note carries no title, and an app id only with `privacy.name_private_apps`.
    """

    stamp: Stamp
    kind: EventKind
    reason: str = ""
    count: int = 1
    until_ms: int | None = None
    app_id: str | None = None
    app_name: str | None = None
    title: str | None = None
    detail: Mapping[str, Json] = field(default_factory=dict)


class FrameSink(Protocol):
    """The one place that writes rows; `activity` implements it. Called from the recorder thread."""

    def keep(self, frame: NewFrame) -> KeptFrame:
        """Write the picture file and the rows, in one transaction.

        Raises:
            StorageError: nothing was written (gate 11, `write_failed`); `DiskFullError` for want of space.
        """
        ...

    def note(self, note: Note) -> int:
        """Write an event row, or extend the newest one: equal kind, reason and app within 5 s (kinds skip, private).

        Returns the id of the row. Raises StorageError when nothing could be written.
        """
        ...

    def state(self, stamp: Stamp, state: RecorderState, reason: str, detail: Mapping[str, Json]) -> None:
        """Write a `recorder_states` row."""
        ...

    def problem(self) -> SkipReason | None:
        """Gate 3: `disk_low` or `folder_missing`, or None when writing is fine."""
        ...


class Control(Protocol):
    """What the person decided; read at every attempt."""

    def enabled(self) -> bool:
        """Recording is agreed to and on."""
        ...

    def paused_until_ms(self) -> int | None:
        """None: not paused. UTC ms until which recording is paused; a pause without end is `FOREVER_MS`."""
        ...


FOREVER_MS = 253_402_300_799_000
"""A pause without end: the last millisecond of the year 9999."""
