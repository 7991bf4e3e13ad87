"""Columns of `segments` that hold JSON, as values and back; what does not fit is left out, never raised."""

from collections.abc import Iterable, Mapping
from typing import Final, get_args

from biny_desktop.activity.model import Gap, GapCause
from biny_desktop.activity.segments.model import (
    Analysis,
    AppTime,
    EditField,
    Highlight,
    Segment,
    Span,
    TitleTime,
)
from biny_desktop.storage.rows import JsonValue, Row, dump_json

_CAUSES: Final = frozenset(get_args(GapCause))
_FIELDS: Final = frozenset(get_args(EditField))


def segment_of(row: Row) -> Segment:
    """A segment from `SELECT *`."""
    return Segment(
        id=row.int("id"), start_ms=row.int("started_at"), end_ms=row.int("ended_at"), zone=row.text("time_zone"),
        day=row.text("day"), kind=row.text("kind"),  # type: ignore[arg-type]  # held by a CHECK of the table
        open=row.flag("open"), active_ms=row.int("active_ms"), idle_ms=row.int("idle_ms"),
        private_ms=row.int("private_ms"), spans=read_spans(row.json("spans")), apps=read_apps(row.json("apps")),
        titles=read_titles(row.json("titles")), keys=row.int("keys"), clicks=row.int("clicks"),
        frame_count=row.int("frame_count"), read_count=row.int("read_count"), event_count=row.int("event_count"),
        picture_bytes=row.int("picture_bytes"),
        close_reason=row.text("close_reason"),  # type: ignore[arg-type]  # only the rules and edits write it
        continues_id=row.maybe_int("continues_id"), clock_adjusted=row.flag("clock_adjusted"),
        user_locked=row.flag("user_locked"), edited=read_fields(row.json("edited_fields")), note=row.maybe_text("note"),
        hidden=row.flag("hidden"), trivial=row.flag("trivial"), title=row.text("title"),
        title_by=row.text("title_by"),  # type: ignore[arg-type]  # held by a CHECK of the table
        project=row.maybe_text("project"),
        status=row.text("status"),  # type: ignore[arg-type]  # held by a CHECK of the table
        reason=row.text("reason"), stale=row.flag("stale"), tries=row.int("tries"),
        next_try_at_ms=row.maybe_int("next_try_at"), analysis=_analysis(row), revision=row.int("revision"),
    )  # fmt: skip


def _analysis(row: Row) -> Analysis:
    return Analysis(
        description=row.text("description"), summary=row.text("summary"), topics=_texts(row.json("topics")),
        highlights=read_highlights(row.json("highlights")), entities=_entities(row.json("entities")),
        worth=row.flag("worth"), worth_why=row.text("worth_why"), is_meeting=row.flag("is_meeting"),
        tier=row.text("tier"),  # type: ignore[arg-type]  # held by a CHECK of the table
        confidence=row.float("confidence"), model=row.maybe_text("model"),
        prompt_version=row.maybe_text("prompt_version"), input_hash=row.maybe_text("input_hash"),
        analysed_at_ms=row.maybe_int("analysed_at"),
    )  # fmt: skip


def read_spans(stored: JsonValue) -> tuple[Span, ...]:
    """The `spans` column: [[kind, start, end]]."""
    out = []
    for item in stored if isinstance(stored, list) else []:
        if isinstance(item, list) and len(item) == 3:
            kind, start, end = item
            if kind in ("idle", "private") and isinstance(start, int) and isinstance(end, int):
                out.append(Span("idle" if kind == "idle" else "private", start, end))
    return tuple(out)


def dump_spans(spans: Iterable[Span]) -> str:
    """`read_spans` backwards."""
    return dump_json([[span.kind, span.start_ms, span.end_ms] for span in spans])


def read_apps(stored: JsonValue) -> tuple[AppTime, ...]:
    """The `apps` column."""
    return tuple(AppTime(_text(item, "app_id"), _text(item, "name"), _int(item, "ms")) for item in _dicts(stored))


def dump_apps(apps: Iterable[AppTime]) -> str:
    """`read_apps` backwards."""
    return dump_json([{"app_id": app.app_id, "name": app.app_name, "ms": app.ms} for app in apps])


def read_titles(stored: JsonValue) -> tuple[TitleTime, ...]:
    """The `titles` column: [[title, app id, ms]]."""
    out = []
    for item in stored if isinstance(stored, list) else []:
        if isinstance(item, list) and len(item) == 3:
            title, app_id, ms = item
            if isinstance(title, str) and isinstance(app_id, str) and isinstance(ms, int):
                out.append(TitleTime(title, app_id, ms))
    return tuple(out)


def dump_titles(titles: Iterable[TitleTime]) -> str:
    """`read_titles` backwards."""
    return dump_json([[each.title, each.app_id, each.ms] for each in titles])


def read_highlights(stored: JsonValue) -> tuple[Highlight, ...]:
    """The `highlights` column."""
    out = []
    for item in _dicts(stored):
        sources = item.get("sources")
        ids = tuple(each for each in sources if isinstance(each, int)) if isinstance(sources, list) else ()
        out.append(Highlight(_text(item, "text"), ids))
    return tuple(out)


def dump_highlights(highlights: Iterable[Highlight]) -> str:
    """`read_highlights` backwards."""
    return dump_json([{"text": each.text, "sources": list(each.frame_ids)} for each in highlights])


def dump_entities(entities: Mapping[str, tuple[str, ...]] | None) -> str:
    """The `entities` column: kind → what was found verbatim."""
    return dump_json({kind: list(found) for kind, found in (entities or {}).items() if found})


def _entities(stored: JsonValue) -> dict[str, tuple[str, ...]]:
    return {kind: _texts(found) for kind, found in stored.items()} if isinstance(stored, dict) else {}


def read_fields(stored: JsonValue) -> tuple[EditField, ...]:
    """The `edited_fields` column."""
    return tuple(each for each in _texts(stored) if each in _FIELDS)  # type: ignore[misc]  # one of the literals


def read_gaps(stored: JsonValue) -> tuple[Gap, ...]:
    """The `gaps` column of `segment_days`."""
    out = []
    for item in stored if isinstance(stored, list) else []:
        if isinstance(item, list) and len(item) == 3 and item[2] in _CAUSES:
            start, end, cause = item
            if isinstance(start, int) and isinstance(end, int):
                out.append(Gap(start, end, cause))  # type: ignore[arg-type]  # one of the literals
    return tuple(out)


def dump_gaps(gaps: Iterable[Gap]) -> str:
    """`read_gaps` backwards."""
    return dump_json([[gap.start_ms, gap.end_ms, gap.cause] for gap in gaps])


def _dicts(stored: JsonValue) -> list[dict[str, JsonValue]]:
    return [item for item in stored if isinstance(item, dict)] if isinstance(stored, list) else []


def _texts(stored: JsonValue) -> tuple[str, ...]:
    return tuple(item for item in stored if isinstance(item, str)) if isinstance(stored, list) else ()


def _text(item: Mapping[str, JsonValue], name: str) -> str:
    value = item.get(name)
    return value if isinstance(value, str) else ""


def _int(item: Mapping[str, JsonValue], name: str) -> int:
    value = item.get(name)
    return value if isinstance(value, int) else 0
