"""`biny activity segments`: the activities of a day or a time, one in detail, and what a person may change of them."""

from typing import TYPE_CHECKING, Annotated

import typer

from biny_desktop.cli.activity_commands import Day, Limit, day_of
from biny_desktop.cli.activity_commands import _plain as plain
from biny_desktop.cli.context import AsJson, opened
from biny_desktop.cli.output import put, put_items, put_json, put_table
from biny_desktop.cli.report_commands import app
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.i18n import _, listed
from biny_desktop.service.state_words import gap_cause, segment_state

__all__ = ["app"]

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from biny_desktop.activity.model import Gap
    from biny_desktop.activity.segments.edits import SegmentEdits
    from biny_desktop.activity.segments.model import Segment
    from biny_desktop.service.product import Product

segments = typer.Typer(name="segments", help="Activities: the day cut into what was done.", invoke_without_command=True)
app.add_typer(segments)
_DAYS_AT_ONCE = 2
"""Days that a command cuts before it answers; a first run in an old home has many, the app does the rest."""
Id = Annotated[int, typer.Argument(metavar="ID", help="The id of the activity.")]
Revision = Annotated[
    int | None, typer.Option("--revision", help="Change it only if it is still at this revision; else as it is now.")
]


@segments.callback()
def list_segments(
    ctx: typer.Context,
    day: Day = None,
    since: Annotated[
        str | None, typer.Option("--from", help="Instead of a day: from this day or time (2026-03-12T09:00).")
    ] = None,
    until: Annotated[str | None, typer.Option("--to", help="Up to this day or time.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Also hidden ones and those of a few seconds.")] = False,
    limit: Limit = 100,
    before: Annotated[int | None, typer.Option(help="Go on from here (`next` of the page before).")] = None,
    as_json: AsJson = False,
) -> None:
    """List the activities of a day with what lay between them; of a longer time newest first, without gaps."""
    if ctx.invoked_subcommand is not None:
        return
    with opened(ctx) as product:
        _catch_up(product, day)
        following = None
        if since is None and until is None:
            items = product.segments.day(day_of(product, day or "today")).items
            placed = [each for each in _placed(items, product.clock.stamp().zone) if every or not _left_out(each[0])]
        else:
            start, end = _time_of(product, since, end=False), _time_of(product, until, end=True)
            found = product.segments.list(start, end, limit + 1, before, hidden=every)
            placed = [(each, each.zone) for each in found[:limit]]
            following = found[limit - 1].start_ms if len(found) > limit else None
    if as_json:
        put_items([_json(item, at) for item, at in placed], following)
        return
    put_table(_columns(), [_line(item, at) for item, at in placed])


@segments.command("show")
def show(ctx: typer.Context, segment_id: Id, as_json: AsJson = False) -> None:
    """Show everything known of one activity, with its newest frames and its history."""
    with opened(ctx) as product:
        detail = product.segments.detail(segment_id)
    segment = detail.segment
    if as_json:
        frames = [frame.id for frame in detail.frames]
        edits = [plain(edit) for edit in detail.edits]
        put_json({**_json(segment, segment.zone), "frames": frames, "events": detail.events, "edits": edits})
        return
    _id, times, length, title, apps, status = _line(segment, segment.zone)
    put(f"#{_id}  {times}  {length}  {title}")
    put(_("apps: {apps}").format(apps=listed(f"{a.app_name} {_length(a.ms)}" for a in segment.apps) or apps or "-"))
    put(_("active {active}, idle {idle}, private {private}").format(
        active=_length(segment.active_ms), idle=_length(segment.idle_ms), private=_length(segment.private_ms)
    ))  # fmt: skip
    put(_("{frames} frames, {read} read, {keys} keys, {clicks} clicks").format(
        frames=segment.frame_count, read=segment.read_count, keys=segment.keys, clicks=segment.clicks
    ))  # fmt: skip
    for text in (status, segment.project, segment.note, segment.analysis.summary, segment.analysis.description):
        if text:
            put(text)
    for each in segment.titles:
        put(f"  {_length(each.ms)}  {each.title}")
    for edit in detail.edits:
        put(f"  {_clock(edit.at_ms, segment.zone)}  {edit.who}: {edit.what}")


