"""What the source panel says of a frame, section by section; pure."""

from dataclasses import dataclass
from datetime import UTC

from biny_desktop.activity.model import FrameDetail
from biny_desktop.core.clock import to_local
from biny_desktop.core.i18n import _
from biny_desktop.ui.facts import Fact
from biny_desktop.ui.formats import bytes_size, full_moment, moment, number
from biny_desktop.ui.words import read_words, removal_words, secret_words, tier_words, trigger_words


@dataclass(frozen=True, slots=True)
class FrameFacts:
    """The lines of each section."""

    fields: tuple[Fact, ...]
    origin: tuple[Fact, ...]
    when: tuple[Fact, ...]
    kept: tuple[Fact, ...]
    cleared_by: str
    history: tuple[Fact, ...]


def facts_of(detail: FrameDetail, now_ms: int) -> FrameFacts:
    """All sections of a frame (spec 09, The source panel)."""
    live = detail.frame.picture_state == "live"
    return FrameFacts(
        _fields(detail), _origin(detail), _when(detail), _kept(detail),
        removal_words(detail.picture_tier if live else "gone", pinned=detail.frame.pinned),
        _history(detail, now_ms),
    )  # fmt: skip


def _fields(detail: FrameDetail) -> tuple[Fact, ...]:
    facts = [Fact(_("Window"), detail.frame.title or _("(no title)"))]
    if detail.url:
        facts.append(Fact(_("Address"), detail.url, mono=True))
    if detail.redactions_by_type:
        hidden = ", ".join(f"{secret_words(kind)} × {number(n)}" for kind, n in detail.redactions_by_type.items())
        facts.append(Fact(_("Hidden"), hidden))
    return tuple(facts)


def _origin(detail: FrameDetail) -> tuple[Fact, ...]:
    frame = detail.frame
    facts = [
        Fact(_("App"), frame.app_name or frame.app_id, frame.app_id),
        Fact(_("Occasion"), trigger_words(frame.trigger)),
    ]
    if frame.seen_again_of is not None:
        facts.append(Fact(_("Seen again"), _("same picture as frame {n}").format(n=frame.seen_again_of)))
    return tuple(facts)


def _when(detail: FrameDetail) -> tuple[Fact, ...]:
    frame = detail.frame
    local, utc = to_local(frame.at_ms, frame.zone), to_local(frame.at_ms, frame.zone).astimezone(UTC)
    form = "%Y-%m-%d %H:%M:%S"
    return (
        Fact(_("Local"), local.strftime(form), full_moment(frame.at_ms, frame.zone)),
        Fact(_("UTC"), utc.strftime(form)),
        Fact(_("Zone"), frame.zone),
    )


def _kept(detail: FrameDetail) -> tuple[Fact, ...]:
    facts = []
    if detail.frame.picture_state == "live" and detail.picture_path:
        facts += [
            Fact(_("Picture"), detail.picture_path, mono=True),
            Fact(_("Size"), f"{bytes_size(detail.picture_bytes)} · {tier_words(detail.picture_tier)}"),
            Fact(_("Encrypted"), _("yes") if detail.sealed else _("no"), role="" if detail.sealed else "warn"),
        ]
    else:
        facts.append(Fact(_("Picture"), tier_words("gone")))
    facts.append(Fact(_("Text"), read_words(detail.frame.read_state)))
    facts.append(Fact(_("Search"), _("indexed: title and text") if detail.text else _("indexed: title only")))
    return tuple(facts)


def _history(detail: FrameDetail, now_ms: int) -> tuple[Fact, ...]:
    frame = detail.frame
    facts = [Fact(_("Recorded"), moment(frame.at_ms, frame.zone, now_ms), full_moment(frame.at_ms, frame.zone))]
    if detail.read_at_ms is not None:
        said = moment(detail.read_at_ms, frame.zone, now_ms)
        engine = f" · {detail.engine}" if detail.engine else ""
        facts.append(Fact(_("Read"), said + engine, full_moment(detail.read_at_ms, frame.zone)))
    facts.append(Fact(_("Revision"), number(detail.revision)))
    return tuple(facts)
