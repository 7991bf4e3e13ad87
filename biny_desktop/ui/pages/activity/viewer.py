"""The frame viewer: one picture with its overlays and the buttons for it."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSettings, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from biny_desktop.activity.model import FrameDetail
from biny_desktop.core.i18n import _
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.formats import clock_time, full_moment
from biny_desktop.ui.icons import icon
from biny_desktop.ui.pages.activity.loading import LoadedFrame
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.elided_label import ElidedLabel
from biny_desktop.ui.widgets.labels import hairline
from biny_desktop.ui.widgets.picture_view import PictureView
from biny_desktop.ui.widgets.text_layer import TextLayer

ICON_PX = 18


class FrameViewer(QWidget):
    """Signals: `step_asked(+1 newer, -1 older)`, `play_asked`, `reread_asked(id)`, `pin_asked(id, on)`, `copied(n)`."""

    step_asked = Signal(int)
    play_asked = Signal()
    reread_asked = Signal(int)
    pin_asked = Signal(int, bool)
    copied = Signal(int)

    def __init__(self, calls: Calls, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.detail: FrameDetail | None = None
        self._quote = ""
        self.view = PictureView(calls, self)
        self.caption = ElidedLabel()
        self._icons: list[tuple[QToolButton, str]] = []
        self.playing = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.bar = QWidget()
        top = QVBoxLayout(self.bar)
        top.setContentsMargins(0, 0, 0, 0)
        top.setSpacing(0)
        top.addWidget(self._bar())
        top.addWidget(hairline())
        column.addWidget(self.bar)
        column.addWidget(self.view, 1)
        self.view.selection_changed.connect(lambda _text: self._enable())
        theme_signals().changed.connect(self._paint_icons)
        self._paint_icons()
        self._enable()

    def _bar(self) -> QWidget:
        bar = QWidget()
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 4, 12, 4)
        row.setSpacing(2)
        self.older = self._button("chevron-left", _("Previous frame (Left)"), lambda: self.step_asked.emit(-1))
        self.play = self._button("play", _("Play (Space)"), self.play_asked.emit)
        self.newer = self._button("chevron-right", _("Next frame (Right)"), lambda: self.step_asked.emit(1))
        self.boxes = self._button("textboxes", _("Show text boxes (T)"), self._overlays, checkable=True)
        self.tiles = self._button("tiles", _("Show what changed (G)"), self._overlays, checkable=True)
        self.full = self._button("zoom-in", _("Original size, 100 % (Z)"), self._zoom, checkable=True)
        self.copy = self._button("copy", _("Copy the text (Ctrl+C)"), self.copy_text)
        self.reread = self._button("refresh", _("Read the text again (Ctrl+R)"), self._reread)
        for button in (self.older, self.play, self.newer):
            row.addWidget(button)
        row.addSpacing(8)
        row.addWidget(self.caption, 1)
        row.addSpacing(8)
        self.pin = self._button("pin", _("Pin: keep this picture as it is (P)"), self._pin, checkable=True)
        for button in (self.boxes, self.tiles, self.full, self.copy, self.reread, self.pin):
            row.addWidget(button)
        return bar

    def _button(self, icon_name: str, tip: str, act: Callable[[], None], *, checkable: bool = False) -> QToolButton:
        button = QToolButton()
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setCheckable(checkable)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda _checked=False: act())
        self._icons.append((button, icon_name))
        return button

    # -- showing -------------------------------------------------------------------------------------------------------

    def show_frame(self, loaded: LoadedFrame, quote: str = "") -> None:
        """Show a frame; words of `quote` are marked where they stand."""
        same = self.detail is not None and self.detail.frame.id == loaded.detail.frame.id
        self.detail, self._quote = loaded.detail, quote or (self._quote if same else "")
        frame = loaded.detail.frame
        time = clock_time(frame.at_ms, frame.zone, seconds=True)
        self.caption.setText("   ".join(part for part in (time, frame.app_name, frame.title) if part))
        self.caption.set_tip("\n".join(part for part in (frame.title, full_moment(frame.at_ms, frame.zone)) if part))
        self.view.show_picture(loaded.image, loaded.problem)
        layer = TextLayer(loaded.detail.text or "", loaded.detail.lines)
        self.view.set_text(layer)
        self.view.set_tiles(_tile_rects(loaded.detail))
        found = layer.find(self._quote)
        if found is not None:
            self.view.set_found(layer.rects(*found))
        self._enable()

    def show_message(self, words: str) -> None:
        """Show words where the picture would be."""
        self.detail = None
        self.caption.setText("")
        self.caption.set_tip("")
        self.view.show_picture(None, words)
        self._enable()

    def set_playing(self, playing: bool) -> None:
        """Whether the frames run by themselves."""
        self.playing = playing
        self.play.setToolTip(_("Stop (Space)") if playing else _("Play (Space)"))
        self.play.setAccessibleName(self.play.toolTip())
        self._paint_icons()

    # -- acts ----------------------------------------------------------------------------------------------------------

    def copy_text(self) -> None:
        """Copy the selected text, or all of it."""
        if self.detail is None:
            return
        text = self.view.selected_text() or self.detail.text or ""
        if text:
            QGuiApplication.clipboard().setText(text)
            self.copied.emit(len(text))

    def _reread(self) -> None:
        if self.detail is not None and self.reread.isEnabled():
            self.reread_asked.emit(self.detail.frame.id)

    def _pin(self) -> None:
        if self.detail is not None:
            self.pin_asked.emit(self.detail.frame.id, self.pin.isChecked())

    def _zoom(self) -> None:
        self.view.set_fitted(not self.full.isChecked())

    def _overlays(self) -> None:
        self.view.set_overlays(boxes=self.boxes.isChecked(), tiles=self.tiles.isChecked())

    def _enable(self) -> None:
        detail = self.detail
        live = detail is not None and detail.frame.picture_state == "live"
        for button in (self.older, self.newer, self.play):
            button.setEnabled(detail is not None)
        self.boxes.setEnabled(detail is not None and bool(detail.lines) and live)
        self.tiles.setEnabled(detail is not None and detail.tiles is not None and live)
        self.full.setEnabled(live)
        self.copy.setEnabled(detail is not None and bool(detail.text))
        self.reread.setEnabled(live)
        pinned = detail is not None and detail.frame.pinned
        self.pin.setEnabled(live or pinned)
        self.pin.setChecked(pinned)
        tip = _("Unpin: let this picture age again (P)") if pinned else _("Pin: keep this picture as it is (P)")
        self.pin.setToolTip(tip)
        self.pin.setAccessibleName(tip)

    # -- look, state ---------------------------------------------------------------------------------------------------

    def _paint_icons(self, *_theme: object) -> None:
        size = tokens().px(ICON_PX)
        for button, name in self._icons:
            button.setIcon(icon("pause" if button is self.play and self.playing else name))
            button.setIconSize(QSize(size, size))

    def save_state(self, settings: QSettings) -> None:
        """Overlays and zoom."""
        for key, button in (("boxes", self.boxes), ("tiles", self.tiles), ("full", self.full)):
            settings.setValue(key, button.isChecked())

    def restore_state(self, settings: QSettings) -> None:
        """Overlays and zoom as they were."""
        for key, button in (("boxes", self.boxes), ("tiles", self.tiles), ("full", self.full)):
            button.setChecked(settings.value(key, False, type=bool))
        self._zoom()
        self._overlays()


def _tile_rects(detail: FrameDetail) -> list[QRectF]:
    """Changed tiles in pixels of the stored picture, cut at its edge."""
    if detail.tiles is None or not all(detail.grab_size):
        return []
    across, down = detail.picture_size[0] / detail.grab_size[0], detail.picture_size[1] / detail.grab_size[1]
    edge = QRectF(0, 0, *detail.picture_size)
    return [
        QRectF(box.x * across, box.y * down, box.w * across, box.h * down).intersected(edge)
        for box in detail.tiles.rects()
    ]
