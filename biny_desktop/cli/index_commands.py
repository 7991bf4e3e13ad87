"""`biny models index`: the embedder, how each vector index is, and making one anew."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from biny_desktop.cli.context import AsJson, opened
from biny_desktop.cli.output import put, put_json, put_table
from biny_desktop.core.i18n import _
from biny_desktop.service.state_words import index_kind, index_state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from biny_desktop.models.model import IndexStatus
    from biny_desktop.storage.progress import Progress

app = typer.Typer(help="The indexes for search by meaning.", no_args_is_help=True)


@app.command("status")
def index_status(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Show the embedder and how each index is."""
    from dataclasses import asdict

    with opened(ctx) as product:
        embedder, indexes = product.models.embedder_state(), product.models.indexes()
    made = embedder.fingerprint
    if as_json:
        put_json(
            {"embedder": asdict(made) if made else None, "why": embedder.why, "items": [asdict(i) for i in indexes]}
        )
        return
    put(_("Embedder: {name}").format(name=f"{made.model} ({made.dims})" if made else _("none")))
    if embedder.why:
        put(embedder.why)
    _show_indexes(indexes)


@app.command("rebuild")
def index_rebuild(
    ctx: typer.Context,
    kind: Annotated[str, typer.Argument(metavar="[KIND]", help="Only this index.")] = "",
    as_json: AsJson = False,
) -> None:
    """Make all vectors anew; the old ones serve until the new ones are complete. Ctrl+C keeps the old ones."""
    from dataclasses import asdict

    from biny_desktop.storage.progress import Watch

    with opened(ctx) as product:
        kinds = [kind] if kind else [status.kind for status in product.models.indexes()]
        done = [product.models.rebuild(each, Watch(tell=_tell)) for each in kinds]
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    if as_json:
        put_json({"items": [asdict(status) for status in done], "next": None})
    else:
        _show_indexes(done)


def _show_indexes(indexes: "Sequence[IndexStatus]") -> None:
    rows = [
        (
            index_kind(each.kind),
            index_state(each.state),
            f"{each.rows:,}",
            f"{each.indexed:,}",
            f"{each.pending:,}",
            f"{each.stale:,}",
        )
        for each in indexes
    ]  # fmt: skip
    put_table((_("index"), _("state"), _("rows"), _("indexed"), _("pending"), _("stale")), rows)


def _tell(progress: "Progress") -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{progress.step} {progress.done:,} / {progress.total:,}  ")
        sys.stderr.flush()
