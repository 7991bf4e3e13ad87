"""`biny privacy`: what is never recorded and what is hidden in text; rules, trials and counts."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, cast

import typer

from biny_desktop.cli.context import AsJson, opened
from biny_desktop.cli.output import put, put_items, put_json, put_table
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.i18n import _

if TYPE_CHECKING:
    from biny_desktop.activity.redaction_store import Pattern
    from biny_desktop.capture.rules_store import StoredRule
    from biny_desktop.capture.user_rules import Action, Match, Target
    from biny_desktop.service.privacy import PrivacyCare, TextTrial, WindowTrial

app = typer.Typer(name="privacy", help="What is never recorded, and what is hidden in text.", no_args_is_help=True)
RuleId = Annotated[str, typer.Argument(metavar="ID", help="As `biny privacy list` has it: product:bitwarden, user:7.")]
Revision = Annotated[int | None, typer.Option(help="Only if the rule is still at this revision.")]
HIDE = "hide"
"""The target of a pattern whose matches are hidden in text, beside those of rules."""


@app.command("list")
def list_rules(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Show every rule: the user's, the patterns hidden in text, and the built-in lists with their state."""
    with _care(ctx) as care:
        own = [_rule_row(each) for each in care.user_rules()]
        hidden = [_pattern_row(each) for each in care.patterns()]
        built_in: list[dict[str, object]] = [
            {"id": each.id, "kind": "builtin", "name": each.name, "on": each.enabled} for each in care.builtins()
        ]
        unknown = care.unknown_windows()
    rows = own + hidden + built_in
    if as_json:
        put_items(rows, None)
        return
    put_table(
        ("id", "state", "name", "what", "hits"),
        [
            (
                str(row["id"]), _("on") if row["on"] else _("off by you"), str(row["name"]),
                " ".join(str(row[key]) for key in ("target", "match", "pattern", "action") if row.get(key)),
                str(row.get("hits", "")),
            )
            for row in rows
        ],
    )  # fmt: skip
    put(_("A window that cannot be told: {choice} (privacy.unknown)").format(choice=unknown))


@app.command("add")
def add(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="What you call it.")],
    pattern: Annotated[str, typer.Argument(help="Up to 200 characters.")],
    target: Annotated[str, typer.Option(help="app, title, url, text; hide: hide what matches in all text.")] = "title",
    match: Annotated[str, typer.Option(help="exact, contains, glob, regex.")] = "contains",
    action: Annotated[str, typer.Option(help="placeholder, no_trace, mask.")] = "placeholder",
    as_json: AsJson = False,
) -> None:
    """Add a rule, or with `--target hide` a regular expression that is hidden in all text."""
    from biny_desktop.capture.user_rules import UserRule

    with _care(ctx) as care:
        if target == HIDE:
            row = _pattern_row(care.add_pattern(name, pattern))
        else:
            # `checked` refuses what is no target, match or action.
            rule = UserRule(
                0, name, cast("Target", target), cast("Match", match), pattern, cast("Action", action)
            )  # fmt: skip
            row = _rule_row(care.add_rule(rule))
    _put_row(row, as_json=as_json)


@app.command("edit")
def edit(
    ctx: typer.Context,
    rule_id: RuleId,
    name: Annotated[str | None, typer.Option(help="Another name.")] = None,
    pattern: Annotated[str | None, typer.Option(help="Another pattern.")] = None,
    target: Annotated[str | None, typer.Option(help="app, title, url, text.")] = None,
    match: Annotated[str | None, typer.Option(help="exact, contains, glob, regex.")] = None,
    action: Annotated[str | None, typer.Option(help="placeholder, no_trace, mask.")] = None,
    revision: Revision = None,
    as_json: AsJson = False,
) -> None:
    """Change a rule or pattern of yours."""
    from biny_desktop.service.privacy import kind_of

    given = {"name": name, "pattern": pattern, "target": target, "match": match, "action": action}
    changes = {key: value for key, value in given.items() if value is not None}
    kind, number = kind_of(rule_id)
    with _care(ctx) as care:
        if kind == "user":
            seen = care.rule(number)
            wanted = replace(seen.rule, **changes)  # type: ignore[arg-type]  # `checked` refuses what is no choice
            row = _rule_row(care.edit_rule(wanted, seen.revision if revision is None else revision))
        elif kind == "pattern" and not changes.keys() - {"name", "pattern"}:
            found = care.pattern(number)
            at = found.revision if revision is None else revision
            changed = replace(found, name=name or found.name, pattern=pattern or found.pattern, revision=at)
            row = _pattern_row(care.edit_pattern(changed))
        else:
            raise InvalidInputError(_("It was not changed"), _("This rule has no such part."), "biny privacy on|off ID")
    _put_row(row, as_json=as_json)


@app.command("remove")
def remove(ctx: typer.Context, rule_id: RuleId, revision: Revision = None, as_json: AsJson = False) -> None:
    """Delete a rule or pattern of yours; a built-in one can only be switched off."""
    with _care(ctx) as care:
        care.remove(rule_id, revision)
    put_json({"id": rule_id, "removed": True}) if as_json else put(_("{id} is gone.").format(id=rule_id))


