"""Fakes of every port of capture: set an attribute, call the recorder, look at what it did."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from biny_desktop.capture.ports import (
    InputTotals,
    Json,
    KeptFrame,
    Monitor,
    NewFrame,
    Note,
    Notify,
    Pixels,
    PresenceKind,
    PresenceNotice,
    RecorderState,
    Shot,
    SkipReason,
    Unknown,
    WindowInfo,
)
from biny_desktop.core.clock import Clock, Stamp
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect

EXTEND_MS = 5_000
"""Equal reasons of one app within this time extend one row (spec 02 §2.1)."""


def make_window(app_id: str = "editor", title: str = "notes.txt", **changes: object) -> WindowInfo:
    """A plain window of 800 × 600 px; any field by name."""
    base = WindowInfo(
        f"0x{abs(hash((app_id, title))) % 0xFFFFFF:x}", app_id, app_id.title(), 4242, title, Rect(100, 80, 800, 600)
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def make_monitor(width: int = 640, height: int = 360, x: int = 0, y: int = 0, name: str = "FAKE-1") -> Monitor:
    """A monitor without panels; its key has name, size and place like a real one."""
    rect = Rect(x, y, width, height)
    return Monitor(f"{name} {width}x{height}+{x}+{y}", rect, 1.0, rect)


def make_pixels(width: int = 640, height: int = 360, seed: int = 0) -> Pixels:
    """A picture that differs in most places for another seed."""
    tiles = np.random.default_rng(seed).integers(0, 256, (height // 8 + 1, width // 8 + 1, 4), dtype=np.uint8)
    pixels = tiles.repeat(8, axis=0).repeat(8, axis=1)[:height, :width].copy()
    pixels[..., 3] = 255
    return pixels


class _Source:
    """What fakes of sources share: the notify they were given, and whether they run."""

    def __init__(self) -> None:
        self.notify: Notify = lambda: None
        self.started = 0
        self.stopped = 0
        self.start_error: Exception | None = None

    @property
    def running(self) -> bool:
        return self.started > self.stopped

    def start(self, notify: Notify) -> None:
        if self.start_error is not None:
            raise self.start_error
        self.notify = notify
        self.started += 1

    def stop(self) -> None:
        self.notify = lambda: None
        self.stopped = self.started


class FakeWindows(_Source):
    """`WindowSource`. `now` is the front window; `listing` what `visible` gives (default: just the front one).

    `script`, when given, is asked with the number of the call to `front` (from 0) and wins over `now`: for a window
    that changes during a grab.
    """

    def __init__(self, now: WindowInfo | Unknown | None = None) -> None:
        super().__init__()
        self.now: WindowInfo | Unknown = make_window() if now is None else now
        self.listing: list[WindowInfo] | Callable[[], list[WindowInfo] | None] | None = self._front_only
        self.script: Callable[[int], WindowInfo | Unknown] | None = None
        self.front_calls = 0

    def _front_only(self) -> list[WindowInfo]:
        return [self.now] if isinstance(self.now, WindowInfo) else []

    def focus(self, window: WindowInfo | Unknown) -> None:
        """Bring that window to the front and tell."""
        self.now = window
        self.notify()

    def front(self) -> WindowInfo | Unknown:
        call, self.front_calls = self.front_calls, self.front_calls + 1
        return self.now if self.script is None else self.script(call)

    def visible(self) -> list[WindowInfo] | None:
        return self.listing() if callable(self.listing) else self.listing


class FakeInput(_Source):
    """`InputSource`. `key`, `click`, `scroll` count and notify, at the time of the clock given."""

    def __init__(self, clock: Clock, name: str = "fake") -> None:
        super().__init__()
        self.name = name
        self._clock = clock
        self._totals = InputTotals()

    def key(self, count: int = 1) -> None:
        now = self._clock.mono_ms()
        self._totals = replace(self._totals, keys=self._totals.keys + count, last_key_ms=now, last_input_ms=now)
        self.notify()

    def click(self, x: int | None = None, y: int | None = None, count: int = 1) -> None:
        now = self._clock.mono_ms()
        self._totals = replace(
            self._totals,
            clicks=self._totals.clicks + count, last_click_ms=now, last_input_ms=now, click_x=x, click_y=y,
        )  # fmt: skip
        self.notify()

    def scroll(self, count: int = 1) -> None:
        now = self._clock.mono_ms()
        self._totals = replace(
            self._totals, scrolls=self._totals.scrolls + count, last_scroll_ms=now, last_input_ms=now
        )
        self.notify()

    def touch(self) -> None:
        """Input that is none of the three (a modifier, the pointer)."""
        self._totals = replace(self._totals, last_input_ms=self._clock.mono_ms())
        self.notify()

    def totals(self) -> InputTotals:
        return self._totals


class FakePresence(_Source):
    """`PresenceSource`. `idle` and `lock_state` are given as they are; `tell` adds a notice and keeps them in step."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self.idle: int | None = 0
        self.lock_state: bool | None = False
        self._pending: list[PresenceNotice] = []

    def tell(self, kind: PresenceKind) -> None:
        if kind in ("lock", "unlock"):
            self.lock_state = kind == "lock"
        self._pending.append(PresenceNotice(kind, self._clock.mono_ms()))
        self.notify()

    def idle_ms(self) -> int | None:
        return self.idle

    def locked(self) -> bool | None:
        return self.lock_state

    def notices(self) -> list[PresenceNotice]:
        taken, self._pending = self._pending, []
        return taken


