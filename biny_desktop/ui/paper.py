"""Markdown on paper: A4 as PDF, always dark on white, with a header and page numbers; links become text.

Nothing of the window is used, so that it may run on any thread; nothing is loaded, pictures become their words.
"""

import re
from typing import Any, Final

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QPageLayout,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)

from biny_desktop.core.i18n import _

DPI: Final = 300
MARGINS_MM: Final = QMarginsF(20, 18, 20, 18)
HEAD_MM: Final = 10.0
"""Room above and below the text for header and page number."""
BODY_PT, SMALL_PT, TITLE_PT, HEADING_PT = 10.0, 8.0, 16.0, 12.0
INK, FAINT, RULE = QColor("#1F2328"), QColor("#5C6470"), QColor("#C9C5BA")
_MM: Final = 25.4
_BARE: Final = re.compile(r"^https?://", re.IGNORECASE)


class _Paper(QTextDocument):
    """Never loads anything."""

    def loadResource(self, kind: int, name: QUrl) -> Any:
        del kind, name
        return None


def pdf_of(markdown: str, header: str, families: list[str]) -> bytes:
    """The text as a PDF.

    Args:
        header: stands at the top of every page. families: font families, best first.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(DPI)
    writer.setCreator("Biny")
    writer.setTitle(header)
    writer.setPageLayout(
        QPageLayout(QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait, MARGINS_MM,
                    QPageLayout.Unit.Millimeter)
    )  # fmt: skip
    font = QFont()
    font.setFamilies(families)
    font.setPointSizeF(BODY_PT)
    document = _Paper()
    document.setUndoRedoEnabled(False)
    document.setDefaultFont(font)
    document.setDocumentMargin(0)
    features = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
    document.setMarkdown(markdown, features)
    _dress(document)
    document.documentLayout().setPaintDevice(writer)
    head = HEAD_MM / _MM * DPI
    document.setPageSize(QSizeF(writer.width(), writer.height() - 2 * head))
    painter = QPainter(writer)
    try:
        _print(painter, writer, document, header, font, head)
    finally:
        painter.end()
    buffer.close()
    return bytes(buffer.data().data())


def _print(
    painter: QPainter, writer: QPdfWriter, document: QTextDocument, header: str, font: QFont, head: float
) -> None:
    page = document.pageSize()
    context = QAbstractTextDocumentLayout.PaintContext()
    context.palette.setColor(QPalette.ColorRole.Text, INK)
    small = QFont(font)
    small.setPointSizeF(SMALL_PT)
    count = document.pageCount()
    for number in range(count):
        if number:
            writer.newPage()
        painter.save()
        painter.translate(0, head - number * page.height())
        area = QRectF(0, number * page.height(), page.width(), page.height())
        painter.setClipRect(area)
        context.clip = area
        document.documentLayout().draw(painter, context)
        painter.restore()
        painter.setFont(small)
        painter.setPen(FAINT)
        top = QRectF(0, 0, page.width(), head * 0.7)
        low = QRectF(0, page.height() + head * 1.3, page.width(), head * 0.7)
        painter.drawText(top, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop), header)
        painter.drawText(top, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop), "Biny")
        words = _("{page} of {pages}").format(page=number + 1, pages=count)
        painter.drawText(low, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom), words)


def _dress(document: QTextDocument) -> None:
    for position, length, words in reversed(_replaced(document)):
        cursor = QTextCursor(document)
        cursor.setPosition(position)
        cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(words, QTextCharFormat())
    block = document.begin()
    while block.isValid():
        _dress_block(block)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            shape = frame.format()
            shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            shape.setBorder(0.5)
            shape.setBorderBrush(RULE)
            shape.setBorderCollapse(True)
            shape.setCellPadding(3)
            shape.setCellSpacing(0)
            shape.setTopMargin(4)
            shape.setBottomMargin(8)
            frame.setFormat(shape)


def _replaced(document: QTextDocument) -> list[tuple[int, int, str]]:
    """Pictures by their words, and the address after the words of a web link, which paper cannot open."""
    found = []
    block = document.begin()
    while block.isValid():
        for part in block:
            fragment = part.fragment()
            look = fragment.charFormat()
            url = QUrl(look.anchorHref()) if look.isAnchor() else QUrl()
            if look.isImageFormat():
                words = look.stringProperty(QTextFormat.Property.ImageAltText)
                found.append((fragment.position(), fragment.length(), f"[{words}]" if words else ""))
            elif url.scheme() in ("http", "https") and not _BARE.match(fragment.text()):
                found.append((fragment.position(), fragment.length(), f"{fragment.text()} ({look.anchorHref()})"))
        block = block.next()
    return found


def _dress_block(block: QTextBlock) -> None:
    shape = QTextBlockFormat(block.blockFormat())
    level = shape.headingLevel()
    top, low = {0: (0, 3), 1: (0, 8), 2: (14, 4)}.get(level, (10, 3))
    if QTextCursor(block).currentTable() is not None:
        top = low = 0
    shape.setTopMargin(top if block.blockNumber() else 0)
    shape.setBottomMargin(low)
    shape.setLineHeight(125, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    QTextCursor(block).setBlockFormat(shape)
    look = QTextCharFormat()
    look.setProperty(QTextFormat.Property.FontSizeAdjustment, 0)  # else headings grow once more
    look.setFontPointSize({0: BODY_PT, 1: TITLE_PT}.get(level, HEADING_PT))
    look.setForeground(INK)
    look.setFontUnderline(False)
    look.setAnchor(False)
    look.setAnchorHref("")
    if level:
        look.setFontWeight(QFont.Weight.DemiBold)
    cursor = QTextCursor(block)
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    cursor.mergeCharFormat(look)
