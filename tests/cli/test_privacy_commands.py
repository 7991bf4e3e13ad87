"""`biny privacy` and `biny config autostart` as a user types them."""

from pathlib import Path

import pytest

from tests.cli.test_commands import biny, told


def test_a_rule_from_its_birth_to_its_end(tmp_path: Path) -> None:
    home = tmp_path / "h"
    made = told(biny("privacy", "add", "Payroll", "payroll", "--json", home=home))
    assert (made["id"], made["target"], made["match"], made["action"]) == ("user:1", "title", "contains", "placeholder")
    edited = told(biny("privacy", "edit", "user:1", "--pattern", "salary", "--json", home=home))
    assert (edited["pattern"], edited["revision"]) == ("salary", 2)
    stale = biny("privacy", "edit", "user:1", "--name", "x", "--revision", "1", "--json", home=home)
    assert told(stale)["error"]["kind"] == "stale_revision"
    trial = told(biny("privacy", "test", "--title", "my salary", "--json", home=home))
    assert (trial["reason"], trial["rule_name"]) == ("user_rule", "Payroll")
    assert biny("privacy", "off", "user:1", home=home).returncode == 0
    items = told(biny("privacy", "list", "--json", home=home))["items"]
    assert items[0]["on"] is False
    assert {"id": "product:bitwarden", "kind": "builtin", "name": "Bitwarden", "on": True} in items
    assert biny("privacy", "remove", "user:1", home=home).returncode == 0
    assert told(biny("privacy", "remove", "user:1", "--json", home=home))["error"]["kind"] == "not_found"


def test_patterns_trials_and_counts(tmp_path: Path) -> None:
    home = tmp_path / "h"
    assert (
        told(biny("privacy", "add", "Orders", r"AB-\d+", "--target", "hide", "--json", home=home))["id"] == "pattern:1"
    )
    text = told(biny("privacy", "test", "--text", "AB-77 and 4111 1111 1111 1111", "--json", home=home))
    assert text["stored"] == "[hidden: custom] and [hidden: card]"
    assert "[hidden: custom]" in biny("privacy", "test", "--text", "AB-77", home=home).stdout
    assert told(biny("privacy", "edit", "pattern:1", "--action", "mask", "--json", home=home))["error"]
    assert told(biny("privacy", "unknown", "keep", "--json", home=home)) == {"unknown": "keep"}
    assert biny("privacy", "unknown", home=home).stdout == "keep\n"
    assert biny("privacy", "unknown", "maybe", home=home).returncode == 1
    counts = told(biny("privacy", "redactions", "--json", home=home))
    assert (counts["total"], counts["private_time"]) == (0, [])


@pytest.mark.parametrize(
    "words",
    [("add", "n", "(a+)+", "--match", "regex"), ("add", "n", "x", "--target", "window"),
     ("remove", "product:bitwarden"),
     ("on", "product:nothing"), ("test",), ("edit", "user:x")],
)  # fmt: skip
def test_what_cannot_be_done_is_said_with_status_1(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = biny("privacy", *words, "--json", home=tmp_path / "h")
    assert done.returncode == 1
    assert told(done)["error"]["message"]


def test_start_at_login_is_read_back_and_needs_no_database(tmp_path: Path) -> None:
    env = {"XDG_CONFIG_HOME": str(tmp_path / "xdg")}
    home = tmp_path / "h"
    assert told(biny("config", "autostart", "status", "--json", home=home, **env))["state"] == "off"
    on = told(biny("config", "autostart", "on", "--json", home=home, **env))
    assert (on["state"], on["way"]) == ("on", "xdg")
    assert str(home) in (tmp_path / "xdg" / "autostart" / "biny-desktop.desktop").read_text(encoding="utf-8")
    other = told(biny("config", "autostart", "status", "--json", home=tmp_path / "other", **env))
    assert other["state"] == "other"
    assert told(biny("config", "autostart", "off", "--json", home=home, **env))["state"] == "off"
    assert not (home / "data").exists()
