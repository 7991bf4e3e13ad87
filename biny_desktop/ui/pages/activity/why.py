"""What the tables "Why kept" and "Why not" say, in words; pure."""

from collections.abc import Mapping, Sequence

from biny_desktop.activity.model import FrameDetail, ReasonCount
from biny_desktop.core.i18n import _, mark, ngettext
from biny_desktop.ui.formats import bytes_size, clock_time, duration, full_moment, number
from biny_desktop.ui.item_models.table import Row
from biny_desktop.ui.words import (
    change_words,
    flag_words,
    read_words,
    reason_words,
    secret_words,
    tier_words,
    trigger_words,
)

_NAMES: Mapping[str, str] = {
    "input": mark("Input source"),
    "backend": mark("Screen source"),
    "waited_ms": mark("Waited"),
    "grab_ms": mark("Taking the picture"),
    "compare_ms": mark("Comparing"),
    "encode_ms": mark("Encoding"),
    "write_ms": mark("Writing"),
    "distance": mark("Colour distance"),
    "parts": mark("Changed parts"),
    "pixels": mark("Changed pixels"),
    "muted": mark("Muted places"),
    "painted": mark("Windows painted over"),
    "rule": mark("Rule"),
    "retry": mark("Repeated after a failure"),
    "epoch": mark("Epoch"),
}
_SAID_ABOVE = frozenset(
    {
        "trigger",
        "merged",
        "step",
        "tiles",
        "seen_again",
        "read",
        "reading",
        "flags",
        "others",
        "change_reason",
        "reason",
    }
)
"""Keys of `why` that the other sections put in words."""


def kept_rows(detail: FrameDetail) -> list[Row]:
    """Why the frame was kept, its picture, its text, what was hidden, and the recorder's own numbers."""
    parts = (
        (_("Why kept"), _why(detail)),
        (_("Picture"), _picture(detail)),
        (_("Text"), _text(detail)),
        (_("Hidden secrets"), [Row((secret_words(k), number(n))) for k, n in detail.redactions_by_type.items()]),
        (_("Measured"), _measured(detail.why)),
    )
    return [row for name, rows in parts if rows for row in (Row((name, ""), heading=True), *rows)]


def missed_rows(reasons: Sequence[ReasonCount], zone: str) -> list[Row]:
    """Reasons why nothing was kept, the most frequent first."""
    ordered = sorted(reasons, key=lambda each: (-each.count, -each.last_at_ms))
    return [
        Row(
            (reason_words(each.kind, each.reason), number(each.count), clock_time(each.last_at_ms, zone)),
            tip=_("Last at {time}").format(time=full_moment(each.last_at_ms, zone)),
        )
        for each in ordered
    ]


def _why(detail: FrameDetail) -> list[Row]:
    rows = [
        Row((_("Occasion"), trigger_words(detail.frame.trigger))),
        Row((_("Change"), change_words(detail.change_reason))),
    ]
    if detail.frame.seen_again_of is not None:
        rows.append(Row((_("Seen again"), _("same picture as frame {n}").format(n=detail.frame.seen_again_of))))
    if detail.tiles is not None:
        total = detail.tiles.cols * detail.tiles.rows
        rows.append(Row((_("Changed tiles"), _tiles(detail.tiles.count(), total))))
    merged = detail.why.get("merged")
    if isinstance(merged, Mapping) and merged:
        rows.append(Row((_("Also"), ", ".join(f"{trigger_words(str(k))} × {n}" for k, n in merged.items()))))
    if detail.keys or detail.clicks:
        rows.append(Row((_("Input before"), _input(detail.keys, detail.clicks))))
    if detail.idle_ms is not None:
        rows.append(Row((_("Idle before"), duration(detail.idle_ms))))
    rows += [Row((_("Mark"), flag_words(flag))) for flag in detail.frame.flags]
    return rows


def _picture(detail: FrameDetail) -> list[Row]:
    if detail.frame.picture_state != "live":
        return [Row((_("Size"), tier_words("gone")))]
    width, height = detail.picture_size
    rows = [
        Row((_("Size"), f"{width} × {height}")),
        Row((_("Kept as"), tier_words(detail.picture_tier))),
        Row((_("On disk"), bytes_size(detail.picture_bytes))),
        Row((_("Encrypted"), _("yes") if detail.sealed else _("no"))),
    ]
    if detail.grab_size != detail.picture_size:
        rows.insert(1, Row((_("Screen"), f"{detail.grab_size[0]} × {detail.grab_size[1]}")))
    return rows


def _text(detail: FrameDetail) -> list[Row]:
    rows = [Row((_("State"), read_words(detail.frame.read_state)))]
    if detail.text is not None:
        lines = _("{read} read, {reused} known before").format(read=detail.lines_read, reused=detail.lines_reused)
        rows += [
            Row((_("Lines"), lines)),
            Row((_("Took"), f"{detail.read_ms} ms")),
            Row((_("Engine"), detail.engine or "")),
        ]
    return rows


def _measured(why: Mapping[str, object]) -> list[Row]:
    """The recorder's own numbers; noughts and "no" tell nothing."""
    flat: dict[str, object] = {}
    for key, value in why.items():
        if key not in _SAID_ABOVE:
            flat |= {str(name): part for name, part in value.items()} if isinstance(value, Mapping) else {key: value}
    return [Row((_name(key), _value(key, value))) for key, value in flat.items() if value and key not in _SAID_ABOVE]


def _name(key: str) -> str:
    known = _NAMES.get(key)
    return _(known) if known else key.replace("_", " ").capitalize()


def _value(key: str, value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, float):
        value = f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
    if isinstance(value, list | tuple):
        value = ", ".join(str(each) for each in value)
    return f"{value} ms" if key.endswith("_ms") else str(value)


def _tiles(changed: int, total: int) -> str:
    share = round(100 * changed / total) if total else 0
    return _("{n} of {total} ({share} %)").format(n=changed, total=total, share=share)


def _input(keys: int, clicks: int) -> str:
    parts = []
    if keys:
        parts.append(ngettext("{n} key", "{n} keys", keys).format(n=number(keys)))
    if clicks:
        parts.append(ngettext("{n} click", "{n} clicks", clicks).format(n=number(clicks)))
    return ", ".join(parts)
