"""What the page Reports asks of the product for one day or week; in one call, on a pool thread; and its words."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from biny_desktop.activity.reports import words as reasons
from biny_desktop.activity.reports.model import Report, ReportKind
from biny_desktop.activity.reports.weeks import days_of, week_of
from biny_desktop.core.days import activity_day
from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.formats import day_name, day_title, moment
from biny_desktop.ui.report_words import report_state_words
from biny_desktop.ui.widgets.report_calendar import week_title


@dataclass(frozen=True, slots=True)
class ReportLook:
    """A day or week as the page shows it. `line`: when and how its report was made; `file`: its Markdown file, when
    there is one; `has_rows`: whether there is anything to report; `any_segments`: whether there is of any day."""

    kind: ReportKind
    key: str
    today: date
    report: Report | None
    line: str
    file: Path | None
    has_model: bool
    has_rows: bool
    any_segments: bool
    day_start: str

    @property
    def goes_on(self) -> bool:
        """Whether that day or week has not ended."""
        return self.key == (self.today.isoformat() if self.kind == "day" else week_of(self.today.isoformat()))


def today_of(product: Product) -> date:
    """The activity day that goes on now."""
    stamp = product.clock.stamp()
    return date.fromisoformat(activity_day(stamp.at_ms, stamp.zone, product.settings.current().day.start))


def look_at(product: Product, kind: ReportKind, key: str) -> ReportLook:
    """Read one report and what stands around it."""
    stamp, today = product.clock.stamp(), today_of(product)
    report = product.reports.get(kind, key)
    line = ""
    if report is not None:
        line = report_state_words(report, moment(report.made_at_ms, stamp.zone, stamp.at_ms))
    days = (key,) if kind == "day" else days_of(key)
    heat = product.segments.heat(days[0], days[-1])
    file = product.folders.config / "memory" / "reports" / f"{key}.md"
    return ReportLook(
        kind, key, today, report, line, file if file.is_file() else None,
        has_model=product.client.ready("small") or product.client.ready("chat"),
        has_rows=any(day.segments for day in heat),
        any_segments=bool(product.segments.days_with_segments(1)),
        day_start=product.settings.current().day.start,
    )  # fmt: skip


def heading(look: ReportLook) -> str:
    """ "Yesterday", "Wednesday, 11 March", "Week 11, 9 March – 15 March"."""
    if look.kind == "day":
        return day_title(date.fromisoformat(look.key), look.today)
    first, last = (date.fromisoformat(day) for day in (days_of(look.key)[0], days_of(look.key)[-1]))
    days = f"{day_name(first, look.today)} – {day_name(last, look.today)}"
    return _("{week}: {days}").format(week=week_title(look.key), days=days)


def nothing_words(look: ReportLook) -> str:
    """What stands where a report will be: what will appear and when."""
    if not look.any_segments:
        return _(
            "A report of each day appears here after the day ended, at {time}, and one of each week after Sunday. "
            "It is made from what was recorded, with or without a model."
        ).format(time=look.day_start)
    if look.goes_on and look.kind == "day":
        words = _("The report of today can be written at any time. After {time} the finished day gets one by itself.")
        return words.format(time=look.day_start)
    if look.goes_on:
        return _("The report of this week can be written at any time. After Sunday the week gets one by itself.")
    if not look.has_rows:
        return _("Nothing was recorded on this day.") if look.kind == "day" else _("Nothing was recorded in this week.")
    return _("There is no report yet. Yesterday and last week get one by themselves, older ones when you ask for it.")


def outcome_words(report: Report) -> tuple[str, str]:
    """What came of writing it, and the role of the style sheet it is said in."""
    why = reasons.why(report.reason)
    if report.state == "done":
        return _("Written with {model}; every sentence was checked.").format(model=report.model or _("a model")), "ok"
    if report.state == "done_no_model":
        return _("Written from the records, without a model."), "ok"
    if report.state == "narrative_failed" and report.reason == "stopped":
        return _("Stopped: written from the records, without an account by a model."), "muted"
    if report.state == "narrative_failed":
        words = _("Written, but without an account by a model: {why}. It is tried again later.")
        return words.format(why=why), "warn"
    if report.state == "empty_day":
        return _("There is nothing to report."), "muted"
    return _("It could not be written: {why}. It is tried again later.").format(why=why), "bad"
