"""`biny models`: which models are used, their keys and tests, and the call ledger."""

import sys
from typing import TYPE_CHECKING, Annotated, cast

import typer

from biny_desktop.cli.context import AsJson, opened
from biny_desktop.cli.index_commands import app as index_app
from biny_desktop.cli.output import put, put_items, put_json, put_table
from biny_desktop.core.errors import BinyError, InvalidInputError, NotFoundError, said_in_line
from biny_desktop.core.i18n import _, sentences
from biny_desktop.service.state_words import outcome_words, task_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from biny_desktop.models.client import TestResult
    from biny_desktop.models.ledger import CallPage
    from biny_desktop.models.model import Slot
    from biny_desktop.service.models_care import ModelCare, SlotState

SLOT_NAMES = ("chat", "small", "rewrite")
KEY_LINE_MAX = 10_000
"""Characters read as a key from a pipe; longer ones are refused anyway."""
app = typer.Typer(help="Language models, their keys and calls, and the search indexes.", no_args_is_help=True)
key_app = typer.Typer(help="Keys of model servers, kept in the system keyring.", no_args_is_help=True)
app.add_typer(key_app, name="key")
app.add_typer(index_app, name="index")
SlotName = Annotated[str, typer.Argument(metavar="SLOT", help="chat, small or rewrite.")]
ServerName = Annotated[str, typer.Argument(metavar="SLOT|URL", help="A slot, or the address of a server.")]


