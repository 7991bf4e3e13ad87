"""The half minute itself: what is opened, typed and clicked, while the recorder of this home looks on."""

from collections.abc import Callable

from biny_desktop.core.errors import InvalidInputError
from biny_desktop.service.demo.stage import DemoWindow, Hands, Stage
from biny_desktop.service.product import Product

MARK = "demo.home"
DRAIN_S = 240.0
"""Longest wait for the reading queue; a slow machine reads a page in about 10 s."""
SETTINGS = {"capture.enabled": "true", "capture.merge_ms": "3000", "read.enabled": "true", "read.every": "1"}
"""The demo agrees to recording for its own home only, and reads every frame (issue 2, part 6)."""

Say = Callable[[str], None]


def claim_home(product: Product) -> None:
    """Make this home the demo's own, or refuse one that holds a person's recordings.

    Raises:
        InvalidInputError: the home has frames that the demo did not make.
    """
    with product.database.read() as r:
        marked = r.one("SELECT 1 AS x FROM meta WHERE key = :key", {"key": MARK}) is not None
    if not marked and product.timeline.counts().frames:
        raise InvalidInputError(
            "This home is in use", "It holds recordings; the demo would add to them.", "Use --home with a new folder."
        )
    with product.database.write() as w:
        w.run("INSERT INTO meta(key, value) VALUES(:key, '1') ON CONFLICT(key) DO NOTHING", {"key": MARK})
    for key, text in SETTINGS.items():
        product.settings.set(key, text)


def play(stage: Stage, product: Product, say: Say) -> None:
    """Open the windows and use them; recording must be running."""
    hands = Hands(stage, product.clock)
    windows: dict[str, DemoWindow] = {}

    def open_window(kind: str) -> DemoWindow:
        windows[kind] = DemoWindow(kind, stage.env)
        hands.front(windows[kind])
        return windows[kind]

    try:
        say("editor: typing a line")
        editor = open_window("editor")
        hands.rest(3.5)
        hands.type(editor, "- gloves for six people")
        hands.rest(3.5)
        say("browser: reading two pages")
        browser = open_window("browser")
        hands.rest(3.5)
        hands.click(browser, 80, 90)
        hands.rest(3.5)
        hands.click(browser, 80, 90)  # the same page again: nothing new to keep
        hands.rest(3.5)
        say("password manager: in front for a moment")
        vault = open_window("passwords")
        hands.rest(3.5)
        hands.click(vault, 200, 200)
        hands.rest(1.0)
        vault.close()
        say("terminal: a file with secrets, and a command")
        terminal = open_window("terminal")
        hands.rest(3.5)
        hands.type(terminal, "git log --oneline")
        hands.rest(3.5)
        say("browser: a private window")
        open_window("private")
        hands.rest(3.5)
        windows["private"].close()
        say("editor: back again")
        hands.front(editor)
        hands.rest(4.0)
    finally:
        product.pause()  # what follows, closing the windows, is not worth a frame
        for window in windows.values():
            window.close()


def drain(product: Product, say: Say) -> None:
    """Wait until every kept frame is read, or the time is over."""
    deadline = product.clock.mono_ms() + DRAIN_S * 1000
    last = -1
    while product.clock.mono_ms() < deadline:
        left = product.timeline.counts().queued
        if left == 0:
            return
        if left != last:
            say(f"reading: {left} left")
            last = left
        product.clock.wait(0.3)


def understand(product: Product, say: Say) -> None:
    """Do at once what the schedule of a running app does in its own time: activities, vectors, the day's report."""
    say("understanding the day: activities, meaning, report")
    product.keeper.catch_up()
    product.sweep.run(lambda: True, lambda: None)
    product.reports.today()
