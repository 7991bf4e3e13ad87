"""`biny chat import`, `imports`, `rollback`, `export`: chats of other tools brought in, and chats written out."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from biny_desktop.cli.chat_rows import clock
from biny_desktop.cli.context import AsJson, opened
from biny_desktop.cli.message_commands import app
from biny_desktop.cli.output import confirm, put, put_items, put_json, put_table
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.i18n import _, mark

if TYPE_CHECKING:
    from biny_desktop.conversation.exporting import ExportReceipt, Exports
    from biny_desktop.conversation.importers.model import Counts, ImportPreview, ImportReport
    from biny_desktop.storage.progress import Watch

__all__ = ["app"]
Batch = Annotated[int, typer.Argument(metavar="IMPORT", help="The number, as `imports` lists it.")]


@app.command("import")
def import_chats(
    ctx: typer.Context,
    path: Annotated[Path, typer.Argument(help="The zip, file or folder that the other tool gave you.")],
    apply: Annotated[bool, typer.Option("--apply", help="Bring it in; without this only what it would do.")] = False,
    mine: Annotated[
        bool | None, typer.Option("--mine/--not-mine", help="Whether the user's turns are your own words.")
    ] = None,
    bring_back: Annotated[bool, typer.Option("--bring-back", help="Also what you deleted here since.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say what chats of ChatGPT, Claude, Claude Code, Codex or a transcript hold; with --apply bring them in."""
    with opened(ctx) as product:
        plan, watch = product.imports.plan(path), _watch(quiet=as_json)
        if apply:
            done = product.imports.apply(plan, mine=mine, bring_back=bring_back, watch=watch)
        else:
            shown = product.imports.preview(plan, mine=mine, watch=watch)
        zone = product.clock.stamp().zone
    body = _report_json(done) if apply else _preview_json(shown)
    if as_json:
        put_json(body)
        return
    put(_("{format}: {n} chats").format(format=plan.format, n=body["conversations"]))
    for words, name in _COUNTED:
        if body[name]:
            put(f"  {_(words)}: {body[name]}")
    if not apply and shown.first_ms is not None and shown.last_ms is not None:
        put(_("  from {first} to {last}").format(first=clock(shown.first_ms, zone), last=clock(shown.last_ms, zone)))
    result = done if apply else shown
    for title, counts in ((_("left out"), result.skipped), (_("malformed"), result.malformed)):
        if counts:
            put(f"  {title}: " + ", ".join(f"{name} {n}" for name, n in sorted(counts.items())))
    for each in result.problems:
        put(f"    {each.kind}: {each.place}")
    if apply:
        put(_("Import {n}; `biny chat rollback {n}` undoes it.").format(n=done.batch_id))
    else:
        put(_("Nothing was brought in yet: --apply does it."))


_COUNTED = (
    (mark("new chats"), "sessions_new"),
    (mark("chats that grow"), "sessions_grown"),
    (mark("new messages"), "messages_new"),
    (mark("already here"), "already_here"),
    (mark("changed in the source, kept as they are here"), "changed"),
    (mark("deleted here, not brought back"), "deleted_here"),
    (mark("other versions"), "branches"),
    (mark("memories for Approvals"), "memories"),
)


