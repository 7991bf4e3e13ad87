"""What the space of pictures and the next ageing look like, in rows and facts; pure."""

from biny_desktop.activity.ageing_model import AgeingPreview, Part
from biny_desktop.activity.ageing_plan import TIERS
from biny_desktop.activity.space import StorageReport
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.ui.facts import Fact
from biny_desktop.ui.formats import bytes_size, day_and_time, moment, number
from biny_desktop.ui.item_models.table import Row
from biny_desktop.ui.words import tier_words

NOTHING = "–"


def tier_rows(report: StorageReport) -> list[Row]:
    """A row a tier with its pictures and bytes, and what they were before the last ageing; pinned ones apart."""
    before = report.last_run.before if report.last_run is not None else {}
    rows = []
    for tier in TIERS:
        found = report.tiers.get(tier)
        if found is None or tier == "gone":
            continue
        was = bytes_size(before[tier][1]) if tier in before else NOTHING
        rows.append(Row((tier_words(tier), number(found.pictures), was, bytes_size(found.bytes))))
    rows.append(Row((_("Pinned"), number(report.pinned.pictures), NOTHING, bytes_size(report.pinned.bytes))))
    pictures, size = used(report)
    was_all = bytes_size(sum(pair[1] for pair in before.values())) if before else NOTHING
    rows.append(Row((_("Together"), number(pictures + report.pinned.pictures), was_all, bytes_size(size))))
    return rows


def used(report: StorageReport) -> tuple[int, int]:
    """Pictures of the tiers, and bytes of these and the pinned ones."""
    pictures = sum(each.pictures for each in report.tiers.values())
    return pictures, sum(each.bytes for each in report.tiers.values()) + report.pinned.bytes


def space_facts(report: StorageReport, zone: str, now_ms: int) -> list[Fact]:
    """How fast it grows, what it will be, the database, the disk, and what is wrong."""
    rate = _("{n} pictures, {size}").format(
        n=number(round(report.per_day)), size=bytes_size(round(report.per_day_bytes))
    )
    facts = [
        Fact(_("New a day"), rate, tip=_("The mean of the last seven days")),
        Fact(_("In 30 days"), _("about {size}").format(size=bytes_size(report.forecast_bytes))),
        Fact(_("Database"), bytes_size(report.database_bytes)),
    ]
    if report.free_bytes is None:
        facts.append(Fact(_("Disk"), _("The pictures folder is gone. Connect its disk."), role="bad"))
    else:
        facts.append(Fact(_("Disk"), _("{size} free").format(size=bytes_size(report.free_bytes))))
    if report.last_run is not None:
        freed = _("{time}: {size} freed").format(
            time=day_and_time(report.last_run.at_ms, zone, now_ms),
            size=bytes_size(max(0, report.last_run.bytes_freed - report.last_run.bytes_written)),
        )
        facts.append(Fact(_("Last ageing"), freed))
    if report.pending.pictures:
        text = _("{n} files could not be removed yet; it is tried again.").format(n=number(report.pending.pictures))
        facts.append(Fact(_("Waiting"), text, role="warn"))
    if report.missing:
        text = ngettext("{n} picture file is not there.", "{n} picture files are not there.", report.missing)
        facts.append(Fact(_("Missing"), text.format(n=number(report.missing)), role="warn"))
    if report.unreadable:
        text = ngettext("{n} picture cannot be opened.", "{n} pictures cannot be opened.", report.unreadable)
        facts.append(Fact(_("Damaged"), text.format(n=number(report.unreadable)), role="warn"))
    return facts


def due_facts(preview: AgeingPreview, zone: str, now_ms: int) -> list[Fact]:
    """What the next ageing will do and what stays."""
    facts = [
        Fact(name, _part(part))
        for name, part in (
            (_("Made smaller"), preview.shrink),
            (_("Deleted by age"), preview.by_age),
            (_("Deleted for space"), preview.by_quota),
        )
        if part.pictures
    ]
    if preview.first_ms is not None and preview.last_ms is not None:
        first, last = moment(preview.first_ms, zone, now_ms), moment(preview.last_ms, zone, now_ms)
        facts.append(
            Fact(_("Taken"), first if first == last else _("{first} to {last}").format(first=first, last=last))
        )
    stays = _("The text of all {n} frames and search; pinned pictures: {m}.").format(
        n=number(preview.frames), m=number(preview.pinned.pictures)
    )
    facts.append(Fact(_("Stays"), stays))
    return facts


def nothing_due(preview: AgeingPreview) -> bool:
    """Whether ageing has nothing to do."""
    return not (preview.shrink.pictures or preview.by_age.pictures or preview.by_quota.pictures)


def _part(part: Part) -> str:
    pictures = ngettext("{n} picture", "{n} pictures", part.pictures).format(n=number(part.pictures))
    return f"{pictures}, {bytes_size(part.bytes)}"
