"""`biny activity`: list, show, search and delete what was recorded."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from biny_desktop.cli.context import AsJson, opened
from biny_desktop.cli.output import confirm, put, put_items, put_json, put_table
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.i18n import _, mark

if TYPE_CHECKING:
    from biny_desktop.activity.deletes import Selection
    from biny_desktop.activity.meaning.model import MeaningHit, MeaningPage
    from biny_desktop.activity.model import DeleteReceipt, Frame, FrameDetail, Hit, NonFrame
    from biny_desktop.service.product import Product

app = typer.Typer(name="activity", help="What was recorded on the screen.", no_args_is_help=True)
_NOTHING = {
    "no_embedder": mark("there is nothing that makes vectors; see `biny models`; search by words instead"),
    "no_vectors": mark("nothing has vectors yet; search by words instead"),
    "index_mismatch": mark("the vectors are of another embedder; rebuild the index"),
    "below_floor": mark("nothing is near enough; search by words instead"),
}
Limit = Annotated[int, typer.Option(min=1, max=500, help="Rows a page.")]
Day = Annotated[str | None, typer.Option("--day", help="A day: 2026-03-12, today or yesterday.")]


@app.command("list")
def list_rows(
    ctx: typer.Context,
    limit: Limit = 20,
    before: Annotated[int | None, typer.Option(help="Go on from this id (`next` of the page before).")] = None,
    day: Day = None,
    app_id: Annotated[str | None, typer.Option("--app", help="Only frames of this app id.")] = None,
    events: Annotated[bool, typer.Option("--events", help="List why nothing was kept, instead of frames.")] = False,
    as_json: AsJson = False,
) -> None:
    """List kept frames, newest first; with --events what else happened, oldest first."""
    with opened(ctx) as product:
        start, end = _range(product, day)
        if events:
            rows = product.timeline.events(start or 0, end or product.clock.now_ms() + 1, limit)
            _show_events(rows, as_json=as_json)
            return
        page = product.timeline.frames(before, limit, start_ms=start, end_ms=end, app=app_id)
    if as_json:
        put_items([_frame_json(frame) for frame in page.frames], page.next_before)
        return
    put_table(
        ("id", "time", "app", "title", "text"),
        [(str(f.id), _time(f.at_ms, f.zone), f.app_name or f.app_id, f.title, f.read_state) for f in page.frames],
    )


@app.command("show")
def show(ctx: typer.Context, frame_id: Annotated[int, typer.Argument(metavar="ID")], as_json: AsJson = False) -> None:
    """Show everything known of one frame: where, when, why, text, what was hidden."""
    with opened(ctx) as product:
        detail = product.timeline.frame(frame_id)
    if as_json:
        put_json(_detail_json(detail))
        return
    frame = detail.frame
    put(f"#{frame.id}  {_time(frame.at_ms, frame.zone)}  {frame.app_name}  {frame.title}")
    if detail.url:
        put(detail.url)
    put(_("trigger {trigger}, kept because {reason}").format(trigger=frame.trigger, reason=detail.change_reason))
    if frame.seen_again_of:
        put(_("looks the same as #{id}").format(id=frame.seen_again_of))
    put(f"{detail.picture_path or '-'}  {detail.picture_size[0]}×{detail.picture_size[1]}  {detail.picture_bytes} B")
    if frame.pinned:
        put(_("pinned: {note}").format(note=detail.pin_note or "-"))
    hidden = ", ".join(f"{kind} {count}" for kind, count in detail.redactions_by_type.items())
    put(_("hidden: {what}").format(what=hidden or "-"))
    put(_("text ({state}):").format(state=frame.read_state))
    put(detail.text or "")


@app.command("search")
def search(
    ctx: typer.Context,
    words: Annotated[
        list[str], typer.Argument(help='Words, "phrases", -not, app:, title:, after:, before:, on:, has:.')
    ],
    limit: Limit = 20,
    cursor: Annotated[int | None, typer.Option(help="Go on from here (`next` of the page before).")] = None,
    best: Annotated[bool, typer.Option("--best", help="Best hits first instead of newest.")] = False,
    meaning: Annotated[bool, typer.Option("--meaning", help="Find by what a screen is about, not by words.")] = False,
    every: Annotated[
        bool, typer.Option("--every-frame", help="With --meaning: several frames of one activity too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Find frames by the text on the screen and by titles; with --meaning by what they are about."""
    if meaning:
        with opened(ctx) as product:
            _show_meaning(product.meaning.search(" ".join(words), limit, every_frame=every), as_json=as_json)
        return
    with opened(ctx) as product:
        page = product.search.search(" ".join(words), limit=limit, cursor=cursor, order="best" if best else None)
    if as_json:
        items = [_hit_json(hit) for hit in page.hits]
        put_json({"items": items, "next": page.cursor, "total": page.total, "more": page.more, "notice": page.notice})
        return
    if page.notice:
        put(page.notice)
    for hit in page.hits:
        put(f"#{hit.frame.id}  {_time(hit.frame.at_ms, hit.frame.zone)}  {hit.frame.app_name}  {hit.frame.title}")
        put("    " + " ".join(hit.snippet.split()))
    put(_("{n} found").format(n=f"{page.total:,}+" if page.more else page.total))