@app.command("imports")
def imports(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List the imports of the past."""
    with opened(ctx) as product:
        found, zone = product.imports.batches(), product.clock.stamp().zone
    if as_json:
        put_items(
            [
                {"id": each.id, "format": each.format, "source": each.source, "state": each.state, "mine": each.mine,
                 **_counts(each.counts), "started_ms": each.started_at_ms, "ended_ms": each.ended_at_ms}
                for each in found
            ],
            None,
        )  # fmt: skip
        return
    rows = [
        (
            str(each.id), clock(each.started_at_ms, zone), each.format, each.state, str(each.counts.messages_new),
            each.source,
        )
        for each in found
    ]  # fmt: skip
    put_table((_("id"), _("when"), _("format"), _("state"), _("messages"), _("source")), rows)


@app.command("rollback")
def rollback(
    ctx: typer.Context,
    batch: Batch,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Take an import out again; chats that you wrote on in stay."""
    with opened(ctx) as product:
        confirm(_("Take import {n} out again, for good?").format(n=batch), yes=yes)
        done = product.imports.rollback(batch, _watch(quiet=as_json))
    if as_json:
        stayed = [{"id": session_id, "title": title} for session_id, title in done.stayed]
        put_json({"batch": done.batch_id, "sessions": done.sessions, "messages": done.messages,
                  "memories": done.memories, "stayed": stayed})  # fmt: skip
        return
    put(_("{chats} chats and {n} messages taken out").format(chats=done.sessions, n=done.messages))
    for session_id, title in done.stayed:
        put(_("stays, you wrote on in it: {title} ({id})").format(title=title, id=session_id))


@app.command("export")
def export(
    ctx: typer.Context,
    session: Annotated[str | None, typer.Argument(metavar="SESSION", help="The id of the chat.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every chat.")] = False,
    form: Annotated[
        Literal["md", "jsonl"] | None,
        typer.Option("--format", help="Markdown of what shows, or JSON Lines with every version."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The file; of several chats in Markdown the folder.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write chats out: JSON Lines are read back as they were, Markdown is for people."""
    if (session is None) != all_:
        raise InvalidInputError(_("Say which chat"), "", _("Either the id of one, or --all."))
    chosen = form or ("jsonl" if all_ else "md")
    if out is None and (as_json or (all_ and chosen == "md")):
        raise InvalidInputError(_("Say where it goes"), "", _("--out names the file or the folder."))
    with opened(ctx) as product:
        ids = product.exports.all_ids() if session is None else (session,)
        if out is None:
            _print(product.exports, ids, markdown=chosen == "md")
            return
        done = _written(product.exports, out, ids, markdown=chosen == "md", watch=_watch(quiet=as_json))
    if as_json:
        put_json({"path": str(done.path), "format": chosen, "sessions": done.sessions, "messages": done.messages})
    else:
        put(_("{n} chats written to {path}").format(n=done.sessions, path=done.path))


def _print(exports: "Exports", ids: tuple[str, ...], *, markdown: bool) -> None:
    if markdown:
        put(exports.markdown(ids[0]).rstrip("\n"))
        return
    for line in exports.lines(ids):
        put(line)


def _written(
    exports: "Exports", out: Path, ids: tuple[str, ...], *, markdown: bool, watch: "Watch"
) -> "ExportReceipt":  # fmt: skip
    if markdown:
        return exports.write_markdown(out, ids, watch)
    return exports.write_lines(out, ids, watch)


def _counts(counts: "Counts") -> dict[str, int]:
    from dataclasses import asdict

    return asdict(counts)


def _preview_json(shown: "ImportPreview") -> dict[str, object]:
    return {
        "applied": False, "format": shown.plan.format, "files": len(shown.plan.files), "bytes": shown.plan.size,
        "mine": shown.mine, "conversations": shown.conversations, **_counts(shown.counts), "first_ms": shown.first_ms,
        "last_ms": shown.last_ms, "skipped": dict(shown.skipped), "malformed": dict(shown.malformed),
        "problems": [{"kind": each.kind, "place": each.place} for each in shown.problems],
    }  # fmt: skip


def _report_json(done: "ImportReport") -> dict[str, object]:
    return {
        "applied": True, "batch": done.batch_id, "state": done.state, "format": done.format, "mine": done.mine,
        "conversations": done.conversations, **_counts(done.counts), "skipped": dict(done.skipped),
        "malformed": dict(done.malformed),
        "problems": [{"kind": each.kind, "place": each.place} for each in done.problems],
    }  # fmt: skip


def _watch(*, quiet: bool) -> "Watch":
    """Percent on a terminal, nothing elsewhere."""
    from biny_desktop.storage.progress import UNWATCHED, Progress, Watch

    if quiet or not sys.stderr.isatty():
        return UNWATCHED
    said = -1

    def tell(progress: Progress) -> None:
        nonlocal said
        percent = 100 * progress.done // progress.total if progress.total else 0
        if percent != said:
            said = percent
            sys.stderr.write(f"\r{percent} %" + ("\n" if percent >= 100 else ""))
            sys.stderr.flush()

    return Watch(tell)
