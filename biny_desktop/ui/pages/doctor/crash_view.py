"""Crash files: a list at the left, what one says at the right; they hold places in the code and no captured text."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from biny_desktop.core.clock import to_local
from biny_desktop.core.i18n import _
from biny_desktop.service.crash import Crash
from biny_desktop.ui.pages.doctor.log_view import PlainView
from biny_desktop.ui.widgets.index_list import IndexList
from biny_desktop.ui.widgets.labels import hairline, label

LIST_PX = 208
LARGEST_BYTES = 200_000
"""Of a larger crash file only the beginning is shown."""


class CrashView(QWidget):
    """`fill` shows the files, newest first; `wanted(path)` asks for the content of one, `show_text` gives it."""

    wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._crashes: tuple[Crash, ...] = ()
        self.list: IndexList | None = None
        self.text = PlainView(_("Crash file"))
        none = label(
            _("No crash files. When the app fails, a file here says where in the code; it never holds what you saw."),
            "muted", wrap=True,
        )  # fmt: skip
        none.setContentsMargins(16, 16, 16, 16)
        empty = QWidget()
        column = QVBoxLayout(empty)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(none)
        column.addStretch(1)
        self._full = QWidget()
        self._row = QHBoxLayout(self._full)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(hairline(vertical=True))
        body = QVBoxLayout()
        body.setContentsMargins(16, 12, 0, 0)
        body.addWidget(self.text)
        self._row.addLayout(body, 1)
        self._stack = QStackedWidget()
        self._stack.addWidget(empty)
        self._stack.addWidget(self._full)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)

    def fill(self, crashes: Sequence[Crash], zone: str) -> None:
        """Show these."""
        newest_first = tuple(reversed(crashes))
        self._stack.setCurrentIndex(1 if newest_first else 0)
        if newest_first == self._crashes:
            return
        self._crashes = newest_first
        if self.list is not None:
            self.list.hide()
            self.list.deleteLater()
        titles = [_title(each, zone) for each in newest_first]
        self.list = IndexList(_("Crash files"), titles, LIST_PX)
        self.list.chosen.connect(lambda number: self.wanted.emit(self._crashes[number].path))
        self._row.insertWidget(0, self.list)
        if newest_first:
            self.list.setCurrentRow(0)

    def show_text(self, text: str) -> None:
        """The content of the one chosen."""
        self.text.setPlainText(text)


def reader(path: str) -> Callable[[], str]:
    """Reads a crash file; for a pool thread."""

    def read() -> str:
        try:
            with Path(path).open(encoding="utf-8", errors="replace") as file:
                return file.read(LARGEST_BYTES)
        except OSError:
            return _("The file is gone.")

    return read


def _title(crash: Crash, zone: str) -> str:
    text = f"{to_local(crash.at_ms, zone):%Y-%m-%d %H:%M}"
    return text if crash.seen else _("{time} (new)").format(time=text)
