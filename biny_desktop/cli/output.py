"""How commands speak: one JSON object or plain text, and errors in exactly one place."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from biny_desktop.core.errors import BinyError, InvalidInputError, said
from biny_desktop.core.i18n import _

if TYPE_CHECKING:
    from pathlib import Path

    from biny_desktop.service.product import Product
    from biny_desktop.service.settings_store import SettingsStore


class Backend(Protocol):
    """What `app` gives the command line, so that commands need not know how a product is put together."""

    def open(self, home: "Path | None") -> "Product":
        """Open the home's product; nothing starts to record."""
        ...

    def settings(self, home: "Path | None") -> "SettingsStore":
        """The settings of a home, without opening its database."""
        ...

    def run(self, home: "Path | None", *, window: bool) -> int:
        """Start the tray app and stay until it ends."""
        ...

    def demo(self, home: "Path | None", *, say: bool) -> Mapping[str, object]:
        """Drive the demo; returns its account."""
        ...


@dataclass(slots=True)
class Session:
    """One invocation: which home, through which backend."""

    backend: Backend
    home: "Path | None" = None


def put(text: str = "") -> None:
    """One line for a person."""
    sys.stdout.write(text + "\n")


def put_json(value: Mapping[str, object]) -> None:
    """The one JSON object of a command."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, default=str) + "\n")


def put_items(items: Sequence[Mapping[str, object]], following: int | None) -> None:
    """A page of a list command."""
    put_json({"items": list(items), "next": following})


def put_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A plain table, cut to the terminal's width."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="ellipsis", no_wrap=True)
    for row in rows:
        table.add_row(*(_plain(cell) for cell in row))
    Console(file=sys.stdout, highlight=False, markup=False).print(table)


def put_error(error: BinyError, *, as_json: bool) -> None:
    """The only place where the command line shows an error."""
    if as_json:
        body = {"kind": error.kind, "message": f"{error.title}: {error.message}".rstrip(": "), "hint": error.hint}
        put_json({"error": body})
        return
    for line in said(error):
        if line:
            sys.stderr.write(line + "\n")


def confirm(question: str, *, yes: bool) -> None:
    """Go on only with `--yes` or a "y" typed on a terminal.

    Raises:
        InvalidInputError: there is no terminal to ask on, or the person said no.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        raise InvalidInputError(_("Not confirmed"), question, _("Say --yes to do it without being asked."))
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise InvalidInputError(_("Not confirmed"), _("Nothing was changed."))


def _plain(cell: str) -> str:
    return " ".join(cell.split())
