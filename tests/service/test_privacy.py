"""Rules, trials and counts as a person sees them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from biny_desktop.app import open_product
from biny_desktop.capture.user_rules import UserRule
from biny_desktop.core.errors import InvalidInputError, InvalidSettingError, NotFoundError, StaleRevisionError
from biny_desktop.core.events import PrivacyChanged
from biny_desktop.service.privacy import PrivacyCare, kind_of
from biny_desktop.service.product import Product

RULE = UserRule(0, "Payroll", "title", "contains", "payroll", "placeholder")


@pytest.fixture
def product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Product]:
    monkeypatch.setenv("BINY_STORAGE__ENCRYPTION", "off")
    opened = open_product(tmp_path / "home")
    yield opened
    opened.close()


@pytest.fixture
def care(product: Product) -> PrivacyCare:
    return product.privacy


def test_built_in_lists_have_product_names_and_say_when_they_are_off(care: PrivacyCare) -> None:
    names = {each.name for each in care.builtins() if each.group == "product"}
    assert {"Bitwarden", "1Password", "LastPass", "Dashlane"} <= names
    assert all(each.enabled for each in care.builtins())
    assert care.try_window("bitwarden").reason == "private_app"
    care.set_builtin("product:bitwarden", on=False)
    assert [each.id for each in care.builtins() if not each.enabled] == ["product:bitwarden"]
    assert care.try_window("bitwarden").outcome == "ok"
    care.set_enabled("product:bitwarden", on=True)
    assert care.try_window("bitwarden").reason == "private_app"
    with pytest.raises(InvalidInputError):
        care.set_builtin("product:nothing", on=False)


def test_user_rules_are_changed_only_at_the_revision_that_was_seen(care: PrivacyCare) -> None:
    made = care.add_rule(RULE)
    changed = care.edit_rule(replace(made.rule, pattern="salaries"), made.revision)
    assert (changed.rule.pattern, changed.revision) == ("salaries", 2)
    with pytest.raises(StaleRevisionError):
        care.edit_rule(replace(made.rule, pattern="other"), made.revision)
    with pytest.raises(StaleRevisionError):
        care.set_enabled("user:1", 1, on=False)
    with pytest.raises(StaleRevisionError):
        care.remove("user:1", 1)
    care.set_enabled("user:1", 2, on=False)
    assert care.try_window("editor", "salaries").outcome == "ok"
    care.remove("user:1")
    assert care.user_rules() == ()
    for gone in (lambda: care.rule(1), lambda: care.remove("user:1"), lambda: care.pattern(9)):
        with pytest.raises(NotFoundError):
            gone()


def test_a_bad_rule_or_pattern_is_refused(care: PrivacyCare) -> None:
    with pytest.raises(InvalidInputError):
        care.add_rule(replace(RULE, match="regex", pattern="(a+)+"))
    with pytest.raises(InvalidInputError):
        care.add_pattern("n", "(a+)+")
    with pytest.raises(InvalidInputError):
        care.remove("product:bitwarden")
    assert (care.user_rules(), care.patterns()) == ((), ())


@pytest.mark.parametrize("rule_id", ["user:", "user:x", "pattern:-1", "user:٣", "user:99999999999999999999"])
def test_an_id_that_is_none_is_refused(rule_id: str) -> None:
    with pytest.raises(InvalidInputError):
        kind_of(rule_id)


def test_a_window_can_be_tried_and_nothing_is_counted(care: PrivacyCare) -> None:
    care.add_rule(RULE)
    trial = care.try_window("editor", "the PAYROLL of May")
    assert (trial.outcome, trial.reason, trial.rule_id, trial.rule_name) == (
        "private", "user_rule", "user:1", "Payroll",
    )  # fmt: skip
    assert trial.action == "placeholder"
    assert care.user_rules()[0].hits == 0
    assert care.try_window("editor", "notes") == replace(
        trial, outcome="ok", reason=None, rule_id="", rule_name="", action=None
    )
    private = care.try_window("google-chrome", "New Tab - Google Chrome (Incognito)")
    assert (private.reason, private.rule_name) == ("private_window", "Private browsing, by title")
    assert care.try_window("", "x").outcome == "unknown"
    assert care.try_window("firefox", "1Password – Vault — Mozilla Firefox", size=(375, 600)).reason == "private_app"
    assert care.try_window("firefox", "x", "https://vault.bitwarden.com/#/vault").reason is not None
    assert care.try_window("swaylock").outcome == "locked"
    care.add_rule(replace(RULE, target="app", pattern="chat", match="exact", action="mask"))
    masked = care.try_window("chat", "hello")
    assert (masked.outcome, masked.masked, masked.action, masked.rule_id) == ("ok", True, "mask", "user:2")


def test_a_text_can_be_tried(care: PrivacyCare) -> None:
    care.add_rule(replace(RULE, target="text", pattern="falcon", action="mask"))
    trial = care.try_text("one\nthe falcon plan\npassword: hunter2horse")
    assert (trial.rule_id, trial.masked, trial.mask_names) == ("", (1,), ("Payroll",))
    assert trial.stored == "one\n\npassword: [hidden: password]"
    assert dict(trial.hidden) == {"password": 1}
    care.add_rule(replace(RULE, name="Owls", target="text", pattern="owl", action="no_trace"))
    hidden = care.try_text("falcon\nowl")
    assert (hidden.rule_id, hidden.rule_name, hidden.traced, hidden.stored) == ("user:2", "Owls", False, "")
    assert [each.hits for each in care.user_rules()] == [0, 0]


def test_a_draft_can_be_tried_before_it_is_saved(care: PrivacyCare) -> None:
    assert care.try_rule(RULE, "my payroll")
    assert not care.try_rule(RULE, "")
    assert care.try_rule(replace(RULE, target="text", match="exact", pattern="b"), "a\nb")
    with pytest.raises(InvalidInputError):
        care.try_rule(replace(RULE, match="regex", pattern="("), "x")


@pytest.mark.logs_warning("cannot be used")
def test_patterns_hide_at_once_and_a_damaged_one_does_not_end_redaction(
    product: Product, care: PrivacyCare, caplog: pytest.LogCaptureFixture
) -> None:
    made = care.add_pattern("Orders", r"AB-\d{5}")
    assert care.try_redaction("order AB-12345").text == "order [hidden: custom]"
    care.edit_pattern(replace(made, pattern=r"CD-\d{5}"))
    assert care.try_redaction("AB-12345 CD-12345").text == "AB-12345 [hidden: custom]"
    care.set_enabled("pattern:1", on=False)
    assert care.try_redaction("CD-12345").text == "CD-12345"
    care.set_enabled("pattern:1", on=True)
    assert product.redactor().redact_line("CD-12345").text == "[hidden: custom]"
    care.remove("pattern:1")
    assert care.patterns() == ()
    care.add_pattern("good", "EF-1")
    with product.database.write() as w:
        w.run("UPDATE redaction_patterns SET pattern = '(' WHERE name = 'good'")
    product.redactor.look_again()
    assert care.try_redaction("mail me@example.org").text == "mail [hidden: email]"
    assert "cannot be used" in caplog.text
    caplog.clear()


def test_a_change_from_another_process_is_noticed_within_a_second(product: Product, tmp_path: Path) -> None:
    assert product.redactor().redact_line("AB-12345").text == "AB-12345"
    other = open_product(tmp_path / "home")
    other.privacy.add_pattern("Orders", r"AB-\d{5}")
    other.close()
    product.redactor.look_again()  # what the clock does after a second
    assert product.redactor().redact_line("AB-12345").text == "[hidden: custom]"


def test_unknown_windows_follow_the_setting(care: PrivacyCare) -> None:
    assert care.unknown_windows() == "skip"
    care.set_unknown_windows("keep")
    assert care.unknown_windows() == "keep"
    with pytest.raises(InvalidSettingError):
        care.set_unknown_windows("maybe")


def test_changes_are_told(product: Product, care: PrivacyCare) -> None:
    told: list[PrivacyChanged] = []
    product.events.subscribe(PrivacyChanged, told.append)
    care.add_rule(RULE)
    care.set_builtin("prompt:title", on=False)
    care.add_pattern("n", "xyz")
    assert len(told) == 3


def test_counts_of_what_was_hidden_and_of_private_time(product: Product, care: PrivacyCare) -> None:
    now = product.clock.now_ms()
    with product.database.write() as w:
        for days_ago, kind, count in ((0, "card", 2), (1, "card", 1), (1, "email", 4), (90, "otp", 9)):
            w.run(
                "INSERT INTO redactions(ref_kind, ref_id, field, type, count, rule_version, at) "
                "VALUES('frame', 1, 'text', :type, :count, 1, :at)",
                {"type": kind, "count": count, "at": now - days_ago * 86_400_000},
            )
        w.run(
            "INSERT INTO frame_events(at, until, time_zone, mono_ms, boot_id, kind, reason, count) "
            "VALUES(:at, :until, 'UTC', 1, 'b', 'private', 'private_app', 3)",
            {"at": now - 90_000, "until": now - 30_000},
        )
    hidden = care.hidden()
    assert hidden.by_type == (("email", 4), ("card", 3))
    assert [count for _day, count in hidden.by_day] == [5, 2]
    assert hidden.total == 7
    assert care.hidden(365).total == 16
    (private,) = care.private_time()
    assert (private.reason, private.count, private.ms) == ("private_app", 3, 60_000)