@segments.command("search")
def search(
    ctx: typer.Context,
    words: Annotated[list[str], typer.Argument(help='Words, "phrases", -not, kind:, project:, app:, title:, on:.')],
    limit: Limit = 20,
    cursor: Annotated[int | None, typer.Option(help="Go on from here (`next` of the page before).")] = None,
    as_json: AsJson = False,
) -> None:
    """Find activities by their titles, projects, notes and summaries."""
    with opened(ctx) as product:
        page = product.segment_search.search(" ".join(words), limit=limit, cursor=cursor)
    if as_json:
        items = [{**_json(hit.segment, hit.segment.zone), "snippet": hit.snippet} for hit in page.hits]
        put_json({"items": items, "next": page.cursor, "total": page.total, "more": page.more, "notice": page.notice})
        return
    if page.notice:
        put(page.notice)
    put_table(_columns(), [_line(hit.segment, hit.segment.zone) for hit in page.hits])


@segments.command("rename")
def rename(
    ctx: typer.Context, segment_id: Id, title: Annotated[str, typer.Argument(help="Empty: the title by rule again.")],
    revision: Revision = None, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Give an activity a title."""
    _change(ctx, segment_id, revision, lambda edits, now: edits.rename(segment_id, title, now), as_json=as_json)


@segments.command("note")
def note(
    ctx: typer.Context, segment_id: Id, text: Annotated[str, typer.Argument(help="Empty: no note.")],
    revision: Revision = None, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Write a note on an activity."""
    _change(ctx, segment_id, revision, lambda edits, now: edits.annotate(segment_id, text, now), as_json=as_json)


@segments.command("project")
def project(
    ctx: typer.Context, segment_id: Id, name: Annotated[str, typer.Argument(help="Empty: of no project.")],
    revision: Revision = None, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Say which project an activity belongs to."""
    _change(ctx, segment_id, revision, lambda edits, now: edits.set_project(segment_id, name, now), as_json=as_json)


@segments.command("hide")
def hide(
    ctx: typer.Context, segment_id: Id, shown: Annotated[bool, typer.Option("--undo", help="Show it again.")] = False,
    revision: Revision = None, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Leave an activity out of lists; its time still counts."""
    _change(ctx, segment_id, revision, lambda edits, now: edits.hide(segment_id, not shown, now), as_json=as_json)


@segments.command("split")
def split(
    ctx: typer.Context, segment_id: Id,
    at: Annotated[str, typer.Argument(metavar="TIME", help="A time inside it, as it shows: 10:30 or 10:30:15.")],
    revision: Revision = None, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Cut an activity in two."""
    with opened(ctx) as product:
        at_ms = _inside(product.segments.segment(segment_id), at)
    _change(ctx, segment_id, revision, lambda edits, now: edits.split(segment_id, at_ms, now), as_json=as_json)


@segments.command("merge")
def merge(
    ctx: typer.Context, segment_id: Id, other: Annotated[int, typer.Argument(metavar="OTHER", help="Its neighbour.")],
    revision: Revision = None, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Join an activity with the one before or after it."""
    _change(ctx, segment_id, revision, lambda edits, now: edits.merge(segment_id, other, now), as_json=as_json)


@segments.command("rebuild")
def rebuild(
    ctx: typer.Context, day: Annotated[str, typer.Argument(help="2026-03-12, today or yesterday.")],
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Cut a day anew; what you changed and what a model summed up stays."""
    with opened(ctx) as product:
        changed = product.keeper.rebuild(day_of(product, day))
    if as_json:
        put_json({"changed": changed})
    else:
        put(_("{n} changed").format(n=changed))


def _change(
    ctx: typer.Context, segment_id: int, revision: int | None, change: "Callable[[SegmentEdits, int], Segment]", *,
    as_json: bool,
) -> None:  # fmt: skip
    with opened(ctx) as product:
        at = product.segments.segment(segment_id).revision if revision is None else revision
        new = change(product.segment_edits, at)
    if as_json:
        put_json(_json(new, new.zone))
    else:
        put("  ".join(_line(new, new.zone)))


def _catch_up(product: "Product", day: str | None) -> None:
    """Cut what is new of the newest days, and the day that is asked for."""
    left = iter(range(_DAYS_AT_ONCE))
    product.keeper.catch_up(lambda: next(left, None) is not None)
    if day is not None and (asked := day_of(product, day)) not in product.segments.days_with_segments(_DAYS_AT_ONCE):
        product.keeper.rebuild(asked)


def _left_out(item: "Segment | Gap") -> bool:
    from biny_desktop.activity.segments.model import Segment

    return isinstance(item, Segment) and (item.hidden or item.trivial)


def _time_of(product: "Product", text: str | None, *, end: bool) -> int:
    """UTC ms of a written day (its start, or its end) or time in the present zone."""
    from datetime import datetime
    from zoneinfo import ZoneInfo

    if text is None:
        return 2**60 if end else 0
    if "T" not in text.upper() or text in ("today", "yesterday"):
        span = product.segments.span(day_of(product, text))
        return span.end_ms if end else span.start_ms
    try:
        local = datetime.fromisoformat(text.upper())
    except ValueError as error:
        raise InvalidInputError(_("No such time"), text, _("Write it as 2026-03-12T09:00.")) from error
    aware = local if local.tzinfo else local.replace(tzinfo=ZoneInfo(product.clock.stamp().zone))
    return round(aware.timestamp() * 1000)


def _inside(segment: "Segment", text: str) -> int:
    """UTC ms of a time of day after the segment's start, in its zone."""
    from datetime import datetime, time, timedelta

    from biny_desktop.core.clock import to_local

    start = to_local(segment.start_ms, segment.zone)
    try:
        at = datetime.combine(start.date(), time.fromisoformat(text), tzinfo=start.tzinfo)
    except ValueError as error:
        raise InvalidInputError(_("No such time"), text, _("Write it as 10:30.")) from error
    return round((at if at >= start else at + timedelta(days=1)).timestamp() * 1000)


def _placed(items: "Sequence[Segment | Gap]", zone: str) -> "list[tuple[Segment | Gap, str]]":
    """Each with the zone it is shown in: a gap's is that of the activity before it, else of the first one."""
    from biny_desktop.activity.segments.model import Segment

    zone = next((item.zone for item in items if isinstance(item, Segment)), zone)
    placed: list[tuple[Segment | Gap, str]] = []
    for item in items:
        zone = item.zone if isinstance(item, Segment) else zone
        placed.append((item, zone))
    return placed


def _columns() -> tuple[str, ...]:
    return _("id"), _("time"), _("length"), _("title"), _("apps"), _("status")


def _line(item: "Segment | Gap", zone: str) -> tuple[str, ...]:
    from biny_desktop.activity.model import Gap

    length = _length(item.end_ms - item.start_ms)
    if isinstance(item, Gap):
        return "", _times(item.start_ms, item.end_ms, zone), length, f"({gap_cause(item.cause)})", "", ""
    title = _("private") if item.kind == "private" and item.title_by != "user" else item.title
    status = _("under way") if item.open else segment_state(item.status)
    apps = listed(app.app_name or app.app_id for app in item.apps[:3])
    return str(item.id), _times(item.start_ms, item.end_ms, item.zone), length, title, apps, status


def _times(start_ms: int, end_ms: int, zone: str) -> str:
    return f"{_clock(start_ms, zone)}–{_clock(end_ms, zone)[11:]}"


def _clock(at_ms: int, zone: str) -> str:
    from biny_desktop.core.clock import to_local

    return f"{to_local(at_ms, zone):%Y-%m-%d %H:%M}"


def _length(ms: int) -> str:
    minutes = round(ms / 60_000)
    if minutes < 1:
        return _("{n} s").format(n=round(ms / 1000))
    if minutes < 60:
        return _("{n} min").format(n=minutes)
    return _("{hours} h {minutes:02d} min").format(hours=minutes // 60, minutes=minutes % 60)


def _json(item: "Segment | Gap", zone: str) -> dict[str, object]:
    from biny_desktop.activity.model import Gap

    kind, zone = ("gap", zone) if isinstance(item, Gap) else ("segment", item.zone)
    times = {"from": _clock(item.start_ms, zone), "to": _clock(item.end_ms, zone)}
    return {"type": kind, **times, **plain(item)}
