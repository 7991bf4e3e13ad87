"""A report on the screen: links, no HTML, nothing loaded."""

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QTextDocument, QTextListFormat

from biny_desktop.ui.widgets.report_view import ReportView, anchor_of
from tests.fakes.made_reports import MARKDOWN

NASTY = """# A <b>bold</b> title
<script>alert(1)</script> <img src="http://elsewhere.example/x.png">

![alt words](http://elsewhere.example/y.png) ![](file:///etc/passwd) [run](javascript:alert(1)) [local](file:///etc)

- [segment](biny://segment/812) and [web](https://docs.example/a)
"""


@pytest.fixture
def view(plain_look, qtbot) -> ReportView:
    made = ReportView()
    qtbot.addWidget(made)
    made.resize(560, 600)
    made.show()
    return made


def hrefs(view: ReportView) -> list[str]:
    found, block = [], view.document().begin()
    while block.isValid():
        found += [part.fragment().charFormat().anchorHref() for part in block]
        block = block.next()
    return [href for href in found if href]


def test_html_is_shown_as_text_and_pictures_as_their_words(view: ReportView) -> None:
    view.show_markdown(NASTY)
    view.grab()
    text = view.toPlainText()
    assert "A <b>bold</b> title" in text
    assert "<script>alert(1)</script>" in text
    assert "[alt words]" in text
    assert "\ufffc" not in text  # no picture stands anywhere


def test_nothing_is_ever_loaded(view: ReportView) -> None:
    kind = QTextDocument.ResourceType.ImageResource
    assert view.loadResource(kind.value, QUrl("file:///etc/hostname")) is None


def test_only_memories_and_the_web_are_linked(view: ReportView) -> None:
    view.show_markdown(NASTY)
    assert hrefs(view) == ["biny://segment/812", "https://docs.example/a"]


def test_links_open_segments_here_and_pages_in_the_browser(view: ReportView, qtbot, monkeypatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    with qtbot.waitSignal(view.anchor_opened) as told:
        view.anchorClicked.emit(QUrl("biny://segment/812"))
    assert (told.args[0].kind, told.args[0].ref) == ("segment", "812")
    for url in ("https://docs.example/a", "file:///etc/passwd", "javascript:alert(1)", "http:/no-host"):
        view.anchorClicked.emit(QUrl(url))
    assert opened == ["https://docs.example/a"]


@pytest.mark.parametrize(
    ("url", "kind"),
    [("biny://segment/8", "segment"), ("biny://frame/3", "frame"), ("biny://report/2026-W03", "report"),
     ("biny://segment/x", None), ("biny://segment", None), ("https://segment/8", None), ("biny://elsewhere/8", None)],
)  # fmt: skip
def test_an_anchor_is_read_from_its_address(url: str, kind: str | None) -> None:
    found = anchor_of(QUrl(url))
    assert (found.kind if found is not None else None) == kind


def test_a_real_report_is_shown_with_headings_lists_and_tables(view: ReportView) -> None:
    view.show_markdown(MARKDOWN.format(key="2026-01-05"))
    assert "harbour – tests/test_timetable.py" in view.toPlainText()
    assert view.document().rootFrame().childFrames()
    assert view.verticalScrollBar().value() == 0


def test_the_same_text_again_keeps_the_place(view: ReportView) -> None:
    text = "\n\n".join(f"line {n}" for n in range(200))
    view.show_markdown(text)
    view.verticalScrollBar().setValue(300)
    view.show_markdown(text)
    assert view.verticalScrollBar().value() == 300


def test_numbers_stay_numbers_and_dots_are_dots(view: ReportView) -> None:
    view.show_markdown("1. one\n2. two\n\ntext\n\n- a\n")
    styles, block = [], view.document().begin()
    while block.isValid():
        styles += [block.textList().format().style()] if block.textList() else []
        block = block.next()
    assert styles == [QTextListFormat.Style.ListDecimal] * 2 + [QTextListFormat.Style.ListDisc]
