"""`biny config`: read and change settings; works without a database."""

from typing import Annotated

import typer

from biny_desktop.cli import autostart_commands
from biny_desktop.cli.context import AsJson, session_of
from biny_desktop.cli.output import put, put_json, put_table

app = typer.Typer(name="config", help="Read and change settings.", no_args_is_help=True)
app.add_typer(autostart_commands.app, name="autostart")
Key = Annotated[str, typer.Argument(help="group.name, as `biny config list` shows it.")]


@app.command("get")
def get_value(ctx: typer.Context, key: Key, as_json: AsJson = False) -> None:
    """Show the value of a setting."""
    session = session_of(ctx)
    value = session.backend.settings(session.home).value(key)
    put_json({"key": key, "value": value}) if as_json else put(_text(value))


@app.command("set")
def set_value(
    ctx: typer.Context,
    key: Key,
    value: Annotated[str, typer.Argument(help="The new value; of a list one a line.")],
    as_json: AsJson = False,
) -> None:
    """Change a setting; a running app takes it over at once."""
    session = session_of(ctx)
    new = session.backend.settings(session.home).set(key, value)
    put_json({"key": key, "value": new}) if as_json else put(f"{key} = {_text(new)}")


@app.command("reset")
def reset_value(ctx: typer.Context, key: Key, as_json: AsJson = False) -> None:
    """Put a setting back to its default."""
    session = session_of(ctx)
    new = session.backend.settings(session.home).reset(key)
    put_json({"key": key, "value": new}) if as_json else put(f"{key} = {_text(new)}")


@app.command("list")
def list_values(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Show every setting with its value, default, bounds and help."""
    from biny_desktop.core.settings import allowed, declarations

    session = session_of(ctx)
    store = session.backend.settings(session.home)
    rows = [(item, store.value(item.key)) for item in declarations()]
    if as_json:
        items = [
            {"key": d.key, "value": value, "default": d.default, "allowed": allowed(d.key), "help": d.help}
            for d, value in rows
        ]
        put_json({"items": items, "next": None})
        return
    put_table(
        ("setting", "value", "default", "help"),
        [(d.key, _text(value), _text(d.default), f"{d.help} {allowed(d.key)}") for d, value in rows],
    )


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return "\n".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
