"""Photographs every page in light and dark, English and Chinese, for people to look at.

`python -m tests.e2e.screenshots --out DIR [--home HOME] [--scale 2]`

Without `--home` a home is made: a month of drawn work up to this evening, in a zone where it is evening. A private X
server is started where there is none to use.
"""

import argparse
import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from biny_desktop.capture.platforms.pick import Platform, pick
from biny_desktop.service.schedule import JobRun
from tests.fakes.desktop import x_server

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from biny_desktop.service.product import Product
    from biny_desktop.service.status import Status
    from biny_desktop.ui.application import Shell

SIZES = {"": (1_280, 800), "-1024": (1_024, 640)}
THEMES = ("light", "dark")
LANGUAGES = ("en", "zh_CN")
QUIET_S, LONGEST_S = 0.6, 20.0
QUESTION = "timetable"
PARTS = (
    ("privacy", "rules"),
    ("privacy", "secrets"),
    ("privacy", "space"),
    ("privacy", "keeping"),
    ("settings", ""),
    ("doctor", "checks"),
    ("doctor", "back_ends"),
    ("doctor", "jobs"),
    ("doctor", "log"),
    ("doctor", "crash"),
)
"""Pages of several parts: the key of the page and the name of the part."""
ZOOMS = ("month", "week", "day", "hour", "minute")


class StillRecording:
    """A recorder that only says that all is well, so that the pictures show the usual state."""

    def __init__(self, product: "Product") -> None:
        self._product = product

    def status(self) -> "Status":
        status = self._product.resting_status()
        return replace(status, state="capturing", reason="", running=True, enabled=True, since_ms=status.last_frame_ms)

    @property
    def platform(self) -> Platform:
        return pick(self._product.clock)

    def health(self) -> dict[str, object]:
        threads = [{"name": name, "alive": True, "restarts": 0, "last_error": ""} for name in ("recorder", "reader")]
        now = self._product.clock.now_ms()
        jobs = [
            JobRun("ageing", "done", "first deletion waits", now - 840_000, now - 839_000, 940, 0, now + 960_000),
            JobRun("left-over files", "done", "0 files removed, 0 pending", now - 240_000, now, 12, 0, now + 360_000),
            JobRun("disk", "done", "enough", now - 21_000, now - 21_000, 1, 0, now + 39_000),
        ]
        reader = {"pictures_read": 42, "restarts": 0, "last_error": ""}
        return {"threads": threads, "reader": reader, "jobs": [job.as_json() for job in jobs]}

    def capture(self) -> dict[str, object]:
        return {"reason": "paused_by_user"}

    def wake(self) -> None:
        return


