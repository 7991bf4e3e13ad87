"""Banners above the content: warnings that stay, errors that can be closed, and short notes that go by themselves."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from biny_desktop.core.errors import BinyError, said
from biny_desktop.core.i18n import _, sentences
from biny_desktop.ui.icons import icon as themed_icon
from biny_desktop.ui.icons import pixmap
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.labels import hairline, label

NOTE_MS = 5_000
_SHAPES = {"info": ("info", "accent"), "warn": ("warning", "warn"), "bad": ("warning", "bad")}


@dataclass(frozen=True, slots=True)
class Banner:
    """What a banner says: `kind` info, warn or bad; `verb` and `act` make a button, `on_close` hears of its end."""

    kind: str
    title: str
    text: str = ""
    verb: str = ""
    act: Callable[[], None] | None = None
    on_close: Callable[[], None] | None = None


class Banners(QWidget):
    """Rows by key. One that the person closed stays away until its words change."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: dict[str, tuple[Banner, QWidget]] = {}
        self._closed: dict[str, tuple[str, str]] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._note_timer = QTimer(self, singleShot=True, interval=NOTE_MS)
        self._note_timer.timeout.connect(lambda: self.remove("note"))

    def put(self, key: str, banner: Banner) -> None:
        """Show a banner, or change the one of that key."""
        words = (banner.title, banner.text)
        shown = self._shown.get(key)
        if self._closed.get(key) == words or (shown is not None and (shown[0].title, shown[0].text) == words):
            return
        self.remove(key)
        row = self._row(key, banner)
        self._shown[key] = (banner, row)
        self._layout.addWidget(row)

    def remove(self, key: str) -> None:
        """Take a banner away; nothing happens when it is not there."""
        shown = self._shown.pop(key, None)
        if shown is not None:
            self._layout.removeWidget(shown[1])
            shown[1].hide()
            shown[1].deleteLater()

    def say(self, text: str) -> None:
        """A short note that goes by itself."""
        self.put("note", Banner("info", text))
        self._note_timer.start()

    def show_error(self, error: BinyError) -> None:
        """An error: what happened, what was kept, what to do. The newest replaces the one before."""
        self._closed.pop("error", None)
        text = sentences(*said(error)[1:])
        self.put("error", Banner("bad", said(error)[0], text))

    def retint(self) -> None:
        """Draw again in the colours of the theme shown now."""
        for key, (banner, _row) in list(self._shown.items()):
            self.remove(key)
            self.put(key, banner)

    def _row(self, key: str, banner: Banner) -> QWidget:
        row = QWidget(self)
        outer = QVBoxLayout(row)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        line = QWidget(row)
        line.setObjectName("banner")
        line.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        outer.addWidget(line)
        outer.addWidget(hairline())
        layout = QHBoxLayout(line)
        layout.setContentsMargins(16, 8, 12, 8)
        layout.setSpacing(12)
        name, colour = _SHAPES[banner.kind]
        shape = label()
        size = tokens().px(16)
        shape.setPixmap(pixmap(name, size, getattr(tokens(), colour), self.devicePixelRatioF()))
        layout.addWidget(shape, 0, Qt.AlignmentFlag.AlignTop if banner.text else Qt.AlignmentFlag.AlignVCenter)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(label(banner.title, "heading" if banner.text else "", wrap=True))
        if banner.text:
            words.addWidget(label(banner.text, "muted", wrap=True, selectable=True))
        layout.addLayout(words, 1)
        if banner.act is not None:
            layout.addWidget(_button(banner))
        layout.addWidget(self._close_button(key, banner), 0, Qt.AlignmentFlag.AlignVCenter)
        row.setAccessibleName(f"{banner.title} {banner.text}".strip())
        return row

    def _close_button(self, key: str, banner: Banner) -> QToolButton:
        close = QToolButton(self)
        close.setIcon(themed_icon("close", "muted"))
        close.setIconSize(QSize(16, 16))
        close.setAccessibleName(_("Close this message"))
        close.setToolTip(_("Close this message"))
        close.clicked.connect(lambda: self._on_closed(key, banner))
        return close

    def _on_closed(self, key: str, banner: Banner) -> None:
        self._closed[key] = (banner.title, banner.text)
        self.remove(key)
        if banner.on_close is not None:
            banner.on_close()


def _button(banner: Banner) -> QPushButton:
    button = QPushButton(banner.verb)
    button.setAccessibleName(banner.verb)
    button.setToolTip(banner.title)
    button.clicked.connect(banner.act)
    return button
