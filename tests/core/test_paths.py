"""Rows 1 to 9 of the path check, by their letters alone."""

import posixpath
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.core.errors import said
from biny_desktop.core.paths import PathRefusedError, check_path


def reason(raw: object) -> str:
    with pytest.raises(PathRefusedError) as refused:
        check_path(raw)
    assert refused.value.kind == "path_refused"
    assert all(said(refused.value))
    return refused.value.reason


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ("memory\\nodes\\a.md", "memory/nodes/a.md"),
        ("memory/%6eodes/a.md", "memory/nodes/a.md"),
        ("memory/../memory/nodes/a.md", "memory/nodes/a.md"),
        ("memory/笔记.md", "memory/笔记.md"),
        ("memory/%E7%AC%94%E8%AE%B0.md", "memory/笔记.md"),
        ("memory//./a.md", "memory/a.md"),
        ("memory/a.md/", "memory/a.md"),
        ("memory/cafe\u0301.md", "memory/café.md"),
        ("memory/100%25.md", "memory/100%.md"),
        ("memory/a b (1) & c.md", "memory/a b (1) & c.md"),
        ("memory/console.md", "memory/console.md"),
        ("memory/a~b.md", "memory/a~b.md"),
        ("memory/../SOUL.md", "SOUL.md"),
        ("memory%2f..%2fUSER.md", "USER.md"),
        ("MEMORY/EPISODIC/x.md", "MEMORY/EPISODIC/x.md"),
        ("src/app.py", "src/app.py"),
        ("memory", "memory"),
    ],
)
def test_a_plain_path_becomes_its_normal_form(raw: str, path: str) -> None:
    assert check_path(raw) == path


@pytest.mark.parametrize("raw", [None, 7, b"memory/a.md", [], "", " ", "\t\n", "\u3000"])
def test_row_1_wants_a_text(raw: object) -> None:
    assert reason(raw) == "empty"


def test_row_1_wants_a_short_text() -> None:
    assert reason("a" * 513) == "too_long"


@pytest.mark.parametrize(
    "raw",
    [
        "memory/%c0%ae/a.md",
        "memory/%zz.md",
        "memory/100%.md",
        "%",
        "a%f",
        "%ed%a0%80.md",
        "%e7é.md",
        "%ff",
        "%\u0664\u0661",
    ],
)
def test_row_2_decodes_strictly(raw: str) -> None:
    assert reason(raw) == "encoding"


@pytest.mark.parametrize("raw", ["%252e%252e/a.md", "%25%32%65", "a%2500.md"])
def test_row_2_decodes_once(raw: str) -> None:
    assert reason(raw) == "double_encoding"


@pytest.mark.parametrize(
    "raw",
    [
        "memory/a.md%00.txt", "memory/a\x00.md", "memory/\u202etxt.md", "a\u200b.md", "a\ud800.md", "a\ue000.md",
        "a\U000e0001.md", "a\u0378.md", "a\nb.md", "a\u2028b.md", "a%0a.md", "\ufeffa.md",
    ],
)  # fmt: skip
def test_row_3_shows_every_character(raw: str) -> None:
    assert reason(raw) == "control"


@pytest.mark.parametrize(
    "raw",
    [
        "memory/\uff0e\uff0e/a.md", "memory\uff0fa.md", "memory\uff3ca.md", "c\uff1aa.md", "a\u2024md", "a\u2026md",
        "a\u2215b", "a\u2044b", "a\u29f8b", "a\u29f5b", "a\u2216b", "\uff05\uff12e", "a\u2100b", "\uff5ea", "a\ufe52b",
        "a\u2488b",
    ],
)  # fmt: skip
def test_row_4_refuses_what_only_looks_like_a_mark(raw: str) -> None:
    assert reason(raw) == "lookalike"


