"""A scripted day for the soak run: a real recorder, reader and home, moved by a fake clock through 8 hours of use.

Twelve windows, two of them private, a person who types, clicks, scrolls and switches, and everything that happens to
a machine meanwhile: locks, sleep, a set clock, a clock change, a second monitor, a full disk, a dying OCR child, a
pause, a delete. Nothing here waits; the fake clock jumps from one moment at which something is due to the next.
"""

import contextlib
import os
import random
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from biny_desktop.activity.deletes import Selection
from biny_desktop.activity.disk import GB, Space
from biny_desktop.capture.ports import Monitor, Pixels, WindowInfo
from biny_desktop.capture.recorder import Recorder
from biny_desktop.capture.rules_store import StoredRules
from biny_desktop.core import settings as settings_module
from biny_desktop.core.geometry import Rect
from biny_desktop.reading.child import OcrChild
from biny_desktop.reading.reader import Reader
from tests.capture.rig import FakePlatform
from tests.fakes.activity import ActivityHome
from tests.fakes.capture import FakeControl, FakeInput, FakePresence, FakeScreen, FakeWindows, make_monitor
from tests.fakes.clock import FakeClock

START_MS = 1_792_864_800_000
"""2026-10-24T18:00:00Z: 20:00 in Berlin, on the evening before the clocks go back."""
ZONE = "Europe/Berlin"
MINUTE_MS = 60_000
SIZE = (1_280, 720)
ANSWER_MS = 15_000
"""Merge window, wait of a trigger, a retry and a typing pause together are shorter than this (spec 02 §1)."""
APPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("code", "Code", ("storage.py – biny", "ageing.py – biny", "README.md – biny")),
    ("terminal", "Terminal", ("biny: pytest", "biny: git log")),
    ("firefox", "Firefox", ("SQLite WAL mode – Docs", "Pull request #42 – biny", "Issue #17 – biny")),
    ("mail", "Mail", ("Inbox", "Offer for Mr Lind")),
    ("slides", "Slides", ("Quarterly plan",)),
    ("sheet", "Sheet", ("Budget 2027",)),
    ("chat", "Chat", ("#storage", "#lunch")),
    ("pdf", "PDF", ("Ferry timetable.pdf",)),
    ("notes", "Notes", ("预算会议 今天中午", "Shopping list")),
    ("music", "Music", ("Now playing",)),
)
PRIVATE: tuple[tuple[str, str], ...] = (("keepassxc", "Passwords"), ("bitwarden", "Vault"))
PRIVATE_SHARE = 0.05