@app.command("delete")
def delete(
    ctx: typer.Context,
    frame: Annotated[list[int] | None, typer.Option("--frame", help="A frame id; may be given several times.")] = None,
    app_id: Annotated[str | None, typer.Option("--app", help="Everything of this app id (of --day, if given).")] = None,
    day: Day = None,
    everything: Annotated[bool, typer.Option("--everything", help="All frames and events.")] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Only say what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete for good: rows, text, index and pictures. Says first what would go."""
    with opened(ctx) as product:
        selection = _selection(product, frame, app_id, day, everything=everything)
        would = product.deletes.preview(selection)
        counts = _("{frames} frames, {events} events, {pictures} pictures, {size} MB").format(
            frames=would.frames, events=would.events, pictures=would.pictures, size=f"{would.picture_bytes / 1e6:.1f}"
        )
        if preview:
            put_json(_plain(would)) if as_json else put(counts)
            return
        confirm(_("Delete {counts} for good?").format(counts=counts), yes=yes)
        receipt = product.deletes.run(selection)
    if as_json:
        put_json(_plain(receipt))
    else:
        _show_receipt(receipt)


def _selection(
    product: "Product", frames: list[int] | None, app_id: str | None, day: str | None, *, everything: bool
) -> "Selection":
    from biny_desktop.activity.deletes import Selection

    start, end = _range(product, day)
    if sum((bool(frames), app_id is not None or day is not None, everything)) != 1:
        raise InvalidInputError(
            _("What should be deleted?"), _("Say exactly one of --frame, --app and --day, or --everything.")
        )
    if frames:
        return Selection.of_frames(*frames)
    if app_id is not None:
        return Selection.of_app(app_id, start, end)
    return Selection.of_day(product.timeline.day_bounds(day_of(product, day))) if day else Selection.of_everything()


def _range(product: "Product", day: str | None) -> tuple[int | None, int | None]:
    if day is None:
        return None, None
    bounds = product.timeline.day_bounds(day_of(product, day))
    return bounds.start_ms, bounds.end_ms


def day_of(product: "Product", text: str) -> str:
    """The ISO date of "2026-03-12", "today" or "yesterday" (activity days). Raises InvalidInputError."""
    from datetime import date, timedelta

    from biny_desktop.core.days import activity_day

    if text in ("today", "yesterday"):
        now = product.clock.stamp()
        today = date.fromisoformat(activity_day(now.at_ms, now.zone, product.settings.current().day.start))
        return (today - timedelta(days=text == "yesterday")).isoformat()
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise InvalidInputError(_("No such day"), text, _("Write it as 2026-03-12, today or yesterday.")) from error


def _show_events(rows: "list[NonFrame]", *, as_json: bool) -> None:
    if as_json:
        put_items([_plain(row) for row in rows], None)
        return
    put_table(
        ("id", "time", "kind", "reason", "count", "app", "title"),
        [
            (str(e.id), _time(e.at_ms, e.zone), e.kind, e.reason, str(e.count), e.app_name or "", e.title or "")
            for e in rows
        ],
    )


def _show_meaning(page: "MeaningPage", *, as_json: bool) -> None:
    if as_json:
        items = [_meaning_json(hit) for hit in page.hits]
        put_json({"items": items, "reason": page.reason, "notice": page.notice})
        return
    if page.notice:
        put(_(page.notice))
    for hit in page.hits:
        where = f"{_time(hit.frame.at_ms, hit.frame.zone)}  {hit.frame.app_name}  {hit.frame.title}"
        put(f"#{hit.frame.id}  {hit.centred:.2f} ({hit.raw:.2f})  {where}")
        put("    " + " ".join(hit.passage.split()))
    put(_("{n} found").format(n=len(page.hits)) + (f" ({_(_NOTHING[page.reason])})" if page.reason else ""))


def _show_receipt(receipt: "DeleteReceipt") -> None:
    put(
        _("Removed {frames} frames, {events} events, {texts} texts, {files} files ({size} MB).").format(
            frames=receipt.frames, events=receipt.events, texts=receipt.texts, files=receipt.files,
            size=f"{receipt.bytes_freed / 1e6:.1f}",
        )
    )  # fmt: skip
    if receipt.files_pending:
        put(_("{n} files could not be removed yet; they are tried again.").format(n=receipt.files_pending))
    put(_("Counted again: nothing of it is left.") if receipt.verified else _("Counted again: something is left."))


def _time(at_ms: int, zone: str) -> str:
    from biny_desktop.core.clock import to_local

    return f"{to_local(at_ms, zone):%Y-%m-%d %H:%M:%S}"


def _frame_json(frame: "Frame") -> dict[str, object]:
    return {**_plain(frame), "at": _time(frame.at_ms, frame.zone)}


def _detail_json(detail: "FrameDetail") -> dict[str, object]:
    plain = _plain(detail)
    plain.pop("tiles")
    return {**plain, "changed_tiles": detail.tiles.count() if detail.tiles else 0}


def _hit_json(hit: "Hit") -> dict[str, object]:
    return {**_frame_json(hit.frame), "snippet": hit.snippet, "marks": [list(m) for m in hit.marks]}


def _meaning_json(hit: "MeaningHit") -> dict[str, object]:
    plain = _plain(hit)
    plain.pop("frame")
    return {**_frame_json(hit.frame), **plain}


def _plain(value: object) -> dict[str, object]:
    """A frozen value as plain JSON; mappings inside become dicts."""
    from dataclasses import fields, is_dataclass

    def turn(item: object) -> object:
        if is_dataclass(item) and not isinstance(item, type):
            return {field.name: turn(getattr(item, field.name)) for field in fields(item)}
        if isinstance(item, list | tuple):
            return [turn(part) for part in item]
        if isinstance(item, Mapping):
            return dict(item)
        return None if isinstance(item, bytes) else item

    turned = turn(value)
    assert isinstance(turned, dict)
    return turned
