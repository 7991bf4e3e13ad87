"""The rule book: user rules, masks, text rules, and what is painted over."""

import pytest

from biny_desktop.capture.cover import uncovered
from biny_desktop.capture.ports import TextVerdict
from biny_desktop.capture.rules import Painted, RuleBook
from biny_desktop.capture.user_rules import Action, Match, Target, UserRule
from biny_desktop.core.geometry import Rect
from tests.fakes.capture import make_window


def rule(
    target: Target, match: Match, pattern: str, action: Action = "placeholder", number: int = 7, on: bool = True
) -> UserRule:
    return UserRule(number, "mine", target, match, pattern, action, on)


@pytest.mark.parametrize(
    ("each", "hit"),
    [
        (rule("app", "exact", "Editor"), True), (rule("app", "exact", "edit"), False),
        (rule("title", "contains", "PAYROLL"), True), (rule("title", "glob", "*payroll*"), True),
        (rule("title", "glob", "payroll"), False), (rule("title", "regex", r"pay\w+ 20\d\d"), True),
        (rule("url", "contains", "bank.example"), True), (rule("url", "glob", "https://bank.example/*"), True),
        (rule("text", "contains", "payroll"), False), (rule("app", "contains", "payroll"), False),
        (rule("title", "contains", "payroll", on=False), False),
    ],
)  # fmt: skip
def test_user_rules_hit_only_their_target(each: UserRule, hit: bool) -> None:
    verdict = RuleBook([each]).judge(make_window("editor", "Payroll 2026", url="https://bank.example/x"))
    assert (verdict.outcome == "private") is hit
    if hit:
        assert (verdict.reason, verdict.rule) == ("user_rule", "user:7")


def test_the_first_user_rule_decides_and_built_in_ones_come_before() -> None:
    book = RuleBook([rule("app", "exact", "keepassxc", "mask", 1), rule("app", "exact", "editor", "no_trace", 2)])
    assert book.judge(make_window("keepassxc")).rule == "product:keepass"
    assert book.judge(make_window("editor")).action == "no_trace"


def test_an_empty_title_is_unknown_only_while_a_title_rule_exists() -> None:
    book = RuleBook([rule("title", "contains", "secret")])
    assert book.judge(make_window("editor", "")).outcome == "unknown"
    assert book.judge(make_window("editor", "plain")).outcome == "ok"


def test_a_mask_keeps_the_frame_and_without_a_rectangle_becomes_a_placeholder() -> None:
    book = RuleBook([rule("app", "exact", "chat", "mask")])
    masked = book.judge(make_window("chat"))
    assert (masked.outcome, masked.mask) == ("ok", True)
    assert book.judge(make_window("chat", rect=None)).outcome == "private"


def test_a_text_rule_hides_the_frame_with_or_without_a_trace_or_masks_its_lines() -> None:
    lines = ["one", "falcon one", "owl", "falcon two"]
    mask = RuleBook([rule("text", "contains", "falcon", "mask", 1), rule("text", "exact", "owl", "mask", 2)])
    assert mask.wants_paint()
    assert mask.judge_text(lines) == TextVerdict(masked=(1, 2, 3), masks=("user:1", "user:2"))
    both = RuleBook([rule("text", "contains", "falcon", "mask", 1), rule("text", "exact", "owl", "no_trace", 2)])
    assert both.judge_text(lines) == TextVerdict("user:2", traced=False)
    plain = RuleBook([rule("text", "contains", "falcon", "placeholder", 1)])
    assert not plain.wants_paint()
    assert plain.judge_text(lines) == TextVerdict("user:1", traced=True)


def test_text_rules_look_at_text_only() -> None:
    book = RuleBook([rule("text", "contains", "Project Falcon")])
    assert book.wants_text()
    assert book.judge_text(["one", "the project  falcon plan"]).rule == "user:7"
    assert not book.judge_text(["one", "two"]).hides
    assert book.judge(make_window("editor", "Project Falcon")).outcome == "ok"
    assert not RuleBook().wants_text()
    assert not RuleBook().judge_text(["password: x"]).hides


def test_the_revision_tells_rule_books_apart() -> None:
    one = RuleBook([rule("app", "exact", "a")])
    assert one.revision == RuleBook([rule("app", "exact", "a")]).revision
    assert one.revision != RuleBook([rule("app", "exact", "b")]).revision
    assert RuleBook([rule("app", "exact", "a", on=False)]).revision == RuleBook().revision


FRONT = make_window("editor", "front", window_id="f", rect=Rect(0, 0, 400, 400))
VAULT = make_window("keepassxc", "Passwords", window_id="v", rect=Rect(300, 300, 300, 300))


def test_a_private_window_in_sight_is_painted_whole() -> None:
    book = RuleBook()
    assert book.paint_over([VAULT, FRONT], "f") == [Painted(VAULT.rect or Rect(0, 0, 0, 0), "product:keepass")]
    own = make_window("biny", "Activity", window_id="o", rect=Rect(500, 0, 50, 50), own=True)
    assert [each.rule for each in book.paint_over([own, FRONT], "f")] == ["own"]


def test_a_private_window_hidden_by_others_is_not_painted_but_under_a_terminal_it_is() -> None:
    book = RuleBook()
    cover = make_window("firefox", "page", window_id="c", rect=Rect(250, 250, 500, 500))
    terminal = make_window("xterm", "sh", window_id="t", rect=Rect(250, 250, 500, 500))
    assert book.paint_over([VAULT, cover, FRONT], "f") == []
    assert len(book.paint_over([VAULT, terminal, FRONT], "f")) == 1


def test_of_unknown_windows_only_the_part_in_sight_is_painted() -> None:
    book = RuleBook()
    desktop = make_window("", "", window_id="d", rect=Rect(0, 0, 800, 600))
    parts = [each.rect for each in book.paint_over([desktop, FRONT], "f")]
    assert sum(part.area for part in parts) == 800 * 600 - 400 * 400
    assert all(part.intersect(FRONT.rect or part).area == 0 for part in parts)
    assert book.paint_over([desktop, FRONT], "f", keep_unknown=True) == []


def test_masked_and_placed_nowhere() -> None:
    book = RuleBook([rule("app", "exact", "chat", "mask")])
    chat = make_window("chat", "hi", window_id="m", rect=Rect(600, 0, 100, 100))
    assert [each.rule for each in book.paint_over([chat, FRONT], "f")] == ["user:7"]
    assert book.paint_over([make_window("keepassxc", rect=None), FRONT], "f") == []


def test_uncovered_parts_never_overlap_and_add_up() -> None:
    whole = Rect(-50, -50, 200, 100)
    parts = uncovered(whole, [Rect(0, 0, 20, 20), Rect(-60, -60, 30, 300), Rect(500, 500, 5, 5)])
    assert sum(part.area for part in parts) == 200 * 100 - 20 * 20 - 20 * 100
    assert uncovered(whole, [whole]) == []
