"""A recorder on fakes, moved by a fake clock: no thread, no sleep."""

from dataclasses import dataclass

import numpy as np

from biny_desktop.capture.ports import InputSource, Pixels, PresenceSource, ScreenSource, WindowSource
from biny_desktop.capture.recorder import Recorder
from biny_desktop.capture.rules import RuleBook
from biny_desktop.capture.screening import Screening
from biny_desktop.core.events import EventBus
from biny_desktop.core.settings import Settings, Value, build
from tests.fakes.capture import (
    FakeControl,
    FakeInput,
    FakePresence,
    FakeScreen,
    FakeSink,
    FakeWindows,
    make_pixels,
    make_window,
)
from tests.fakes.clock import FakeClock


@dataclass
class FakePlatform:
    """`Platform` of fakes; `others` are the back ends to turn to."""

    windows: WindowSource
    input: InputSource
    presence: PresenceSource
    screen: ScreenSource
    others: list[FakeScreen]

    def next_screen(self, failed: ScreenSource) -> ScreenSource | None:
        del failed
        return self.others.pop(0) if self.others else None


class Rig:
    """Everything a test of the recorder touches."""

    def __init__(
        self, *, settings: dict[str, dict[str, Value]] | None = None, book: RuleBook | None = None,
        screening: Screening | None = None,
    ) -> None:  # fmt: skip
        self.clock = FakeClock()
        self.windows = FakeWindows(make_window())
        self.input = FakeInput(self.clock)
        self.presence = FakePresence(self.clock)
        self.screen = FakeScreen(self.clock)
        self.other = FakeScreen(self.clock, *self.screen.now, name="other")
        self.sink = FakeSink()
        self.control = FakeControl()
        self.settings: Settings = build(settings or {})
        self.book = book or RuleBook()
        self.bus = EventBus()
        self.platform = FakePlatform(self.windows, self.input, self.presence, self.screen, [self.other])
        self.recorder = Recorder(
            self.platform, self.sink, self.control, lambda: self.book, lambda: self.settings, self.clock, self.bus,
            screening=screening,
        )  # fmt: skip
        self.seed = 0

    def begin(self, settle_ms: int = 6_000) -> "Rig":
        """Start, take the first frame, and let the merge window pass."""
        self.recorder.begin()
        self.run(settle_ms)
        return self

    def run(self, ms: int, step_ms: int = 100) -> None:
        """Let time pass, stepping as the loop would."""
        end = self.clock.mono_ms() + ms
        while self.clock.mono_ms() < end:
            self.recorder.step()
            self.clock.advance(min(step_ms, end - self.clock.mono_ms()))
        self.recorder.step()

    def change(self) -> None:
        """Another picture on the first monitor."""
        self.seed += 1
        self.screen.show(self.pixels(self.seed))

    def pixels(self, seed: int) -> Pixels:
        rect = self.screen.now[0].rect
        return make_pixels(rect.w, rect.h, seed)

    def skips(self) -> list[str]:
        return [note.reason for note in self.sink.of_kind("skip")]

    def triggers(self) -> list[str]:
        return [frame.trigger for frame in self.sink.frames]


def black(width: int = 640, height: int = 360) -> Pixels:
    """A picture without light; alpha is full."""
    pixels = np.zeros((height, width, 4), dtype=np.uint8)
    pixels[..., 3] = 255
    return pixels
