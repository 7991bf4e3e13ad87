"""Which colour is which app: squares with names and lengths in one line, as many as there is room for."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from biny_desktop.activity.segments.model import HourBar
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.ui.colours import mix
from biny_desktop.ui.formats import duration
from biny_desktop.ui.theme import app_colour, colour, theme_signals, tokens
from biny_desktop.ui.widgets.texture import dots, hatch

SQUARE_PX, GAP_PX = 10, 16


class AppLegend(QWidget):
    """`show_hours` sums the bars of a day; what does not fit is counted at the end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[tuple[str, str, str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme_signals().changed.connect(self.update)

    def show_hours(self, hours: Sequence[HourBar]) -> None:
        """Apps of all bars, most time first, then watching and private."""
        sums: dict[tuple[str, str], int] = {}
        for bar in hours:
            for app in bar.apps:
                key = (app.app_id, app.app_name)
                sums[key] = sums.get(key, 0) + app.ms
        most = sorted(sums.items(), key=lambda each: (each[0][0] == "", -each[1]))
        entries = [("app:" + key[0], key[1] or key[0] or _("Other apps"), duration(ms)) for key, ms in most if ms]
        for kind, words, total in (
            ("watching", _("Watching"), sum(bar.watching_ms for bar in hours)),
            ("private", _("Private"), sum(bar.private_ms for bar in hours)),
        ):
            if total:
                entries.append((kind, words, duration(total)))
        self._entries = tuple(entries)
        words = "\n".join(f"{name} · {length}" for _key, name, length in entries)
        self.setAccessibleName(words.replace("\n", ", "))
        self.setToolTip("" if "<" in words else words)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, self.fontMetrics().height() + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = painter.font()
        font.setPixelSize(tokens().small_px)
        painter.setFont(font)
        metrics = painter.fontMetrics()
        size, gap = tokens().px(SQUARE_PX), tokens().px(GAP_PX)
        x = 0
        for place, (key, name, length) in enumerate(self._entries):
            left = len(self._entries) - place
            more = ngettext("{n} more", "{n} more", left).format(n=left)
            need = size + 6 + metrics.horizontalAdvance(f"{name} {length}") + 2
            reserve = gap + metrics.horizontalAdvance(more) if left > 1 else 0
            if x + need + reserve > self.width() and (left > 1 or x + need > self.width()):
                painter.setPen(colour("muted"))
                painter.drawText(QRect(x, 0, self.width() - x, self.height()), _LEFT, more)
                return
            _square(painter, QRect(x, (self.height() - size) // 2, size, size), key)
            x += size + 6
            painter.setPen(colour("text"))
            painter.drawText(QRect(x, 0, self.width() - x, self.height()), _LEFT, name)
            x += metrics.horizontalAdvance(name + " ")
            painter.setPen(colour("muted"))
            painter.drawText(QRect(x, 0, self.width() - x, self.height()), _LEFT, length)
            x += metrics.horizontalAdvance(length) + gap


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def _square(painter: QPainter, area: QRect, key: str) -> None:
    if key == "private":
        hatch(painter, area, colour("private"), mix(colour("panel"), colour("private"), 0.16))
    elif key == "watching":
        dots(painter, area, colour("muted"), mix(colour("panel"), colour("muted"), 0.14))
    else:
        app_id = key.removeprefix("app:")
        painter.fillRect(area, app_colour(app_id) if app_id else colour("muted"))
