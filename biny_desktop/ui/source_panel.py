"""The source panel: the same sections for whatever is selected, a frame or a segment (spec 09)."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import BinyError, said
from biny_desktop.core.events import ActivityDeleted, FrameRead, SegmentAnalysed, SegmentsChanged
from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.icons import icon
from biny_desktop.ui.segment_acts import SegmentActs
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.elided_label import ElidedLabel
from biny_desktop.ui.widgets.frame_source import FrameSource, ShownFrame, look_up
from biny_desktop.ui.widgets.labels import hairline, label
from biny_desktop.ui.widgets.message_source import MessageSource, ShownMessage, look_up_message
from biny_desktop.ui.widgets.segment_source import SegmentSource, ShownSegment, look_up_segment

HEADER_PX = 40


class SourcePanel(QWidget):
    """`show_anchor` shows a source; `open_requested(anchor)` asks for it on its page; `closed` when it was closed."""

    closed = Signal()
    open_requested = Signal(object)
    _happened = Signal(object)

    def __init__(self, product: Product, calls: Calls, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._product, self._calls = product, calls
        self.anchor: Anchor | None = None
        self._ends: list[Callable[[], None]] = []
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(_("Source"))
        self.heading = ElidedLabel(_("Source"))
        self.content = FrameSource()
        self.content.opened.connect(self._open)
        self.segment = SegmentSource(self)
        self.segment.hide()
        self.segment.opened.connect(self._open)
        self.segment.frame_opened.connect(self.open_requested)
        self.said = MessageSource(self)
        self.said.hide()
        self.said.opened.connect(self._open)
        self.acts = SegmentActs(product, calls, self)
        self.segment.rename_asked.connect(self.acts.rename)
        self.segment.note_asked.connect(self.acts.annotate)
        self.segment.project_asked.connect(self.acts.set_project)
        self.acts.saved.connect(lambda _segment: self._again())
        self.message = label("", "muted", wrap=True)
        self.message.setContentsMargins(16, 16, 16, 16)
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out()
        self._happened.connect(self._on_happened)
        self._listen()
        theme_signals().changed.connect(self._paint_icons)
        self._paint_icons()
        self._show_message(_("Select something, and where it comes from is shown here."))

    # -- layout --------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.close_button = QToolButton()
        self.close_button.setToolTip(_("Close (Esc)"))
        self.close_button.setAccessibleName(_("Close the source panel"))
        self.close_button.clicked.connect(self.close)
        head = QWidget()
        head.setFixedHeight(tokens().px(HEADER_PX))
        row = QHBoxLayout(head)
        row.setContentsMargins(16, 0, 8, 0)
        row.addWidget(self.heading, 1)
        row.addWidget(self.close_button)
        font = self.heading.font()
        font.setWeight(font.Weight.DemiBold)
        self.heading.setFont(font)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(self.content)
        self.area.viewport().setAutoFillBackground(False)
        self.content.setAutoFillBackground(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (head, hairline()):
            column.addWidget(widget)
        column.addWidget(self.message, 1)
        column.addWidget(self.area, 1)
        self._foot_line = hairline()
        self.foot = self._acts()
        column.addWidget(self._foot_line)
        column.addWidget(self.foot)

    def _acts(self) -> QWidget:
        foot = QWidget()
        row = QHBoxLayout(foot)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(8)
        self.copy = QPushButton(_("Copy text"))
        self.copy.setToolTip(_("Copy the whole text"))
        self.copy.clicked.connect(self._copy)
        self.reread = QPushButton(_("Read again"))
        self.reread.setToolTip(_("Have the text of the picture read again, before everything else"))
        self.reread.clicked.connect(self._reread)
        self.forget = QPushButton(_("Forget…"))
        self.forget.setProperty("role", "danger")
        self.forget.setToolTip(_("Delete this frame for good; the counts are shown first"))
        self.forget.clicked.connect(self._forget)
        row.addWidget(self.copy)
        row.addWidget(self.reread)
        row.addStretch(1)
        row.addWidget(self.forget)
        return foot

    # -- showing -------------------------------------------------------------------------------------------------------

    def show_anchor(self, anchor: Anchor) -> None:
        """Show the source of an anchor; one that is gone is said to be gone."""
        if self.anchor is None or (self.anchor.kind, self.anchor.ref) != (anchor.kind, anchor.ref):
            self.area.verticalScrollBar().setValue(0)
        self.anchor = anchor
        product, now_ms = self._product, self._product.clock.now_ms()
        if anchor.kind == "segment" and anchor.ref.isdigit():
            self._calls.run(
                lambda: look_up_segment(product, anchor, now_ms), self._on_segment, self._on_failed, self,
                latest="source",
            )  # fmt: skip
            return
        if anchor.kind == "message":
            self._calls.run(
                lambda: look_up_message(product, anchor), self._on_message, self._on_failed, self, latest="source"
            )
            return
        width = max(self.width(), 320) * self.devicePixelRatioF()
        self._calls.run(
            lambda: look_up(product, anchor, round(width), now_ms),
            self._on_found,
            self._on_failed,
            self,
            latest="source",
        )

    def _again(self) -> None:
        if self.anchor is not None and self.isVisible():
            self.show_anchor(self.anchor)

    def _on_found(self, shown: ShownFrame) -> None:
        self.heading.setText(_("Frame {n}").format(n=shown.detail.frame.id))
        self.content.show_frame(shown)
        self._show_content(self.content)
        self.copy.setEnabled(bool(shown.detail.text))
        self.reread.setText(_("Read again"))
        self.reread.setToolTip(_("Have the text of the picture read again, before everything else"))
        self.reread.setVisible(True)
        self.reread.setEnabled(shown.detail.frame.picture_state == "live")
        self.forget.setToolTip(_("Delete this frame for good; the counts are shown first"))

    def _on_segment(self, shown: ShownSegment) -> None:
        segment = shown.detail.segment
        self.heading.setText(_("Activity {n}").format(n=segment.id))
        self.segment.show_segment(shown)
        self._show_content(self.segment)
        self.copy.setEnabled(True)
        self.reread.setText(_("Try again"))
        self.reread.setToolTip(_("Have the model look at it again"))
        self.reread.setVisible(segment.status == "failed")
        self.reread.setEnabled(True)
        self.forget.setToolTip(_("Delete its frames and events for good; the counts are shown first"))

    def _on_message(self, shown: ShownMessage) -> None:
        self.heading.setText(_("Message"))
        self.said.show_message(shown)
        self._show_content(self.said)
        self.copy.setEnabled(True)
        self.reread.setVisible(False)

    def _show_content(self, content: QWidget) -> None:
        """Put that content into the scroll area; the other one waits beside it."""
        if self.area.widget() is not content:
            other = self.area.takeWidget()
            if other is not None:
                other.setParent(self)
                other.hide()
            self.area.setWidget(content)
            content.setAutoFillBackground(False)
            content.show()
        self.forget.setVisible(content is not self.said)  # a message is deleted where one sees what hangs on it
        self.message.hide()
        self.area.show()
        self._foot_line.show()
        self.foot.show()

    def _on_failed(self, error: BinyError) -> None:
        self._show_message("\n\n".join(part for part in said(error) if part))

    def _show_message(self, words: str) -> None:
        self.heading.setText(_("Source"))
        self.message.setText(words)
        self.message.show()
        for widget in (self.area, self._foot_line, self.foot):
            widget.hide()

    # -- acts ----------------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        if self.anchor is not None:
            self.open_requested.emit(self.anchor)

    def _is_segment(self) -> bool:
        return self.anchor is not None and self.anchor.kind == "segment"

    def _copy(self) -> None:
        said = self.anchor is not None and self.anchor.kind == "message"
        shown = self.said if said else self.segment if self._is_segment() else self.content
        QGuiApplication.clipboard().setText(shown.text())

    def _reread(self) -> None:
        anchor = self.anchor
        if anchor is None:
            return
        self.reread.setEnabled(False)
        number, product = int(anchor.ref), self._product
        again = product.analysis.retry if anchor.kind == "segment" else product.read_now
        self._calls.run(lambda: again(number), lambda _none: self.show_anchor(anchor), None, self)

    def _forget(self) -> None:
        from biny_desktop.activity.deletes import Selection
        from biny_desktop.ui.dialogs.delete import Choice, DeleteDialog

        if self._is_segment():
            if self.segment.shown is not None:
                self.acts.delete(self.segment.shown.detail.segment)
            return
        shown = self.content.shown
        if shown is None:
            return
        frame = shown.detail.frame
        words = _("Frame {n}: {title}").format(n=frame.id, title=frame.title or frame.app_name)
        only = Choice("frame", words, Selection.of_frames(frame.id))
        DeleteDialog(self._product.deletes, self._calls, [only], frame.zone, self).open()

    # -- what happens meanwhile ----------------------------------------------------------------------------------------

    def _listen(self) -> None:
        bus, tell = self._product.events, self._happened.emit
        kinds = (FrameRead, ActivityDeleted, SegmentsChanged, SegmentAnalysed)
        self._ends = [bus.subscribe(kind, tell) for kind in kinds]
        ends = self._ends
        self.destroyed.connect(lambda: [end() for end in ends])

    def _on_happened(self, event: FrameRead | ActivityDeleted | SegmentsChanged | SegmentAnalysed) -> None:
        if self.anchor is None or not self.anchor.ref.isdigit():
            return
        number = int(self.anchor.ref)
        if self.anchor.kind == "segment":
            if not isinstance(event, FrameRead):
                self._again()
        elif isinstance(event, FrameRead):
            if event.frame_id == number:
                self.show_anchor(self.anchor)
        elif isinstance(event, ActivityDeleted) and number in event.frame_ids:
            self._show_message(_("This frame was deleted."))

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        self.closed.emit()

    def _paint_icons(self, *_theme: object) -> None:
        size = tokens().px(16)
        self.close_button.setIcon(icon("close"))
        self.close_button.setIconSize(QSize(size, size))
