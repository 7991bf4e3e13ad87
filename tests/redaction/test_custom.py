"""The user's own patterns: what is accepted, what is refused, and that a slow one cannot hold the app."""

import logging
import time

import pytest

from biny_desktop.core.errors import InvalidSettingError
from biny_desktop.redaction import RedactionOptions, Redactor, check_custom, custom


@pytest.mark.parametrize(
    "pattern",
    [
        r"HB-\d{6}",
        r"[A-Z]{2}\d+-\w+",
        r"\w+@\w+\.local",
        r"(?:boat|ship)-\d+",
        r"(?i)project \w+",
        r"船号\d{4}",
        r"(?:\d{4} ){3}\d{4}",
    ],
)
def test_plain_patterns_are_accepted(pattern):
    check_custom(pattern)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("", "1 to 200"),
        ("a" * 201, "1 to 200"),
        ("(", "not a valid"),
        ("[[a]", "not a valid"),
        ("a*", "empty text"),
        (r"(a+)+b", "inside a repeat"),
        (r"(?:a|a)*b", "inside a repeat"),
        (r"(?:\w+,)*x", "inside a repeat"),
        (r"(\w)\1", "refers back"),
        ("a?" * 20 + "a" * 20, "more than 12"),
        (r".*.*.*.*x", "too long"),
    ],
)
def test_dangerous_patterns_are_refused_with_a_reason(pattern, why):
    with pytest.raises(InvalidSettingError) as fault:
        check_custom(pattern)
    assert why in fault.value.message
    assert fault.value.hint


def test_redactor_refuses_a_bad_pattern():
    with pytest.raises(InvalidSettingError):
        Redactor(RedactionOptions(custom=("(",)))


def test_match_is_hidden_on_each_line():
    redactor = Redactor(RedactionOptions(custom=(r"HB-\d{6}", "Kranhaus")))
    result = redactor.redact(["boat HB-123456 at Kranhaus", "HB-12"])
    assert result.lines == ("boat [hidden: custom] at [hidden: custom]", "HB-12")
    assert dict(result.counts) == {"custom": 2}


def test_match_across_two_pieces_of_a_long_line_is_found():
    redactor = Redactor(RedactionOptions(custom=(r"HB-\d{6}",)))
    for lead in range(180, 270, 7):
        assert "HB-123456" not in redactor.plain("x " * (lead // 2) + "HB-123456" + " y" * 200)


@pytest.mark.logs_warning("custom pattern 1")
def test_slow_pattern_hides_its_piece_and_is_switched_off(monkeypatch, caplog):
    redactor = Redactor(RedactionOptions(custom=("Kranhaus",)))
    ticks = iter([0.0, 0.2])
    monkeypatch.setattr(custom.time, "thread_time", lambda: next(ticks))
    with caplog.at_level(logging.WARNING):
        assert redactor.redact(["boat at the quay", "Kranhaus"]).lines == ("[hidden: custom]", "Kranhaus")
    assert "boat" not in caplog.text
    assert "custom pattern 1" in caplog.text


def test_accepted_pattern_stays_quick_on_its_largest_piece():
    pattern = r"\w+@\w+\.local"
    check_custom(pattern)
    rules = Redactor(RedactionOptions(custom=(pattern,)))
    began = time.thread_time()
    rules.plain("a" * custom.PIECE)
    assert time.thread_time() - began < 5