@pytest.mark.parametrize(
    "raw", ["/memory/nodes/a.md", "//host/a.md", "\\\\?\\C:\\a.md", "\\a.md", "%2fetc/passwd", "%5c%5chost", "/"]
)
def test_row_5_refuses_an_absolute_path(raw: str) -> None:
    assert reason(raw) == "absolute"


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("C:\\a.md", "drive"), ("c:memory/a.md", "drive"), ("C%3a/a.md", "drive"), ("memory/a.md:stream", "colon"),
        ("file:///memory/a.md", "colon"), ("memory/a.md::$DATA", "colon"), ("é:/a.md", "colon"),
    ],
)  # fmt: skip
def test_row_6_refuses_drives_and_colons(raw: str, why: str) -> None:
    assert reason(raw) == why


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("../memory/a.md", "escape"), ("%2e%2e/SOUL.md", "escape"), ("a/../../a.md", "escape"), ("..", "escape"),
        ("..\\a", "escape"), ("../" * 9 + "etc", "escape"), (".", "empty"), ("./", "empty"), ("a/..", "empty"),
    ],
)  # fmt: skip
def test_row_7_stays_inside(raw: str, why: str) -> None:
    assert reason(raw) == why


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("memory/.git/config", "hidden"), ("~/a.md", "hidden"), ("~root/a.md", "hidden"), (".env", "hidden"),
        ("memory/...", "hidden"), ("memory/.. /a.md", "hidden"), ("memory/a.md.", "trailing"), ("a /b", "trailing"),
        ("memory/ a.md", "trailing"), ("memory/a.md ", "trailing"), ("memory/a\u3000/b", "trailing"),
        ("memory/a?.md", "char"), ("a*", "char"), ('a".md', "char"), ("a<b", "char"), ("a>b", "char"), ("a|b", "char"),
    ],
)  # fmt: skip
def test_row_8_wants_plain_segments(raw: str, why: str) -> None:
    assert reason(raw) == why


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("memory/GIT~1/x.md", "short_name"), ("a~9", "short_name"), ("memory/con.md", "reserved"),
        ("memory/COM1.txt", "reserved"), ("memory/aux", "reserved"), ("nul.tar.gz", "reserved"), ("LPT9", "reserved"),
        ("com\u00b9.md", "reserved"), ("con .md", "reserved"), ("CONIN$", "reserved"), ("\uff43on", "reserved"),
        ("memory/" + "a" * 121, "too_long"), ("memory/" + "笔" * 41, "too_long"),
        ("/".join(["a" * 100] * 3), "too_long"),
    ],
)  # fmt: skip
def test_row_9_keeps_names_that_every_system_can_hold(raw: str, why: str) -> None:
    assert reason(raw) == why


def test_the_longest_names_are_taken() -> None:
    path = "/".join(["a" * 119, "b" * 120])
    assert check_path(path) == path


def test_the_first_row_that_fails_is_told() -> None:
    assert reason("/../C:\u202e%zz") == "encoding"
    assert reason("/../C:\u202e") == "control"
    assert reason("/../c:") == "absolute"
    assert reason("../.git/con") == "escape"


PIECES = st.sampled_from(
    [
        "/", "\\", "..", ".", "%2e", "%2f", "%5c", "%25", "%00", "a", "Memory", "con", "~1", ":", "C:", " ", "\u202e",
        "\uff0e", "\u2215", "笔记", "é", "e\u0301", "*", "%c0%ae", ".md",
    ]
)  # fmt: skip


@given(st.one_of(st.lists(PIECES, max_size=14).map("".join), st.text(max_size=40)))
def test_whatever_is_accepted_stays_inside_and_is_normal(raw: str) -> None:
    try:
        path = check_path(raw)
    except PathRefusedError:
        return
    assert posixpath.normpath(posixpath.join("/root", path)) == f"/root/{path}"
    assert not {"", ".", ".."} & set(path.split("/"))
    assert not set(path) & set('\\:<>"|?*')
    assert unicodedata.is_normalized("NFC", path)
    assert check_path(path.replace("%", "%25")) == path
