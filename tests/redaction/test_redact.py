"""The redactor as a whole: spans, counts, line ends, damage, idempotence, threads, addresses."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import RULES_VERSION, RedactionOptions, Redactor, Span, safe_constant

REDACTOR = Redactor(RedactionOptions())
TOKEN = "ghp_vuoYhuvWll6t6GZEZ5O55Yvdytrz9mdEqoAj"
CARD = "4111 1111 1111 1111"

FRAGMENTS = [
    TOKEN, TOKEN[:22], TOKEN[22:], CARD, "4111 1111", "1111 1111", "password", "Passwort:", "密码：", "is", "=",
    ": ", "Tide4all!", "\n", "\n", " ", "482913", "Your code", "[hidden: token]", "[hidden: ", "token]", "ines",
    "@", "canal.example", "https://", "mira:Sturm9wind@", "?token=", "e964e78ea17a296b08950e55f",
    "+44 20 7946 0018", "Tel.", "IBAN", "DE89 3704 0044 0532 0130 00", "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----", "DfspGKAzhtDoXZlJuqqUOfHXhZrt", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", ".",
    "eyJzdWIiOiIxMDA3IiwiaWF0IjoxOTE5NjAwMDAwfQ", "Bearer ", "key ", "\u200b", "\x00", "\ud83d", "é", "e\u0301",
    "…", "ﾊﾟｽ",
]  # fmt: skip


def test_lines_keep_their_number_and_text_joins_them():
    result = REDACTOR.redact(["one", "", f"use {TOKEN} now", ""])
    assert result.lines == ("one", "", "use [hidden: token] now", "")
    assert result.text == "\n".join(result.lines)
    assert all(isinstance(line, RedactedText) for line in (result.text, *result.lines))


def test_no_lines_give_an_empty_text():
    result = REDACTOR.redact([])
    assert (result.text, result.lines, result.spans, dict(result.counts)) == ("", (), (), {})


def test_span_points_at_the_secret_in_the_original_line():
    line = f"a\x00b \u200b{TOKEN} c"
    (span,) = REDACTOR.redact(["x", line]).spans
    assert (span.line, span.type, line[span.start : span.end]) == (1, "token", TOKEN)


def test_span_covers_full_width_digits_and_whole_characters():
    line = "卡号 ６２００ ００００ ００００ ０００５。"
    (span,) = REDACTOR.redact([line]).spans
    assert line[span.start : span.end] == "６２００ ００００ ００００ ０００５"


def test_secret_over_two_lines_is_hidden_on_both_and_counts_once():
    result = REDACTOR.redact([f"token {TOKEN[:20]}", f"{TOKEN[20:]} next"])
    assert result.lines == ("token [hidden: token]", "[hidden: token] next")
    assert result.spans == (Span(0, 6, 26, "token"), Span(1, 0, 20, "token"))
    assert dict(result.counts) == {"token": 1}


def test_overlapping_finds_are_hidden_as_one_of_the_longest_type():
    result = REDACTOR.redact_line(f"password={TOKEN}")
    assert result.text == "password=[hidden: token]" or result.text == "password=[hidden: password]"
    assert sum(result.counts.values()) == 1


def test_counts_tell_each_type():
    result = REDACTOR.redact(["ines@canal.example", f"{CARD} and 5555555555554444"])
    assert dict(result.counts) == {"email": 1, "card": 2}


def test_email_and_phone_can_be_switched_off():
    lines = ["ines@canal.example", "+44 20 7946 0018", TOKEN]
    result = Redactor(RedactionOptions(email=False, phone=False)).redact(lines)
    assert result.lines == (lines[0], lines[1], "[hidden: token]")


def test_title_of_lone_surrogates_and_controls_is_safe():
    assert REDACTOR.plain("\ud83d Mail \x07 - Inbox") == "? Mail  - Inbox"


def test_line_that_holds_line_ends_stays_one_line():
    result = REDACTOR.redact([f"a\r\n{TOKEN}\rb", "c"])
    assert result.lines == ("a\n[hidden: token]\nb", "c")
    (span,) = result.spans
    assert f"a\r\n{TOKEN}\rb"[span.start : span.end] == TOKEN


def test_placeholder_in_the_input_stays_and_is_not_counted():
    result = REDACTOR.redact_line("password: [hidden: password] and code [hidden: otp]")
    assert result.text == "password: [hidden: password] and code [hidden: otp]"
    assert dict(result.counts) == {}


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14))
@settings(max_examples=250, deadline=None)
def test_redacting_twice_is_the_same_as_once(parts):
    once = REDACTOR.redact("".join(parts).split("\n"))
    twice = REDACTOR.redact(once.lines)
    assert twice.lines == once.lines
    assert dict(twice.counts) == {}
    assert REDACTOR.plain(once.text) == once.text


@given(st.text(max_size=120))
@settings(max_examples=150, deadline=None)
def test_any_text_is_taken_and_settles(text):
    once = REDACTOR.plain(text)
    assert REDACTOR.plain(once) == once


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=10), st.lists(st.sampled_from(FRAGMENTS), max_size=10))
@settings(max_examples=100, deadline=None)
def test_spans_lie_in_their_lines_and_do_not_overlap(first, second):
    lines = ["".join(first), "".join(second)]
    last = (0, 0)
    for span in REDACTOR.redact(lines).spans:
        assert 0 <= span.start < span.end <= len(lines[span.line])
        assert (span.line, span.start) >= last
        last = (span.line, span.end)


def test_threads_share_a_redactor():
    texts = [f"{n} {TOKEN} password=Tide{n}all! ines{n}@canal.example" for n in range(40)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(REDACTOR.plain, texts)) == [REDACTOR.plain(text) for text in texts]


@pytest.mark.parametrize(
    ("raw", "stored"),
    [
        ("https://mira:Sturm9wind@intern.canal.example/logs?x=1#top", "https://intern.canal.example/logs"),
        ("https://shop.example/list?page=2", "https://shop.example/list"),
        ("http://a.example#access_token=1", "http://a.example"),
        (
            "https://tools.example/reset/e964e78ea17a296b08950e55f2696086",
            "https://tools.example/reset/[hidden: url_secret]",
        ),
        (f"https://git.example/raw/{TOKEN}/a.txt", "https://git.example/raw/[hidden: token]/a.txt"),
        ("file:///home/mira/notes.txt", "file:///home/mira/notes.txt"),
        ("file:///home/mira/ines@canal.example.eml?x", "file:///home/mira/[hidden: email]"),
        ("data:text/html;base64,QUJD", "data:"),
        ("javascript:alert(1)", "javascript:"),
        ("about:blank", "about:blank"),
        ("app.canal.example/cb?code=4%2F0AX4XfWh7Tq2LrZp8", "app.canal.example/cb"),
        ("https://user@host.example/a", "https://host.example/a"),
        ("https://a.example/x@y/z", "https://a.example/x@y/z"),
        ("", ""),
    ],
)
def test_stored_address_loses_user_query_and_fragment(raw, stored):
    text = REDACTOR.redact_url(raw).text
    assert text == stored
    assert REDACTOR.redact_url(text).text == stored


def test_address_counts_what_it_carried():
    result = REDACTOR.redact_url("https://mira:Sturm9wind@a.example/x?token=e964e78ea17a")
    assert dict(result.counts) == {"url_secret": 2}
    assert len(result.spans) == 2


def test_long_address_is_cut_without_halving_a_placeholder():
    raw = "https://a.example/" + "a/" * 1_010 + TOKEN + "/end"
    text = REDACTOR.redact_url(raw).text
    assert len(text) <= 2_048
    assert "[hid" not in text


def test_program_text_is_marked_safe():
    assert isinstance(safe_constant("Biny Desktop"), RedactedText)
    assert RULES_VERSION >= 1
