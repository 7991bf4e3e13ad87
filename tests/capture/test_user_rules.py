"""What a user's rule may be, and that matching it is bounded."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biny_desktop.capture.pattern_check import simplified, why_refused
from biny_desktop.capture.user_rules import Matcher, UserRule, checked
from biny_desktop.core.errors import InvalidInputError

GOOD = UserRule(1, "mine", "title", "regex", "secret", "placeholder")


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+b", "(a*)*", "(a|aa)+$", "([a-z]+)*x", "(?:a+)+", "((a)+)*", "(a{1,20}){1,20}", r"(\w+\s?)*$",
        "a*a*a*a*b",
        "x.*y.*z.*w", "a?" * 20 + "a" * 20, "(a|b)(c|d)(e|f)(g|h)(i|j)(k|l)(m|n)", r"(a)\1", "(?=a)b", "(?<=a)b",
        "(?P<n>a)", "a{1,999}", "(", "[", "*a", "(a|b|c)*", r"(.*)\d+x.*y", "x" * 10 + "(", "(?#note)a",
    ],
)  # fmt: skip
def test_patterns_that_could_run_for_ever_or_mean_nothing_are_refused(pattern: str) -> None:
    with pytest.raises(InvalidInputError):
        checked(replace(GOOD, pattern=pattern))


@pytest.mark.parametrize(
    "pattern",
    [
        "secret", r"\bpay(roll|slip)\b", "^Invoice [0-9]{4,6}$", ".*bank.*", "(?i)Falcon", r"a.*b.*c", "colou?r",
        "[]a-z]+", r"[^\]]x", r"\(draft\)", "a|b|c|d|e|f|g|h|i", "工资.*表", r"x{2}", "a{,b}", r"\d+\.\d+", "(ab)+",
    ],
)  # fmt: skip
def test_plain_patterns_are_let_in(pattern: str) -> None:
    assert why_refused(pattern) == ""
    assert checked(replace(GOOD, pattern=pattern)).pattern == pattern


@given(st.text(alphabet="ab.*+?()|[]{}1,^$\\x", max_size=14))
@settings(max_examples=200, deadline=None)
def test_whatever_is_let_in_ends(pattern: str) -> None:
    if not why_refused(pattern):
        matcher = Matcher(replace(GOOD, pattern=pattern))
        for text in ("a" * 500, "ab" * 250, "x1" * 250):
            matcher.hits(text)  # one that never ended would be stopped by the test's time-out


@pytest.mark.parametrize(
    "broken",
    [
        replace(GOOD, name=" "), replace(GOOD, name="n" * 101), replace(GOOD, pattern=""),
        replace(GOOD, pattern="x" * 201),
        replace(GOOD, target="window"), replace(GOOD, match="like"), replace(GOOD, action="delete"),
    ],
)  # fmt: skip
def test_rules_that_make_no_sense_are_refused_with_a_hint(broken: UserRule) -> None:
    with pytest.raises(InvalidInputError) as caught:
        checked(broken)
    assert caught.value.message
    assert caught.value.hint


def slow_clock(step_ns: int) -> Callable[[], int]:
    now = 0

    def tick() -> int:
        nonlocal now
        now += step_ns
        return now

    return tick


def test_a_slow_match_counts_as_a_hit() -> None:
    rule = replace(GOOD, pattern="zzz")
    assert Matcher(rule, slow_clock(60_000_000)).hits("nothing of the kind")
    assert not Matcher(rule, slow_clock(1_000)).hits("nothing of the kind")


def test_a_text_that_takes_too_long_in_all_counts_as_a_hit() -> None:
    rule = replace(GOOD, pattern="zzz", target="text")
    lines = ["line"] * 200
    assert Matcher(rule, slow_clock(5_000_000)).lines_hit(lines)
    late = Matcher(rule, slow_clock(5_000_000)).lines_hit(lines, all_of_them=True)
    assert late == list(range(late[0], 200))
    assert not Matcher(rule, slow_clock(1)).lines_hit(lines, all_of_them=True)


def test_a_rule_that_was_damaged_in_the_database_hits() -> None:
    assert Matcher(replace(GOOD, pattern="(")).hits("anything")


def test_hits_far_into_a_long_title_are_found_also_at_the_seams() -> None:
    for match in ("contains", "regex"):
        matcher = Matcher(replace(GOOD, match=match, pattern="needle in hay"))
        for place in (0, 395, 399, 495, 1_000, 4_900):
            assert matcher.hits("x" * place + " needle in hay " + "y" * 300)


def test_a_search_finds_the_same_without_open_ends() -> None:
    assert simplified(".*foo.*") == "foo"
    assert simplified(r"^.*?foo\.*") == r"foo\.*"
    assert simplified("(?i)a") == "a"
