"""A segment inside the source panel: its sections, one below the other; title, note and project are edited in place."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from biny_desktop.activity.model import Frame
from biny_desktop.activity.segments.model import Highlight, Segment, SegmentDetail
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.facts import Facts, plain_tip
from biny_desktop.ui.formats import clock_time
from biny_desktop.ui.segment_words import segment_title
from biny_desktop.ui.widgets.flow_layout import FlowLayout
from biny_desktop.ui.widgets.in_place import InPlaceLine, InPlaceText
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.segment_facts import SegmentFacts, segment_facts

SECTION_GAP, ROW_GAP = 16, 6
TITLE_MAX, PROJECT_MAX = 120, 120


@dataclass(frozen=True, slots=True)
class ShownSegment:
    """A segment with what is said of it."""

    detail: SegmentDetail
    facts: SegmentFacts


def look_up_segment(product: Product, anchor: Anchor, now_ms: int) -> ShownSegment:
    """Read a segment in a pool thread.

    Raises:
        NotFoundError: it was deleted.
    """
    detail = product.segments.detail(int(anchor.ref))
    return ShownSegment(detail, segment_facts(detail, now_ms))


class SegmentSource(QWidget):
    """Signals: `opened` for the segment itself, `frame_opened(Anchor)`, `rename_asked`, `note_asked`, `project_asked`
    (Segment, text)."""

    opened = Signal()
    frame_opened = Signal(object)
    rename_asked = Signal(object, str)
    note_asked = Signal(object, str)
    project_asked = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown: ShownSegment | None = None
        self.title = InPlaceLine(_("Title"), _("The title; Enter saves, Esc takes the change back"))
        self.title.setMaxLength(TITLE_MAX)
        self.project = InPlaceLine(_("Project"), _("The project; Enter saves"), _("No project"))
        self.project.setMaxLength(PROJECT_MAX)
        self.note = InPlaceText(_("Note"), _("A note of your own; Ctrl+Enter saves"), _("Write a note"))
        self.summary = label("", wrap=True, selectable=True)
        self.highlights, self.frames = _Chips(), _Chips()
        self.fields, self.entities, self.origin = Facts(), Facts(), Facts()
        self.when, self.kept, self.history = Facts(), Facts(), Facts()
        self.chip = QPushButton(_("Open in Activity"))
        self.chip.setProperty("role", "chip")
        self.chip.setToolTip(_("Show it on the time line (Enter)"))
        self.chip.clicked.connect(self.opened)
        words = _("Never by itself. It goes when you delete it, its time or its day; its pictures age as they do.")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 12, 16, 16)
        self._column.setSpacing(ROW_GAP)
        content = (self.title, self.project, self.note, self.summary, self.highlights, self.entities, self.fields)
        self._section(_("Content"), *content)
        self._section(_("Where from"), self.chip, self.frames, self.origin)
        self._section(_("When"), self.when)
        self._section(_("Where kept"), self.kept)
        self._section(_("Cleared by"), label(words, wrap=True))
        self._history_name = self._section(_("History"), self.history)
        self._column.addStretch(1)
        self._connect()

    def _section(self, name: str, *parts: QWidget) -> QLabel:
        if self._column.count():
            self._column.addSpacing(SECTION_GAP - ROW_GAP)
        heading = label(name, "section")
        self._column.addWidget(heading)
        for part in parts:
            if isinstance(part, QPushButton):
                self._column.addWidget(part, 0, Qt.AlignmentFlag.AlignLeft)
            else:
                self._column.addWidget(part)
        return heading

    def _connect(self) -> None:
        for field, signal in (
            (self.title, self.rename_asked), (self.note, self.note_asked), (self.project, self.project_asked),
        ):  # fmt: skip
            field.changed_to.connect(lambda text, signal=signal: self._ask(signal, text))

    def _ask(self, signal: Signal, text: str) -> None:
        if self.shown is None:
            return
        if signal is self.rename_asked and not text:  # a title is never empty
            self.title.show_value(segment_title(self.shown.detail.segment), force=True)
            return
        signal.emit(self.shown.detail.segment, text)

    def show_segment(self, shown: ShownSegment) -> None:
        """Fill all sections."""
        other = self.shown is None or self.shown.detail.segment.id != shown.detail.segment.id
        self.shown = shown
        facts, segment = shown.facts, shown.detail.segment
        self.title.show_value(segment_title(segment), force=other)
        self.project.show_value(segment.project or "", force=other)
        self.note.show_value(segment.note or "", force=other)
        self._show_summary(segment)
        for part, lines in (
            (self.fields, facts.fields), (self.entities, facts.entities), (self.origin, facts.origin),
            (self.when, facts.when), (self.kept, facts.kept), (self.history, facts.history),
        ):  # fmt: skip
            part.fill(lines)
            part.setVisible(bool(lines))
        self._history_name.setVisible(bool(facts.history))
        self.frames.fill([self._frame_chip(frame) for frame in facts.frames])
        self.highlights.fill([self._highlight_chip(each, segment) for each in segment.analysis.highlights])

    def _show_summary(self, segment: Segment) -> None:
        said = segment.analysis
        text = "\n\n".join(part for part in (said.description, said.summary) if part)
        self.summary.setText(text)
        self.summary.setVisible(bool(text))

    def _frame_chip(self, frame: Frame) -> QPushButton:
        anchor = Anchor("frame", str(frame.id), frame.at_ms, frame.zone)
        tip = f"{frame.title or frame.app_name}\n" + _("Frame {n}").format(n=frame.id)
        words = clock_time(frame.at_ms, frame.zone)
        name = _("Open frame {n} in Activity").format(n=frame.id)
        return self._chip(words, name, tip, lambda: self.frame_opened.emit(anchor))

    def _highlight_chip(self, highlight: Highlight, segment: Segment) -> QPushButton:
        first = highlight.frame_ids[0] if highlight.frame_ids else 0
        anchor = Anchor("frame", str(first), segment.start_ms, segment.zone)
        words = self.fontMetrics().elidedText(highlight.text, Qt.TextElideMode.ElideRight, 260)
        return self._chip(words, highlight.text, highlight.text, lambda: self.frame_opened.emit(anchor))

    def _chip(self, words: str, name: str, tip: str, act: Callable[[], None]) -> QPushButton:
        chip = QPushButton(words.replace("&", "&&"))
        chip.setProperty("role", "chip")
        chip.setAccessibleName(name)
        chip.setToolTip(plain_tip(tip))
        chip.clicked.connect(act)
        return chip

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):  # a scroll area asks no height for a width
            self.setMinimumHeight(self._column.totalHeightForWidth(self.width()))
        return handled

    def text(self) -> str:
        """What "Copy text" takes: title, times, note and summary."""
        if self.shown is None:
            return ""
        segment = self.shown.detail.segment
        times = " – ".join(fact.value for fact in self.shown.facts.when[:2])
        parts = (segment_title(segment), times, segment.note or "", self.summary.text())
        return "\n\n".join(part for part in parts if part)


class _Chips(QWidget):
    """Buttons in rows; hidden while there are none."""

    def __init__(self) -> None:
        super().__init__()
        self._flow = FlowLayout(self, gap=4)
        self.hide()

    def fill(self, chips: Sequence[QPushButton]) -> None:
        """Show these instead of the ones before."""
        while (item := self._flow.takeAt(0)) is not None:
            item.widget().hide()
            item.widget().deleteLater()
        for chip in chips:
            chip.setParent(self)
            self._flow.addWidget(chip)
            chip.show()
        self.setVisible(bool(chips))
        self.updateGeometry()