class Pages:
    """Pictures of windows as they change: lines of drawn text that scroll, grow and go."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        font = ImageFont.load_default(14)
        words = [
            "ferry",
            "harbour",
            "ledger",
            "module",
            "query",
            "index",
            "tide",
            "report",
            "budget",
            "lantern",
            "meadow",
            "copper",
            "signal",
        ]
        self._strips: list[Pixels] = []
        for number in range(120):
            image = Image.new("RGB", (SIZE[0] - 80, 18), (252, 252, 250))
            line = " ".join(self._chance.choices(words, k=self._chance.randint(1, 9)))
            ImageDraw.Draw(image).text((0, 0), f"{number} {line}", fill=(30, 34, 40), font=font)
            grey = np.asarray(image, dtype=np.uint8)
            self._strips.append(np.dstack([grey[..., ::-1], np.full(grey.shape[:2], 255, np.uint8)]))
        self._lines: dict[str, list[int]] = {}

    def change(self, key: str) -> None:
        """Some lines of that page become others, or it scrolls."""
        lines = self._lines.setdefault(key, self._chance.choices(range(120), k=36))
        if self._chance.random() < 0.4:
            step = self._chance.randint(3, 12)
            lines[:] = lines[step:] + self._chance.choices(range(120), k=step)
        else:
            for _ in range(self._chance.randint(1, 6)):
                lines[self._chance.randrange(36)] = self._chance.randrange(120)

    def picture(self, key: str) -> Pixels:
        """The page as it is now, BGRA."""
        if key not in self._lines:
            self.change(key)
        out = np.full((SIZE[1], SIZE[0], 4), 250, np.uint8)
        out[..., 3] = 255
        out[:32, :, :3] = 64 + 16 * (hash_of(key) % 9)
        for row, number in enumerate(self._lines[key]):
            out[40 + 18 * row : 58 + 18 * row, 40 : SIZE[0] - 40] = self._strips[number]
        return out


def hash_of(text: str) -> int:
    """A number of a text that is the same in every run."""
    return sum((place + 1) * ord(char) for place, char in enumerate(text))


@dataclass
class Played:
    """What happened: moments (UTC ms) at which a person did something while recording could answer; counts."""

    actions: list[int] = field(default_factory=list)
    triggers: int = 0
    private: int = 0
    kills: int = 0
    deleted: tuple[int, int] | None = None
    end_ms: int = 0


class LongDay:
    """The whole set; `play` is the day, `each_minute` is called with the minute of the script."""

    def __init__(self, folder: Path, seed: int = 1, *, hours: float = 8.0, triggers: int = 4_000) -> None:
        self.clock = FakeClock(START_MS, ZONE)
        settings = settings_module.build({"read": {"every": 3}, "notify": {"first_deletion": False}})
        self.home = ActivityHome(folder, self.clock, secret=bytes(range(32)), settings=settings)
        self.chance = random.Random(seed)
        self.pages = Pages(seed)
        self.minutes = round(hours * 60)
        self.gap_ms = hours * 3_600_000 * 0.82 / triggers
        self.windows, self.input = FakeWindows(self._window()), FakeInput(self.clock)
        self.presence, self.screen = FakePresence(self.clock), FakeScreen(self.clock, make_monitor(*SIZE))
        self.second = make_monitor(*SIZE, x=SIZE[0], name="FAKE-2")
        self.control = FakeControl()
        self.child = OcrChild("tests.fakes.ocr:PageEngine", 1)
        self.reader = Reader(self.home.queue, self.child, self.clock)
        rules = StoredRules(self.home.db, self.clock)
        platform = FakePlatform(self.windows, self.input, self.presence, self.screen, [])
        self.recorder = Recorder(
            platform, self.home.writer, self.control, rules.book, lambda: self.home.settings, self.clock,
            self.home.events,
        )  # fmt: skip
        self.played = Played()
        self._kill_due = False
        self._key = ""
        self.began_ms = self.clock.now_ms()

    # --- the script ---------------------------------------------------------------------------------------------

    def play(self, each_minute: Callable[[int], None] = lambda _minute: None) -> Played:
        """The day; returns what was done."""
        began = self.clock.mono_ms()
        self._show()
        self.recorder.begin()
        self._let(6_000)
        plan = {round(at * self.minutes / 480): do for at, do in self._incidents()}
        for minute in range(self.minutes):
            target = began + (minute + 1) * MINUTE_MS
            if minute in plan:
                plan[minute]()
            while self.clock.mono_ms() < target:
                self._act()
            each_minute(minute)
        self._let(ANSWER_MS)
        while self.reader.step():
            pass
        self.recorder.end("")
        self.child.close()
        self.played.end_ms = self.clock.now_ms()
        return self.played

    def _incidents(self) -> Iterator[tuple[int, Callable[[], None]]]:
        yield 30, lambda: self._locked(6)
        yield 70, lambda: self.clock.set_wall(self.clock.now_ms() + 10 * MINUTE_MS)
        yield 100, self._sleep
        yield 140, self._kill
        yield 170, lambda: self._monitors(2)
        yield 200, lambda: self._locked(12)
        yield 215, self._kill
        yield 230, lambda: self._monitors(1)
        yield 250, self._kill
        yield 260, self._disk_low
        yield 290, self._kill
        yield 300, self._pause
        yield 340, self._delete
        yield 360, self._kill
        yield 380, lambda: self._locked(5)

    def _locked(self, minutes: int) -> None:
        self.presence.tell("lock")
        self._let(minutes * MINUTE_MS)
        self.presence.tell("unlock")
        self._let(2_000)

    def _sleep(self) -> None:
        self.presence.tell("sleep")
        self._let(1_000)
        self.clock.suspend(40 * MINUTE_MS)
        self.presence.tell("wake")
        self._let(2_000)

    def _monitors(self, count: int) -> None:
        self.screen.now = [self.screen.now[0], self.second][:count]
        self._show()
        self._let(5_000)

    def _disk_low(self) -> None:
        self.home.space = Space(GB, 1_000 * GB)
        self._let(10 * MINUTE_MS)
        self.home.space = Space(500 * GB, 1_000 * GB)
        self._let(30_000)

    def _pause(self) -> None:
        self.control.until_ms = self.clock.now_ms() + 8 * MINUTE_MS
        self._let(8 * MINUTE_MS)
        self.control.until_ms = None
        self._let(5_000)

    def _delete(self) -> None:
        end = self.clock.now_ms() - 10 * MINUTE_MS
        self.played.deleted = (end - 10 * MINUTE_MS, end)
        self.home.deletes.run(Selection.of_range(*self.played.deleted))

    def _kill(self) -> None:
        self._kill_due = True

    # --- a person -----------------------------------------------------------------------------------------------

    def _act(self) -> None:
        """One thing a person does, then some time."""
        roll = self.chance.random()
        triggers = roll < 0.9  # a scroll is one only in watching mode (spec 02 §1)
        if roll < 0.25:
            window = self._window()
            triggers = window != self.windows.now
            self.windows.focus(window)
            self._show()
        else:
            if self.chance.random() < 0.85:
                self.pages.change(self._key)
                self._show()
            if roll < 0.6:
                self.input.click(self.chance.randrange(SIZE[0]), self.chance.randrange(SIZE[1]))
            elif roll < 0.9:
                self.input.key(self.chance.randint(3, 40))
            else:
                self.input.scroll(self.chance.randint(1, 9))
        self.presence.idle = 0
        self.played.triggers += triggers
        if isinstance(self.windows.now, WindowInfo) and self.windows.now.app_id in dict(PRIVATE):
            self.played.private += 1
        elif triggers:
            self.played.actions.append(self.clock.now_ms())
        pause = self.chance.expovariate(1 / self.gap_ms)
        self._let(max(400, min(round(pause), 6 * MINUTE_MS)))
        self._read()

    def _window(self) -> WindowInfo:
        if self.chance.random() < PRIVATE_SHARE:
            app_id, title = self.chance.choice(PRIVATE)
            name = app_id.title()
        else:
            app_id, name, titles = self.chance.choices(APPS, weights=(9, 7, 7, 3, 2, 2, 3, 1, 2, 1))[0]
            title = self.chance.choice(titles)
        return WindowInfo(f"0x{hash_of(app_id + title):x}", app_id, name, 4_242, title, Rect(0, 0, *SIZE))

    def _show(self) -> None:
        """The page of the front window is what the monitors show."""
        window = self.windows.now
        self._key = window.title if isinstance(window, WindowInfo) else ""
        first: Monitor = self.screen.now[0]
        self.screen.show(self.pages.picture(self._key), first)
        if len(self.screen.now) > 1:
            self.screen.show(self.pages.picture("second screen"), self.second)

    def _let(self, ms: int) -> None:
        """Let time pass, turning the recorder's loop whenever it wants to."""
        end = self.clock.mono_ms() + ms
        while (now := self.clock.mono_ms()) < end:
            wait = self.recorder.step()
            step = min(max(wait, 20), end - now)
            self.clock.advance(step)
            if self.presence.idle is not None:
                self.presence.idle += step
        self.recorder.step()

    def _read(self) -> None:
        if self._kill_due and (pid := self.child.pid()) is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            self._kill_due = False
            self.played.kills += 1
        self.reader.step()

    # --- what must hold -----------------------------------------------------------------------------------------

    def unanswered(self) -> list[int]:
        """Moments at which a person did something and no row says what came of it."""
        with self.home.db.read() as r:
            frames = [row.int("at") for row in r.query("SELECT captured_at AS at FROM frames ORDER BY at")]
            spans = [
                (row.int("at"), row.int("until"))
                for row in r.query(
                    "SELECT at, coalesce(until, at) AS until FROM frame_events "
                    "WHERE kind IN ('skip', 'private', 'lock', 'sleep', 'clock_step', 'state') ORDER BY at"
                )
            ]
        found = np.array(frames)
        starts, ends = np.array([low for low, _ in spans]), np.array([high for _, high in spans])
        lost = []
        for at in self.played.actions:
            place = int(np.searchsorted(found, at))
            if place < len(found) and found[place] - at <= ANSWER_MS:
                continue
            if not bool(((starts <= at + ANSWER_MS) & (ends >= at)).any()):
                lost.append(at)
        return lost
