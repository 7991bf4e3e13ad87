"""`biny config autostart`: start at login, as it really is on this system."""

from dataclasses import asdict

import typer

from biny_desktop.cli.context import AsJson, session_of
from biny_desktop.cli.output import put, put_json
from biny_desktop.core.i18n import _, mark

app = typer.Typer(name="autostart", help="Start at login.", no_args_is_help=True)

_WORDS = {
    "on": mark("Starts at login."),
    "off": mark("Does not start at login."),
    "off_by_system": mark("There is an entry, but the system has it switched off."),
    "other": mark("There is an entry of this name that does not start this installation."),
    "unavailable": mark("Start at login is not available here."),
}


@app.command("status")
def status(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Say whether the app starts at login, read from the system itself."""
    _tell(ctx, as_json=as_json)


@app.command("on")
def switch_on(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Start the app at login from now on."""
    from biny_desktop.service.autostart.pick import pick

    picked = pick(session_of(ctx).home)
    picked.autostart.on(picked.command)
    _tell(ctx, as_json=as_json)


@app.command("off")
def switch_off(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Do not start the app at login any more."""
    from biny_desktop.service.autostart.pick import pick

    pick(session_of(ctx).home).autostart.off()
    _tell(ctx, as_json=as_json)


def _tell(ctx: typer.Context, *, as_json: bool) -> None:
    from biny_desktop.service.autostart.pick import pick

    picked = pick(session_of(ctx).home)
    found = picked.autostart.state()
    if as_json:
        put_json({**asdict(found), "way": picked.autostart.name, "why": picked.why, "command": picked.command.words})
        return
    put(_(_WORDS[found.state]))
    for line in (found.detail, found.where):
        if line:
            put(line)
