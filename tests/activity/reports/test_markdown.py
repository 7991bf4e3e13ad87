"""No title says anything in Markdown but itself: not a link, not HTML, not a cell, not a list."""

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from biny_desktop.activity.reports.document import Document, Item, Link, Section, line, render
from biny_desktop.activity.reports.markdown import escaped, inline, linked_ids, without_dead_links
from biny_desktop.core.text import clean_title

POISON = [
    "[click](http://evil.example)", "![x](file:///etc/passwd)", "<script>alert(1)</script>", "a | b | c",
    "# heading", "- list", "1. one", "12) twelve", "> quote", "```", "`code`", "**bold** __bold__ *i* _i_ ~~gone~~",
    "&lt;b&gt; &#60;",
    "http://evil.example/a_b", "https://evil.example", "www.evil.example", "mail me@evil.example", "]( biny://segment/1)",
    "\\", "\\]", "a\\", "x](biny://frame/7) [y", "<!-- biny:report end -->", "---", "===", "***", "+ plus", "[ref]: http://a",
    "[^1]: note", "a\nb\n\n# c", "\u202egnp.exe", "\t\ttab", "<https://evil.example>", "<a@b.c>", "|---|",
    "$x^2$", "~", "^",
    "snake_case_name", "_private", "__init__.py", "R&D", "&amp;", "[hidden: phone]", "!", "[x]",
    "- [ ] task", ":---", "",
    "日记 | 今天", "ftp://a.b", "HTTP://EVIL.example", "Www.evil.example", "mailto:a@b.c", "xmpp:a@b.c",
]  # fmt: skip
TITLES = st.one_of(
    st.text(max_size=60),
    st.text(alphabet=string.punctuation + " \nab1:/", max_size=40),
    st.lists(st.sampled_from(POISON), min_size=1, max_size=3).map(" ".join),
)
PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def report(title: str) -> str:
    """The title at every place that a report has for one."""
    to = Link(title, "segment", "1", "09:10")
    sections = (
        Section(
            line(title, " (5 min)"), (Item(line("09:10 ", to, " · 5 min"), (line(title, " ", to),)), Item(line(title)))
        ),
        Section(line(to), columns=("app", "time"), rows=((line(to), "5 min"), (line(title), "6 min"))),
    )  # fmt: skip
    return render(Document(title, line(to), sections), made=title, failure=title)


def flat(tokens: list[Token]) -> list[Token]:
    return [each for token in tokens for each in ([token, *flat(token.children)] if token.children else [token])]


def text_of(token: Token) -> str:
    return "".join(each.content for each in token.children or [] if each.type in ("text", "text_special"))


@given(TITLES)
def test_no_title_makes_a_link_html_or_another_block(title: str) -> None:
    tokens = flat(PARSER.parse(report(title)))
    links = {str(token.attrs["href"]) for token in tokens if token.type == "link_open"}
    assert links == {"biny://segment/1"}
    kinds = [token.type for token in tokens]
    expected = [token.type for token in flat(PARSER.parse(report("plain")))]
    blocks = ("heading_open", "list_item_open", "tr_open", "td_open", "th_open", "bullet_list_open", "link_open")
    assert [kind for kind in kinds if kind in blocks] == [kind for kind in expected if kind in blocks]
    others = {"html_inline", "html_block", "image", "code_inline", "fence", "code_block", "hr", "ordered_list_open",
              "blockquote_open", "strong_open", "s_open", "hardbreak"}  # fmt: skip
    assert not others & set(kinds)


@given(TITLES)
@example("__init__.py")
@example("a_b _c_")
def test_a_title_is_shown_as_it_is(title: str) -> None:
    tokens = PARSER.parse(f"{escaped(title)} end")
    shown = [text_of(token) for token in tokens if token.type == "inline"]
    assert [" ".join(each.split()) for each in shown] == [" ".join(f"{clean_title(title, 2_000)} end".split())]


@pytest.mark.parametrize("title", POISON)
def test_the_window_shows_no_link_but_ours(title: str) -> None:
    from PySide6.QtGui import QTextDocument

    document = QTextDocument()
    document.setMarkdown(report(title), QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
    found = set()
    block = document.begin()
    while block.isValid():
        place = block.begin()
        while not place.atEnd():
            form = place.fragment().charFormat()
            if form.isAnchor() or form.isImageFormat():
                found.add(form.anchorHref())
            place += 1
        block = block.next()
    assert found == {"biny://segment/1"}


def test_ordinary_words_are_left_readable() -> None:
    assert (
        inline("storage_page.py – Fix #12: (draft), 50 % of a/b") == "storage_page.py – Fix #12: (draft), 50 % of a/b"
    )
    assert inline("R&D") == "R\\&D"
    assert escaped("#12 is done") == "\\#12 is done"
    assert escaped("1. first") == "1\\. first"


def test_dead_links_become_the_word_deleted_with_their_text_gone() -> None:
    text = (
        "- 09:10 [a secret \\[title\\]](biny://segment/7) · saw [f3](biny://frame/3), [day](biny://report/2026-03-12)"
    )
    assert linked_ids(text) == {"segment": {7}, "frame": {3}}
    left = without_dead_links(text, lambda kind, number: kind == "frame")
    assert left == "- 09:10 deleted · saw [f3](biny://frame/3), [day](biny://report/2026-03-12)"
