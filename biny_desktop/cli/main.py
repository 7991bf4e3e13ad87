"""`biny`: the root commands, and the one place that turns errors into exit statuses."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, cast

import typer

from biny_desktop.cli import (
    approval_commands,
    config_commands,
    data_commands,
    models_commands,
    privacy_commands,
    segment_commands,
    transfer_commands,
)
from biny_desktop.cli.context import AsJson, opened, session_of
from biny_desktop.cli.output import Backend, Session, put, put_error, put_json
from biny_desktop.core.errors import BinyError
from biny_desktop.core.i18n import _, use_language

_USAGE = cast("type[Exception]", typer.BadParameter.__bases__[0])
"""click's UsageError; newer typer carries its own copy of click, older ones import it."""

app = typer.Typer(
    name="biny",
    help="Keeps understanding one person, on that person's own machine.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(segment_commands.app, name="activity")  # and those of all modules it stands on
app.add_typer(approval_commands.app, name="approvals")
app.add_typer(transfer_commands.app, name="chat")  # and those of all modules it stands on
app.add_typer(config_commands.app, name="config")
app.add_typer(data_commands.app, name="data")
app.add_typer(models_commands.app, name="models")
app.add_typer(privacy_commands.app, name="privacy")


@app.callback()
def root(
    ctx: typer.Context,
    home: Annotated[
        Path | None, typer.Option("--home", metavar="DIR", help="Use this folder for config, data and logs.")
    ] = None,
) -> None:
    """Keeps understanding one person, on that person's own machine."""
    ctx.find_object(Session).home = home  # type: ignore[union-attr]  # main() always passes a Session


@app.command()
def run(ctx: typer.Context, window: Annotated[bool, typer.Option(help="Open the window too.")] = False) -> None:
    """Start the tray app and stay."""
    session = session_of(ctx)
    raise typer.Exit(session.backend.run(session.home, window=window))


@app.command()
def demo(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Open a few real windows, use them for half a minute, and say what was recorded."""
    session = session_of(ctx)
    account = session.backend.demo(session.home, say=not as_json)
    if as_json:
        put_json(account)


@app.command()
def doctor(
    ctx: typer.Context,
    self_test: Annotated[
        bool, typer.Option("--self-test", help="Also read a test picture with the OCR models.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check everything the app needs and say what was chosen and why."""
    from biny_desktop.service.doctor import examine

    with opened(ctx) as product:
        report = examine(product, self_test=self_test)
    if as_json:
        put_json(report.as_json())
    else:
        signs = {"ok": "ok  ", "warn": "WARN", "bad": "BAD "}
        for check in report.checks:
            put(f"{signs[check.state]}  {check.name}: {check.text}")
            if check.hint:
                put(f"      {check.hint}")
    if not report.healthy:
        raise typer.Exit(1)


@app.command()
def status(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Say what is happening now."""
    with opened(ctx) as product:
        now = product.status()
    if as_json:
        put_json(now.as_json())
        return
    put(f"{now.state}" + (f" ({now.reason})" if now.reason else ""))
    put(_("frames today: {n}").format(n=now.frames_today))
    put(_("frames in all: {n}").format(n=now.frames))
    put(_("waiting to be read: {n}").format(n=now.queued_to_read))
    if now.advice:
        put(now.advice)


@app.command()
def pause(
    ctx: typer.Context,
    length: Annotated[str, typer.Argument(help="15m, 1h, 2d, tomorrow; nothing means until resumed.")] = "",
    as_json: AsJson = False,
) -> None:
    """Pause recording."""
    from biny_desktop.service.control import describe_until

    with opened(ctx) as product:
        until = product.pause(length)
        zone = product.clock.stamp().zone
    if as_json:
        put_json({"paused": True, "until_ms": until, "until": describe_until(until, zone)})
    else:
        put(_("Paused until {when}.").format(when=describe_until(until, zone)))


@app.command()
def resume(ctx: typer.Context, as_json: AsJson = False) -> None:
    """End a pause."""
    with opened(ctx) as product:
        product.resume()
    put_json({"paused": False}) if as_json else put(_("Recording goes on."))


@app.command()
def capture(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Take a picture now (passes over the merge window and change detection, never over privacy)."""
    with opened(ctx) as product:
        result = product.capture()
    if as_json:
        put_json(result)
    elif "frame_id" in result:
        put(_("Kept as frame {id}.").format(id=result["frame_id"]))
    else:
        put(_("Nothing was kept: {reason}.").format(reason=result.get("reason", "")))
        raise typer.Exit(1)


def main(backend: Backend, arguments: Sequence[str]) -> int:
    """Run one command; returns the exit status: 0, 1 (failed, reason on stderr) or 2 (usage)."""
    as_json = "--json" in arguments
    use_language("system")
    try:
        result = app(list(arguments), prog_name="biny", standalone_mode=False, obj=Session(backend))
        return result if isinstance(result, int) else 0
    except BinyError as error:
        put_error(error, as_json=as_json)
        return 1
    except _USAGE as error:
        message = error.format_message()  # type: ignore[attr-defined]
        if as_json:
            put_json({"error": {"kind": "usage", "message": message, "hint": "biny --help"}})
        else:
            error.show(sys.stderr)  # type: ignore[attr-defined]  # every click exception has it
        return 2
    except (typer.Abort, KeyboardInterrupt):
        return 130
