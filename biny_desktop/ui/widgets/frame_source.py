"""A frame inside the source panel: its sections, one below the other."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from biny_desktop.activity.model import FrameDetail
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import BinyError, said
from biny_desktop.core.geometry import Rect
from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.facts import Facts
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.preview import Preview
from biny_desktop.ui.widgets.source_facts import FrameFacts, facts_of
from biny_desktop.ui.widgets.text_layer import TextLayer

FIRST_CHARACTERS, FIRST_LINES = 900, 16
"""A longer text is shown in full when asked, so that the other sections stay near."""
SECTION_GAP = 16


@dataclass(frozen=True, slots=True)
class ShownFrame:
    """A frame with its lines of text, a small picture, and the boxes of the quoted words."""

    detail: FrameDetail
    facts: FrameFacts
    image: QImage | None
    boxes: tuple[Rect, ...]
    found: bool
    problem: str


def look_up(product: Product, anchor: Anchor, width_px: int, now_ms: int) -> ShownFrame:
    """Read a source in a pool thread; the picture comes scaled to that width.

    Raises:
        NotFoundError: it was deleted.
    """
    detail = product.timeline.frame(int(anchor.ref)) if anchor.ref.isdigit() else product.trace(anchor).frame
    layer = TextLayer(detail.text or "", detail.lines)
    found = layer.find(anchor.quote or "")
    boxes = layer.rects(*found) if found is not None else [line.box for line in layer.lines]
    image, problem = None, _("The picture is gone.")
    if detail.frame.picture_state == "live":
        try:
            whole = QImage.fromData(product.timeline.picture(detail.frame.id))
            size = QSize(width_px, max(1, round(width_px * whole.height() / max(1, whole.width()))))
            image = whole.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)
        except BinyError as error:
            problem = said(error)[0]
    return ShownFrame(detail, facts_of(detail, now_ms), image, tuple(boxes), found is not None, problem)


class FrameSource(QWidget):
    """Content, Where from, When, Where kept, Cleared by, History. `opened` when the frame should be opened."""

    opened = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown: ShownFrame | None = None
        self.fields, self.origin, self.when, self.kept, self.history = Facts(), Facts(), Facts(), Facts(), Facts()
        self.preview = Preview()
        self.preview.opened.connect(self.opened)
        self.chip = QPushButton()
        self.chip.setProperty("role", "chip")
        self.chip.clicked.connect(self.opened)
        self.chip.setToolTip(_("Open in Activity"))
        self.body = label("", wrap=True, selectable=True)
        self.body.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.more = QPushButton(_("Show the whole text"))
        self.more.setProperty("role", "chip")
        self.more.clicked.connect(self._show_all)
        self.cleared_by = label("", wrap=True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 12, 16, 16)
        self._column.setSpacing(6)
        self._section(_("Content"), self.fields, self.body, self.more)
        self._section(_("Where from"), self.chip, self.preview, self.origin)
        self._section(_("When"), self.when)
        self._section(_("Where kept"), self.kept)
        self._section(_("Cleared by"), self.cleared_by)
        self._section(_("History"), self.history)
        self._column.addStretch(1)

    def _section(self, name: str, *parts: QWidget) -> None:
        if self._column.count():
            self._column.addSpacing(SECTION_GAP - 6)
        self._column.addWidget(label(name, "section"))
        for part in parts:
            if isinstance(part, QPushButton):
                self._column.addWidget(part, 0, Qt.AlignmentFlag.AlignLeft)
            else:
                self._column.addWidget(part)

    def show_frame(self, shown: ShownFrame) -> None:
        """Fill all sections."""
        same = self.shown is not None and self.shown.detail.frame.id == shown.detail.frame.id
        expanded = same and not self.more.isVisibleTo(self)
        self.shown = shown
        facts, frame = shown.facts, shown.detail.frame
        for part, lines in (
            (self.fields, facts.fields), (self.origin, facts.origin), (self.when, facts.when), (self.kept, facts.kept),
            (self.history, facts.history),
        ):  # fmt: skip
            part.fill(lines)
        self._show_text(shown.detail.text, expanded=expanded)
        self.chip.setText(_("Frame {n}").format(n=frame.id))
        self.chip.setAccessibleName(_("Open frame {n} in Activity").format(n=frame.id))
        self.preview.show_image(shown.image, shown.detail.picture_size, shown.boxes, shown.problem, found=shown.found)
        self.cleared_by.setText(facts.cleared_by)

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):  # a scroll area asks no height for a width
            self.setMinimumHeight(self._column.totalHeightForWidth(self.width()))
        return handled

    def text(self) -> str:
        """The whole text of the frame."""
        return (self.shown.detail.text or "") if self.shown is not None else ""

    def _show_text(self, text: str | None, *, expanded: bool) -> None:
        head = _head(text or "")
        long = text is not None and len(head) < len(text) and not expanded
        self.body.setProperty("role", "" if text else "muted")
        self.body.style().unpolish(self.body)
        self.body.style().polish(self.body)
        if not text:
            self.body.setText(_("No text was read here."))
        else:
            self.body.setText(head + " …" if long else text)
        self.more.setVisible(long)

    def _show_all(self) -> None:
        self._show_text(self.text(), expanded=True)


def _head(text: str) -> str:
    return "\n".join(text.split("\n", FIRST_LINES)[:FIRST_LINES])[:FIRST_CHARACTERS].rstrip()