@app.command("list")
def list_slots(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Show every slot with its server, model and state."""
    with opened(ctx) as product:
        slots, presets = product.models.slots(), product.models.presets()
    if as_json:
        from dataclasses import asdict

        put_json({"slots": [asdict(slot) for slot in slots], "presets": [asdict(preset) for preset in presets]})
        return
    rows = [(slot.slot, _states()[slot.state], slot.model or "-", slot.url or "-", _keys()[slot.key]) for slot in slots]
    put_table((_("slot"), _("state"), _("model"), _("server"), _("key")), rows)
    _warn(slots)
    put(_("Known servers (--preset): {names}").format(names=", ".join(preset.id for preset in presets if preset.url)))


@app.command("set")
def set_slot(
    ctx: typer.Context,
    slot: SlotName,
    url: Annotated[str, typer.Option("--url", help="Base URL of an OpenAI-compatible server.")] = "",
    preset: Annotated[str, typer.Option("--preset", help="A known server instead of --url: ollama, openai, …")] = "",
    model: Annotated[str, typer.Option("--model", help="The model's name on that server.")] = "",
    clear: Annotated[bool, typer.Option("--clear", help="Take the model out of the slot.")] = False,
    as_json: AsJson = False,
) -> None:
    """Put a model into a slot. Without --model, say which ones the server offers."""
    chosen = _slot(slot)
    with opened(ctx) as product:
        care = product.models
        if clear:
            care.clear_slot(chosen)
        else:
            address = _address(care, chosen, url, preset)
            if not model:
                raise InvalidInputError(_("Which model?"), _offered(care, address), _("Say it with --model."))
            care.set_slot(chosen, address, model)
        state = care.slot(chosen)
    if as_json:
        from dataclasses import asdict

        put_json(asdict(state))
        return
    put(f"{state.slot}: {_states()[state.state]}" + (f", {state.model}, {state.url}" if state.url else ""))
    _warn((state,))


@app.command("test")
def try_slots(
    ctx: typer.Context,
    slot: Annotated[str, typer.Argument(metavar="[SLOT]", help="Only this slot.")] = "",
    as_json: AsJson = False,
) -> None:
    """Ask each model a tiny question and say what came of it."""
    with opened(ctx) as product:
        care = product.models
        chosen = [_slot(slot)] if slot else [state.slot for state in care.slots() if state.state != "unset"]
        results = {name: care.test(name) for name in chosen}
        lines = [_test_line(care, name, result) for name, result in results.items()]
    if as_json:
        put_json({"items": [_test_json(name, result) for name, result in results.items()], "next": None})
    else:
        for line in lines or [_("No model is set.")]:
            put(line)
    if not results or not all(result.ok for result in results.values()):
        raise typer.Exit(1)


@key_app.command("set")
def set_key(ctx: typer.Context, server: ServerName, as_json: AsJson = False) -> None:
    """Keep the key of a server; it is asked for, or read from a pipe, never given as an argument."""
    from biny_desktop.service.models_care import FILE_WARNING

    with opened(ctx) as product:
        url = _server(product.models, server)
        place = product.models.set_key(url, _typed_key())
    if as_json:
        put_json({"url": url, "key": place})
        return
    put(_("The key is kept in the keyring.") if place == "keyring" else _(FILE_WARNING))


@key_app.command("forget")
def forget_key(ctx: typer.Context, server: ServerName, as_json: AsJson = False) -> None:
    """Remove the key of a server."""
    with opened(ctx) as product:
        url = _server(product.models, server)
        product.models.forget_key(url)
    put_json({"url": url, "key": "none"}) if as_json else put(_("The key is removed."))


@app.command("calls")
def calls(
    ctx: typer.Context,
    limit: Annotated[int, typer.Option("--limit", min=1, max=500, help="How many.")] = 20,
    before: Annotated[int | None, typer.Option("--before", help="The cursor of the page before.")] = None,
    totals: Annotated[bool, typer.Option("--totals", help="Sums by task instead.")] = False,
    days: Annotated[int, typer.Option("--days", min=1, max=180, help="Of how many days, for --totals.")] = 30,
    as_json: AsJson = False,
) -> None:
    """Show what was asked of models: task, tokens, time, outcome; never the texts."""
    from dataclasses import asdict

    with opened(ctx) as product:
        page, sums = product.models.calls(limit, before), product.models.totals(days)
        zone = product.clock.stamp().zone
    if totals:
        sums_shown = [
            (task_words(s.task), f"{s.calls}", f"{s.failed}", f"{s.tokens_in}", f"{s.tokens_out}", f"{s.ms}")
            for s in sums
        ]
        columns = (_("task"), _("calls"), _("failed"), _("tokens in"), _("tokens out"), "ms")
        put_items([asdict(each) for each in sums], None) if as_json else put_table(columns, sums_shown)
    elif as_json:
        put_items([asdict(call) for call in page.calls], page.next)
    else:
        _show_calls(page, zone)


def _slot(name: str) -> "Slot":
    if name not in SLOT_NAMES:
        raise NotFoundError(_("There is no such slot"), name, ", ".join(SLOT_NAMES))
    return cast("Slot", name)


def _address(care: "ModelCare", slot: "Slot", url: str, preset: str) -> str:
    if url and preset:
        raise InvalidInputError(_("What is wanted?"), _("Say --url or --preset, not both."))
    if preset:
        known = {each.id: each.url for each in care.presets() if each.url}
        if preset not in known:
            raise NotFoundError(_("There is no such preset"), preset, ", ".join(known))
        return known[preset]
    address = url or care.slot(slot).url
    if not address:
        raise InvalidInputError(_("Which server?"), "", _("Say --url or --preset."))
    return address


def _offered(care: "ModelCare", url: str) -> str:
    try:
        names = care.offered(url)
    except BinyError as error:
        return said_in_line(error)
    return _("The server offers: {names}").format(names=", ".join(names)) if names else _("The server offers none.")


def _server(care: "ModelCare", name: str) -> str:
    if name not in SLOT_NAMES:
        return name
    url = care.slot(_slot(name)).url
    if not url:
        raise InvalidInputError(_("This slot has no server"), name, _("Set one first, or say the address."))
    return url


def _typed_key() -> str:
    if sys.stdin.isatty():
        import getpass

        return getpass.getpass(_("Key: "))
    return sys.stdin.readline(KEY_LINE_MAX)


def _states() -> dict[str, str]:
    return {
        "unset": _("not set"),
        "no_name": _("no model named"),
        "bad_address": _("address not usable"),
        "no_key": _("key missing"),
        "ready": _("ready"),
    }


def _keys() -> dict[str, str]:
    return {"keyring": _("in the keyring"), "file": _("in a file"), "none": _("none")}


def _warn(slots: "Sequence[SlotState]") -> None:
    for slot in slots:
        for warning in slot.warnings:
            put(f"{slot.slot}: {_(warning)}")


def _test_line(care: "ModelCare", slot: str, result: "TestResult") -> str:
    if result.failure is None:
        return _("{slot}: {model} answers, {ms} ms").format(slot=slot, model=result.model, ms=result.ms)
    told = care.explain(result.failure)
    return f"{slot}: " + sentences(_(told.what), _(told.hint) if told.hint else "")


def _test_json(slot: str, result: "TestResult") -> dict[str, object]:
    failure = result.failure
    return {
        "slot": slot, "ok": result.ok, "model": result.model, "ms": result.ms,
        "kind": failure.kind if failure else None, "detail": failure.detail if failure else "",
        "status": failure.status if failure else None,
    }  # fmt: skip


def _show_calls(page: "CallPage", zone: str) -> None:
    from biny_desktop.core.clock import to_local

    rows = [
        (f"{to_local(call.at_ms, zone):%Y-%m-%d %H:%M}", task_words(call.task), call.model, _count(call.tokens_in),
         _count(call.tokens_out), f"{call.ms}", f"{outcome_words(call.outcome)} {call.detail}".rstrip())
        for call in page.calls
    ]  # fmt: skip
    put_table((_("time"), _("task"), _("model"), _("in"), _("out"), "ms", _("outcome")), rows)
    if page.next is not None:
        put(_("More: --before {cursor}").format(cursor=page.next))


def _count(tokens: int | None) -> str:
    return "-" if tokens is None else f"{tokens:,}"
