"""A report on paper: A4 pages with a header, nothing loaded, links as text."""

import re

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument

from biny_desktop.ui import paper
from tests.fakes.made_reports import MARKDOWN

A4_PT = ("595", "842")


def text_of(markdown: str) -> QTextDocument:
    document = paper._Paper()
    features = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
    document.setMarkdown(markdown, features)
    paper._dress(document)
    return document


def test_pages_are_a4_and_as_many_as_needed(qapp) -> None:
    one = paper.pdf_of(MARKDOWN.format(key="2026-01-05"), "Monday, 5 January", ["DejaVu Sans"])
    many = paper.pdf_of("- a line\n" * 200, "Monday, 5 January", ["DejaVu Sans"])
    assert one.startswith(b"%PDF")
    box = re.search(rb"/MediaBox \[0 0 (\d+)[.\d]* (\d+)", one)
    assert box is not None
    assert (box[1].decode(), box[2].decode()) == A4_PT
    assert one.count(b"/Type /Page\n") == 1
    assert many.count(b"/Type /Page\n") > 3


def test_links_become_text_and_web_addresses_are_written_out(qapp) -> None:
    document = text_of("[the manual](https://docs.example/wal), [storage.py](biny://segment/1), <https://a.example>")
    assert document.toPlainText() == "the manual (https://docs.example/wal), storage.py, https://a.example"
    block = document.begin()
    assert not any(part.fragment().charFormat().isAnchor() for part in block)


@pytest.mark.parametrize(
    "address", ["file:///etc/hostname", "https://pictures.example/a.png", "data:image/png;base64,AA"]
)
def test_pictures_become_their_words_and_nothing_is_loaded(qapp, address: str) -> None:
    document = text_of(f"before ![a picture]({address}) after <b>bold</b>")
    assert document.toPlainText() == "before [a picture] after <b>bold</b>"
    assert document.loadResource(QTextDocument.ResourceType.ImageResource, QUrl(address)) is None