@app.command("on")
def switch_on(ctx: typer.Context, rule_id: RuleId, revision: Revision = None, as_json: AsJson = False) -> None:
    """Switch any rule on."""
    with _care(ctx) as care:
        care.set_enabled(rule_id, revision, on=True)
    put_json({"id": rule_id, "on": True}) if as_json else put(_("{id} is on.").format(id=rule_id))


@app.command("off")
def switch_off(ctx: typer.Context, rule_id: RuleId, revision: Revision = None, as_json: AsJson = False) -> None:
    """Switch any rule off, built-in ones too."""
    with _care(ctx) as care:
        care.set_enabled(rule_id, revision, on=False)
    put_json({"id": rule_id, "on": False}) if as_json else put(_("{id} is off.").format(id=rule_id))


@app.command("test")
def try_out(
    ctx: typer.Context,
    app_id: Annotated[str, typer.Option("--app", help="App id of a window, as Doctor and the pages show it.")] = "",
    title: Annotated[str, typer.Option(help="Its title.")] = "",
    url: Annotated[str | None, typer.Option(help="Its address.")] = None,
    text: Annotated[str | None, typer.Option(help="Text of a screen instead; - reads it from the input.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what would happen to a window, or to a text; nothing is stored or counted."""
    import sys

    with _care(ctx) as care:
        if text is not None:
            _put_text(care.try_text(sys.stdin.read() if text == "-" else text), as_json=as_json)
        elif app_id or title or url:
            # Without an app every window is unknown; a name that no list knows lets the other rules be seen.
            _put_window(care.try_window(app_id or "some-app", title, url), as_json=as_json)
        else:
            raise InvalidInputError(_("Nothing to try"), _("Give --app, --title, --url or --text."))


@app.command("unknown")
def unknown_windows(
    ctx: typer.Context,
    choice: Annotated[str, typer.Argument(help="skip or keep; nothing shows it.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show or choose what happens to a window that cannot be told."""
    with _care(ctx) as care:
        if choice:
            care.set_unknown_windows(choice)
        now = care.unknown_windows()
    put_json({"unknown": now}) if as_json else put(now)


@app.command("redactions")
def redactions(
    ctx: typer.Context,
    days: Annotated[int, typer.Option(min=1, max=3650, help="Of the last so many days.")] = 30,
    as_json: AsJson = False,
) -> None:
    """Show how much was hidden by type and day, and how long private time lasted."""
    with _care(ctx) as care:
        hidden, private = care.hidden(days), care.private_time(days)
    if as_json:
        put_json(
            {
                "total": hidden.total, "by_type": dict(hidden.by_type), "by_day": dict(hidden.by_day),
                "private_time": [asdict(each) for each in private],
            }
        )  # fmt: skip
        return
    put_table(("type", "hidden"), [(kind, str(count)) for kind, count in hidden.by_type])
    put_table(("day", "hidden"), [(day, str(count)) for day, count in hidden.by_day])
    put_table(
        ("private time", "minutes", "triggers"),
        [(each.reason, f"{each.ms / 60_000:.1f}", str(each.count)) for each in private],
    )


def _put_window(trial: "WindowTrial", *, as_json: bool) -> None:
    if as_json:
        put_json(asdict(trial))
    elif trial.masked:
        put(_("It would be recorded, painted over and without its title ({rule}).").format(rule=trial.rule_name))
    elif trial.outcome == "ok":
        put(_("It would be recorded."))
    else:
        words = " · ".join(part for part in (trial.reason or "", trial.rule_name, trial.rule_id) if part)
        put(_("It would not be recorded: {why}").format(why=words))


def _put_text(trial: "TextTrial", *, as_json: bool) -> None:
    if as_json:
        put_json(asdict(trial))
        return
    if trial.rule_id:
        put(_("The frame would not be kept ({rule}).").format(rule=trial.rule_name))
        return
    if trial.masked:
        rules = ", ".join(trial.mask_names)
        put(_("{n} lines would be painted over ({rules}).").format(n=len(trial.masked), rules=rules))
    put(_("This would be stored:"))
    put(trial.stored)


def _rule_row(stored: "StoredRule") -> dict[str, object]:
    rule = stored.rule
    return {
        "id": f"user:{rule.id}", "kind": "user", "name": rule.name, "on": rule.enabled, "target": rule.target,
        "match": rule.match, "pattern": rule.pattern, "action": rule.action, "hits": stored.hits,
        "last_hit_ms": stored.last_hit_ms, "revision": stored.revision,
    }  # fmt: skip


def _pattern_row(found: "Pattern") -> dict[str, object]:
    return {
        "id": f"pattern:{found.id}", "kind": "pattern", "name": found.name, "on": found.enabled, "target": HIDE,
        "pattern": found.pattern, "revision": found.revision,
    }  # fmt: skip


def _put_row(row: dict[str, object], *, as_json: bool) -> None:
    put_json(row) if as_json else put(f"{row['id']}  {row['name']}")


@contextmanager
def _care(ctx: typer.Context) -> "Iterator[PrivacyCare]":
    with opened(ctx) as product:
        yield product.privacy
