"""A report to read: Markdown as rich text, with no HTML, no pictures, and links only to the web and to memories.

Whatever a title or a text in a report holds, it is shown as text: the parser takes no HTML, pictures become their
words, and nothing is ever loaded.
"""

from typing import Any

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import (
    QDesktopServices,
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextListFormat,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from biny_desktop.core.anchors import Anchor, AnchorKind
from biny_desktop.core.i18n import _
from biny_desktop.ui.theme import colour, theme_signals, tokens

READING_PX = 760
"""The widest reading column (spec 09, Look)."""
MARGIN_PX, INDENT_PX = 16, 20
_DOTS = (QTextListFormat.Style.ListDisc, QTextListFormat.Style.ListCircle, QTextListFormat.Style.ListSquare)
_NO_HTML = QTextDocument.MarkdownFeature.MarkdownNoHTML
_KINDS: dict[str, AnchorKind] = {"segment": "segment", "frame": "frame", "report": "report", "message": "message"}
_NUMBERED = ("segment", "frame")


class ReportView(QTextBrowser):
    """`anchor_opened(Anchor)` for links to memories that the source panel shows; web links open in the browser."""

    anchor_opened = Signal(object)
    margin_px = MARGIN_PX

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._markdown = ""
        self.setProperty("role", "plain")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setAccessibleName(_("Report"))
        self.anchorClicked.connect(self._on_link)
        theme_signals().changed.connect(self._on_theme)

    def show_markdown(self, text: str) -> None:
        """Show another text; the same text again keeps the place where one reads."""
        place = self.verticalScrollBar().value() if text == self._markdown else 0
        self._markdown = text
        document = self.document()
        document.setDefaultFont(self.font())
        document.setDocumentMargin(self.margin_px)
        document.setIndentWidth(tokens().px(INDENT_PX))
        document.setMarkdown(text, QTextDocument.MarkdownFeature.MarkdownDialectGitHub | _NO_HTML)
        dress(document)
        self.setTextCursor(QTextCursor(document))  # else it stands at the last change, and the view with it
        self.verticalScrollBar().setValue(place)

    def markdown(self) -> str:
        """The text as it was given."""
        return self._markdown

    def loadResource(self, kind: int, name: QUrl) -> Any:
        """Nothing is ever loaded, wherever it is."""
        del kind, name
        return None

    def _on_theme(self, _theme: object) -> None:
        self.show_markdown(self._markdown)

    def _on_link(self, url: QUrl) -> None:
        anchor = anchor_of(url)
        if anchor is not None:
            self.anchor_opened.emit(anchor)
        elif url.scheme() in ("http", "https") and url.host():
            QDesktopServices.openUrl(url)


def anchor_of(url: QUrl) -> Anchor | None:
    """The memory that `biny://segment/812` names; None for other links."""
    ref = url.path().strip("/")
    kind = _KINDS.get(url.host())
    if url.scheme() != "biny" or kind is None or not ref or (kind in _NUMBERED and not ref.isdigit()):
        return None
    return Anchor(kind, ref, 0, "UTC")


def dress(document: QTextDocument) -> None:
    """Sizes, gaps and colours of the theme shown now; pictures become their words, links of other kinds plain text."""
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    _plain_pictures(document)
    block = document.begin()
    while block.isValid():
        _dress_block(block)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _dress_table(frame)
    cursor.endEditBlock()


def _plain_pictures(document: QTextDocument) -> None:
    """A picture becomes its description in brackets; the text of a report needs none and nothing may be loaded."""
    found = []
    block = document.begin()
    while block.isValid():
        for part in block:
            shape = part.fragment().charFormat()
            if shape.isImageFormat():
                words = shape.stringProperty(QTextFormat.Property.ImageAltText)
                found.append((part.fragment().position(), part.fragment().length(), words))
        block = block.next()
    for position, length, words in reversed(found):
        cursor = QTextCursor(document)
        cursor.setPosition(position)
        cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(f"[{words}]" if words else "", QTextCharFormat())


def _dress_block(block: QTextBlock) -> None:
    theme, shape = tokens(), QTextBlockFormat(block.blockFormat())
    level = shape.headingLevel()
    in_table = QTextCursor(block).currentTable() is not None
    top, low = {0: (0, 0 if in_table else 4), 1: (0, 8), 2: (16, 6)}.get(level, (12, 4))
    if block.textList() is not None:
        low = 3
        inner = block.textList().format()
        if inner.style() in _DOTS:
            inner.setStyle(QTextListFormat.Style.ListDisc if inner.indent() < 2 else QTextListFormat.Style.ListCircle)
            block.textList().setFormat(inner)
    if shape.hasProperty(QTextFormat.Property.BlockCodeFence):
        shape.setBackground(colour("hover"))
        low = 0 if block.next().blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence) else 8
    shape.setTopMargin(theme.px(top if block.blockNumber() else 0))
    shape.setBottomMargin(theme.px(low))
    tall = 100 if shape.hasProperty(QTextFormat.Property.BlockCodeFence) else 130  # gaps would show the ground
    shape.setLineHeight(tall, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    QTextCursor(block).setBlockFormat(shape)
    quoted = shape.hasProperty(QTextFormat.Property.BlockQuoteLevel)
    size = {1: theme.title_px, 2: theme.px(14)}.get(level, theme.body_px)
    for part in block:
        fragment = part.fragment()
        look = QTextCharFormat(fragment.charFormat())
        look.clearProperty(QTextFormat.Property.FontSizeAdjustment)
        look.setProperty(QTextFormat.Property.FontPixelSize, size)
        look.setForeground(colour("muted" if quoted else "text"))
        if level:
            look.setFontWeight(QFont.Weight.DemiBold)
        if look.isAnchor():
            _dress_link(look)
        cursor = QTextCursor(block)
        cursor.setPosition(fragment.position())
        cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(look)


def _dress_link(look: QTextCharFormat) -> None:
    url = QUrl(look.anchorHref())
    if url.scheme() not in ("http", "https") and anchor_of(url) is None:
        look.setAnchor(False)
        look.setAnchorHref("")
        look.setFontUnderline(False)
        return
    look.setForeground(colour("accent"))
    look.setFontUnderline(False)
    look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.NoUnderline)
    look.setToolTip(url.toString() if url.scheme() != "biny" else _("Show source"))


def _dress_table(table: QTextTable) -> None:
    shape = table.format()
    shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    shape.setBorder(0)
    shape.setCellPadding(tokens().px(3))
    shape.setCellSpacing(0)
    shape.setBorderCollapse(True)
    shape.setTopMargin(tokens().px(4))
    shape.setBottomMargin(tokens().px(8))
    shape.setColumnWidthConstraints([QTextLength(QTextLength.Type.VariableLength, 0)] * table.columns())
    table.setFormat(shape)
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        cursor = cell.firstCursorPosition()
        cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
        look = QTextCharFormat()
        look.setFontWeight(QFont.Weight.DemiBold)
        look.setForeground(colour("muted"))
        look.setProperty(QTextFormat.Property.FontPixelSize, tokens().small_px)
        cursor.mergeCharFormat(look)
