"""The keys of the page Activity, wherever the keyboard is on it."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from biny_desktop.ui.pages.activity.page import ActivityPage


def add_keys(page: "ActivityPage") -> None:
    """Left, Right, Home, End, Space, T, G, Z, P, Ctrl+C, Ctrl+R, Del, Enter; everywhere +, −, Alt+Left, Alt+Right."""
    viewer, strip = page.viewer, page.strip
    keys: dict[str, Callable[[], object]] = {
        "Left": lambda: page.step(-1),
        "Right": lambda: page.step(1),
        "Home": strip.to_oldest,
        "End": strip.to_newest,
        "Space": page.play,
        "T": viewer.boxes.click,
        "G": viewer.tiles.click,
        "Z": viewer.full.click,
        "P": viewer.pin.click,
        "Ctrl+C": viewer.copy_text,
        "Ctrl+A": viewer.view.select_all,
        "Ctrl+R": viewer.reread.click,
        "Del": page.delete,
        "Return": lambda: page.show_source(open_panel=True),
    }
    everywhere: dict[str, Callable[[], object]] = {
        "Alt+Left": lambda: page.bar.step_day(-1),
        "Alt+Right": lambda: page.bar.step_day(1),
        "+": lambda: page.zoom.step(1),
        "=": lambda: page.zoom.step(1),
        "-": lambda: page.zoom.step(-1),
    }
    for place in (viewer.view, strip):  # not the buttons: Space belongs to the one in focus
        _add(place, keys)
    _add(page, everywhere)


def _add(place: QWidget, keys: Mapping[str, Callable[[], object]]) -> None:
    for key, act in keys.items():
        shortcut = QShortcut(QKeySequence(key), place)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(act)