class FakeScreen:
    """`ScreenSource`. `pictures` by monitor key (else `make_pixels` of its size); `error` is raised by `grab`.

    `on_grab` runs before each grab returns (to change the world during it). Counts: `grabs`, `renewed`, `closed`.
    """

    def __init__(self, clock: Clock, *monitors: Monitor, name: str = "fake") -> None:
        self.name = name
        self._clock = clock
        self.now: list[Monitor] = list(monitors) or [make_monitor()]
        self.pictures: dict[str, Pixels] = {}
        self.error: Exception | None = None
        self.on_grab: Callable[[Monitor], None] = lambda _monitor: None
        self.place: tuple[int, int] | None = (5, 5)
        self.grabs = self.renewed = self.closed = 0
        self.grabbed: list[str] = []

    def show(self, pixels: Pixels, monitor: Monitor | None = None) -> None:
        """Put a picture on that monitor (the first one by default)."""
        self.pictures[(monitor or self.now[0]).key] = pixels

    def monitors(self) -> list[Monitor]:
        return list(self.now)

    def grab(self, monitor: Monitor) -> Shot:
        self.grabs += 1
        self.grabbed.append(monitor.key)
        self.on_grab(monitor)
        if self.error is not None:
            raise self.error
        if monitor.key not in {each.key for each in self.now}:
            raise UnavailableError("Monitor is gone")
        pixels = self.pictures.get(monitor.key)
        if pixels is None:
            pixels = make_pixels(monitor.rect.w, monitor.rect.h)
        height, width = pixels.shape[:2]
        work = monitor.work_area.moved(-monitor.rect.x, -monitor.rect.y).clamped(width, height)
        pointer = None
        if self.place is not None and monitor.rect.contains(*self.place):
            pointer = (self.place[0] - monitor.rect.x, self.place[1] - monitor.rect.y)
        return Shot(pixels.copy(), monitor, monitor.scale, work, pointer, self._clock.mono_ms())

    def pointer(self) -> tuple[int, int] | None:
        return self.place

    def renew(self) -> None:
        self.renewed += 1

    def close(self) -> None:
        self.closed += 1


class FakeSink:
    """`FrameSink` in memory. `frames`, `notes` (extended like the real one), `states`; errors to raise by attribute."""

    def __init__(self) -> None:
        self.frames: list[NewFrame] = []
        self.notes: list[Note] = []
        self.states: list[tuple[Stamp, RecorderState, str, Mapping[str, Json]]] = []
        self.keep_error: Exception | None = None
        self.note_error: Exception | None = None
        self.trouble: SkipReason | None = None

    def keep(self, frame: NewFrame) -> KeptFrame:
        if self.keep_error is not None:
            raise self.keep_error
        assert (frame.picture is None) != (frame.seen_again_of is None), "exactly one of picture and seen_again_of"
        self.frames.append(frame)
        return KeptFrame(len(self.frames), len(frame.picture.jpeg) if frame.picture else 0)

    def note(self, note: Note) -> int:
        if self.note_error is not None:
            raise self.note_error
        if self.notes and note.kind in ("skip", "private"):
            last = self.notes[-1]
            end = last.stamp.at_ms if last.until_ms is None else last.until_ms
            same = (last.kind, last.reason, last.app_id) == (note.kind, note.reason, note.app_id)
            if same and note.stamp.at_ms - end <= EXTEND_MS:
                until = note.stamp.at_ms if note.until_ms is None else note.until_ms
                self.notes[-1] = replace(last, count=last.count + note.count, until_ms=until)
                return len(self.notes)
        self.notes.append(note)
        return len(self.notes)

    def state(self, stamp: Stamp, state: RecorderState, reason: str, detail: Mapping[str, Json]) -> None:
        self.states.append((stamp, state, reason, detail))

    def problem(self) -> SkipReason | None:
        return self.trouble

    def of_kind(self, kind: str) -> list[Note]:
        """The notes of one kind, oldest first."""
        return [note for note in self.notes if note.kind == kind]


class FakeControl:
    """`Control` with two attributes."""

    def __init__(self, *, on: bool = True, until_ms: int | None = None) -> None:
        self.on = on
        self.until_ms = until_ms

    def enabled(self) -> bool:
        return self.on

    def paused_until_ms(self) -> int | None:
        return self.until_ms
