"""`biny activity storage, pin, unpin, move-pictures`: the space that pictures take, and what is kept in it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from biny_desktop.cli.activity_commands import app
from biny_desktop.cli.context import AsJson, opened
from biny_desktop.cli.output import put, put_json, put_table
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.i18n import _

if TYPE_CHECKING:
    from biny_desktop.activity.ageing_model import AgeingPreview, RetentionState
    from biny_desktop.activity.space import StorageReport

__all__ = ["app"]
FrameId = Annotated[int, typer.Argument(metavar="ID")]


@app.command("storage")
def storage(
    ctx: typer.Context,
    postpone: Annotated[bool, typer.Option("--postpone", help="Put the first deletion off by seven days.")] = False,
    agree: Annotated[bool, typer.Option("--agree", help="Let the first deletion begin now.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the space of pictures by size class, a forecast of 30 days, and what ageing will do next."""
    if postpone and agree:
        raise InvalidInputError(_("What is wanted?"), _("Say --postpone or --agree, not both."))
    with opened(ctx) as product:
        if postpone:
            product.retention.postpone()
        if agree:
            product.retention.agree_now()
        report, state, due = product.timeline.storage(), product.retention.state(), product.retention.preview()
        zone = product.clock.stamp().zone
    if as_json:
        put_json(_storage_json(report, state, due))
    else:
        _show(report, state, due, zone)


@app.command("pin")
def pin(
    ctx: typer.Context,
    frame_id: FrameId,
    note: Annotated[str, typer.Option("--note", help="Why it is kept.")] = "",
    as_json: AsJson = False,
) -> None:
    """Keep a frame's picture as it is until it is unpinned."""
    with opened(ctx) as product:
        product.pins.pin(frame_id, note)
    put_json({"frame_id": frame_id, "pinned": True}) if as_json else put(_("Pinned."))


@app.command("unpin")
def unpin(ctx: typer.Context, frame_id: FrameId, as_json: AsJson = False) -> None:
    """Let a frame's picture age again."""
    with opened(ctx) as product:
        product.pins.unpin(frame_id)
    put_json({"frame_id": frame_id, "pinned": False}) if as_json else put(_("Unpinned."))


@app.command("move-pictures")
def move_pictures(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder that shall hold the pictures folder.")],
    as_json: AsJson = False,
) -> None:
    """Move all pictures to another disk or folder. Biny must not be running; the window can do it while it is."""
    with opened(ctx) as product:
        moved = product.move_pictures(folder.expanduser().absolute())
    if as_json:
        put_json(
            {"folder": str(moved.folder), "pictures": moved.pictures, "bytes": moved.bytes,
             "left_behind": moved.left_behind}
        )  # fmt: skip
        return
    put(_("{n} pictures lie in {folder} now.").format(n=moved.pictures, folder=moved.folder))
    if moved.left_behind:
        put(_("{n} files could not be removed yet; they are tried again.").format(n=moved.left_behind))


def _storage_json(report: "StorageReport", state: "RetentionState", due: "AgeingPreview") -> dict[str, object]:
    from dataclasses import asdict

    return {**asdict(report), "ageing": asdict(state), "due": asdict(due)}


def _show(report: "StorageReport", state: "RetentionState", due: "AgeingPreview", zone: str) -> None:
    lines = [(str(tier), use.pictures, use.bytes) for tier, use in report.tiers.items()]
    lines += [
        (_("pinned"), report.pinned.pictures, report.pinned.bytes),
        (_("to be removed"), report.pending.pictures, report.pending.bytes),
    ]
    put_table(("tier", "pictures", "MB"), [(name, f"{count:,}", _mb(size)) for name, count, size in lines])
    put(_("Database {size} MB").format(size=_mb(report.database_bytes)))
    if report.free_bytes is not None:
        put(_("Free on the disk {size} MB").format(size=_mb(report.free_bytes)))
    put(
        _("{n} pictures a day; in 30 days about {size} MB, at most {quota} MB").format(
            n=f"{report.per_day:.0f}", size=_mb(report.forecast_bytes), quota=_mb(report.quota_bytes)
        )
    )
    if report.missing or report.unreadable:
        put(
            _("{missing} files are missing, {bad} pictures cannot be decoded").format(
                missing=report.missing, bad=report.unreadable
            )
        )
    if state.pinned_over_quota:
        put(_("The pinned pictures alone take more than the space for pictures; nothing is deleted for it."))
    _show_due(state, due, zone)


def _show_due(state: "RetentionState", due: "AgeingPreview", zone: str) -> None:
    from biny_desktop.core.clock import to_local

    put(
        _("Due: {small} made smaller, {age} deleted by age, {quota} for space; {frames} frames keep their text").format(
            small=due.shrink.pictures, age=due.by_age.pictures, quota=due.by_quota.pictures, frames=due.frames
        )
    )
    if state.phase == "waiting" and state.starts_at_ms is not None:
        put(
            _("The first deletion begins {time} (--postpone, --agree).").format(
                time=f"{to_local(state.starts_at_ms, zone):%Y-%m-%d %H:%M}"
            )
        )


def _mb(size: int) -> str:
    return f"{size / 1_000_000:,.1f}"
