"""`biny activity report`: the report of a day or a week, and an export of many."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from biny_desktop.cli.activity_commands import day_of
from biny_desktop.cli.context import AsJson, opened
from biny_desktop.cli.output import put, put_json
from biny_desktop.cli.space_commands import app
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.i18n import _

__all__ = ["app"]

if TYPE_CHECKING:
    from biny_desktop.activity.reports.model import Report, ReportKind
    from biny_desktop.service.product import Product


@app.command("report")
def report(
    ctx: typer.Context,
    day: Annotated[
        str, typer.Argument(metavar="[DATE]", help="2026-03-12, today, yesterday, or a week: 2026-W11.")
    ] = "today",
    week: Annotated[bool, typer.Option("--week", help="The week that holds this day.")] = False,
    narrative: Annotated[
        bool, typer.Option("--narrative", help="Have the model write an account, also of today.")
    ] = False,
    export: Annotated[
        tuple[str, str] | None,
        typer.Option("--export", metavar="FROM TO", help="All reports of these days, both included."),
    ] = None,
    form: Annotated[str, typer.Option("--format", help="Of an export: md or json.")] = "md",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write into this file, which must not exist yet.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the report of a day or week as Markdown; it is made when there is none or something changed since."""
    if export is not None:
        _export(ctx, export, "json" if as_json else form, output)
        return
    with opened(ctx) as product:
        kind, key = _which(product, day, week=week)
        found = product.reports.fresh(kind, key, narrative=narrative)
        has_model = product.client.ready("small") or product.client.ready("chat")
    if output is not None:
        _write_new(output, found.markdown)
    if as_json:
        put_json(_json(found))
        return
    if output is not None:
        put(_("Written to {path}.").format(path=output))
        return
    _show(found.markdown)
    if not has_model and found.state != "empty_day":  # beside the Markdown, which says it too
        sys.stderr.write(_("No model is set; all figures are there without one. See: biny models --help") + "\n")


def _which(product: "Product", text: str, *, week: bool) -> "tuple[ReportKind, str]":
    from biny_desktop.activity.reports.weeks import week_of

    if "W" in text.upper():
        return "week", text.upper()
    day = day_of(product, text)
    return ("week", week_of(day)) if week else ("day", day)


def _export(ctx: typer.Context, ends: tuple[str, str], form: str, output: Path | None) -> None:
    if form not in ("md", "json"):
        raise InvalidInputError(_("Not a format"), form, _("Say md or json."))
    with opened(ctx) as product:
        first, last = (day_of(product, end) for end in ends)
        text = product.reports.export(first, last, cast("Literal['md', 'json']", form))
    if output is None:
        sys.stdout.write(text.rstrip("\n") + "\n")
        return
    _write_new(output, text)
    put(_("Written to {path}.").format(path=output))


def _write_new(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise InvalidInputError(_("The file cannot be written"), str(error), _("Name a new file.")) from error


def _show(markdown: str) -> None:
    """Markdown set for a terminal; as it is for a pipe or a file."""
    if not sys.stdout.isatty():
        sys.stdout.write(markdown)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console(file=sys.stdout, highlight=False, markup=False).print(Markdown(markdown, hyperlinks=True))


def _json(found: "Report") -> dict[str, object]:
    from dataclasses import asdict

    plain = asdict(found)
    plain.pop("id")
    return plain