def main() -> int:
    """Take all pictures; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--scale", default="1")
    parser.add_argument("--question", default=QUESTION)
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    with x_server() as server, filled_home(chosen.home) as home, tempfile.TemporaryDirectory() as new:
        os.environ.update(DISPLAY=server.display, QT_QPA_PLATFORM="xcb", QT_SCALE_FACTOR=chosen.scale)
        from biny_desktop.app import open_product
        from biny_desktop.ui.application import make_application
        from tests.e2e.chatting import chatty
        from tests.e2e.understanding import understand

        app = make_application()
        with contextlib.closing(open_product(home)) as product, contextlib.closing(open_product(Path(new))) as fresh:
            product.recording = StillRecording(product)
            product.set_setting("capture.enabled", "true")
            dress(product)
            session = ""
            if not chosen.home:
                with chatty(product, Path(new) / "harbour") as session:
                    pass  # the server has said all it has to say
                understand(product)
            for theme in THEMES:
                for language in LANGUAGES:
                    for each in (product, fresh):
                        each.set_setting("ui.theme", theme)
                        each.set_setting("ui.language", language)
                    photograph(app, product, chosen.out, f"{theme}-{language}", chosen.question, session)
                    photograph_first_page(app, fresh, chosen.out, f"{theme}-{language}")
    return 0


@contextlib.contextmanager
def filled_home(home: Path | None) -> Iterator[Path]:
    """That home, or a temporary one full of frames."""
    if home is not None:
        yield home
        return
    from biny_desktop.core.clock import SystemClock
    from tests.fakes.day_home import evening_zone, make_day_home

    os.environ["TZ"] = evening_zone()
    time.tzset()
    with tempfile.TemporaryDirectory() as folder:
        make_day_home(Path(folder), SystemClock().stamp())
        yield Path(folder)


def photograph(
    app: "QApplication", product: "Product", out: Path, name: str, question: str, session: str = ""
) -> None:  # fmt: skip
    """Every page at both sizes; `session` is a chat to be shown."""
    with shown(app, product) as shell:
        window = shell.window
        for suffix, size in SIZES.items():
            window.resize(*size)
            window.close_panel()
            photograph_days(app, shell, out, f"{name}{suffix}")
            window.search(question)
            settle(app, lambda: not shell.calls.busy())
            window.grab().save(str(out / f"search-{name}{suffix}.png"))
            photograph_understanding(app, shell, out, f"{name}{suffix}", question)
            if session:
                photograph_chats(app, shell, out, f"{name}{suffix}", session)
            newest = product.timeline.frames(limit=1).frames
            if newest:
                from biny_desktop.core.anchors import Anchor

                window.show_source(Anchor("frame", str(newest[0].id), newest[0].at_ms, newest[0].zone))
                settle(app, lambda: not shell.calls.busy())
                window.grab().save(str(out / f"source-{name}{suffix}.png"))
            window.close_panel()
            for key, part in PARTS:
                window.open_page(key, part)
                photograph_parts(app, shell, out, f"{key}-{part}-{name}{suffix}" if part else f"{key}-{name}{suffix}")
        window.resize(*SIZES[""])
        window.show_page(0)
        window.close_panel()


def photograph_days(app: "QApplication", shell: "Shell", out: Path, name: str) -> None:
    """Today with and without a source beside it, and Activity from month to minute."""
    window = shell.window

    def take(what: str) -> None:
        settle(app, lambda: not shell.calls.busy())
        window.grab().save(str(out / f"{what}-{name}.png"))

    window.open_page("today")
    take("today")
    view = window.page().list.view
    segments = [view.segments.segment(row) for row in range(view.segments.rowCount())]
    longest = max((each for each in segments if each is not None), key=lambda each: each.length_ms)
    view.choose(longest.id)
    window.page().show_source(open_panel=True)
    take("today-source")
    window.close_panel()
    window.page().halves.show_part(1)
    window.page().switch.open_calendar()
    settle(app, lambda: not shell.calls.busy())
    window.page().switch.popup.grab().save(str(out / f"calendar-{name}.png"))
    window.page().switch.popup.hide()
    window.open_page("activity")
    for level in ZOOMS:
        window.page().zoom.set_level(level)
        if level == "week":
            window.page().bar.step_day(-1)  # a whole one
        take(f"activity-{level}")
        if level == "week":
            window.page().bar.step_day(1)
    window.page().zoom.set_level("day")


def photograph_understanding(app: "QApplication", shell: "Shell", out: Path, name: str, question: str) -> None:
    """Search by meaning and for activities, Reports, Models."""
    from tests.e2e.understanding import understood

    def take(what: str) -> None:
        settle(app, lambda: not shell.calls.busy())
        shell.window.grab().save(str(out / f"{what}-{name}.png"))

    understood(shell.window, question, take)


def photograph_chats(app: "QApplication", shell: "Shell", out: Path, name: str, session: str) -> None:
    """Chat."""
    from tests.e2e.chatting import chatted

    def take(what: str) -> None:
        settle(app, lambda: not shell.calls.busy())
        shell.window.grab().save(str(out / f"{what}-{name}.png"))

    chatted(shell.window, session, take)


def photograph_parts(app: "QApplication", shell: "Shell", out: Path, name: str) -> None:
    """What is shown now, and below it what one has to scroll to."""
    from PySide6.QtWidgets import QScrollArea

    settle(app, lambda: not shell.calls.busy())
    areas = [each for each in shell.window.page().findChildren(QScrollArea) if each.isVisible()]
    bar = areas[0].verticalScrollBar() if areas else None
    number = 1
    if bar is not None:
        bar.setValue(0)
    while True:
        settle(app, lambda: not shell.calls.busy())
        shell.window.grab().save(str(out / f"{name}{'' if number == 1 else f'-{number}'}.png"))
        if bar is None or bar.value() >= bar.maximum():
            return
        bar.setValue(bar.value() + bar.pageStep() - 60)
        number += 1


def dress(product: "Product") -> None:
    """Rules, a pattern and an announced first deletion, so that tables have rows."""
    from biny_desktop.capture.user_rules import UserRule

    care = product.privacy
    if not care.user_rules():
        care.add_rule(UserRule(0, "Bank", "title", "contains", "Bank of the Bay", "placeholder"))
        care.add_rule(UserRule(0, "Diary", "app", "glob", "org.diary.*", "no_trace"))
        care.add_rule(UserRule(0, "Chat of the family", "title", "contains", "Family chat", "mask", enabled=False))
        care.add_pattern("Project numbers", "PRJ-[0-9]{4}")
        care.set_builtin("product:buttercup", on=False)
    product.retention.run()


def photograph_first_page(app: "QApplication", product: "Product", out: Path, name: str) -> None:
    """The page that asks before anything is recorded, and the empty pages behind it."""
    with shown(app, product) as shell:
        shell.window.resize(*SIZES[""])
        settle(app, lambda: shell.watch.last is not None)
        shell.window.grab().save(str(out / f"consent-{name}.png"))
        shell.window.resize(*SIZES["-1024"])
        settle(app, lambda: not shell.calls.busy())
        shell.window.grab().save(str(out / f"consent-{name}-1024.png"))
        shell.window.decline_recording()
        for key in ("today", "activity", "search", "reports", "models"):
            shell.window.open_page(key)
            settle(app, lambda: not shell.calls.busy())
            shell.window.grab().save(str(out / f"{key}-empty-{name}.png"))


@contextlib.contextmanager
def shown(app: "QApplication", product: "Product") -> Iterator["Shell"]:
    """A shell whose window is shown, without a tray."""
    from biny_desktop.ui.application import Shell

    shell = Shell(app, product)
    shell.watch.start()
    shell.window.come_to_front()
    try:
        yield shell
    finally:
        shell.close()


def settle(app: "QApplication", done: Callable[[], bool]) -> None:
    """Let the window work until it has been still for a moment."""
    end, quiet_since = time.monotonic() + LONGEST_S, time.monotonic()
    while time.monotonic() < end:
        app.processEvents()
        time.sleep(0.01)
        if not done():
            quiet_since = time.monotonic()
        elif time.monotonic() - quiet_since > QUIET_S:
            return


if __name__ == "__main__":
    sys.exit(main())
