"""What the page Today asks of the product when a day is shown; in one call, on a pool thread."""

from dataclasses import dataclass
from datetime import date

from biny_desktop.activity.reports.model import Report
from biny_desktop.activity.segments.model import DayView
from biny_desktop.core.days import activity_day
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.product import Product
from biny_desktop.ui.formats import clock_time, day_title, duration, moment
from biny_desktop.ui.recording_words import recording_hint
from biny_desktop.ui.report_words import report_state_words


@dataclass(frozen=True, slots=True)
class TodayView:
    """A day with its report; `hint` says of the recording what an empty page needs; `report_line` when and how the
    report was made."""

    day: DayView
    today: date
    report: Report | None
    hint: str
    report_line: str

    @property
    def date(self) -> date:
        """The day shown."""
        return date.fromisoformat(self.day.day)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing of that day, not even a gap."""
        return not self.day.items


def look_at(product: Product, day: str | None) -> TodayView:
    """That day, or today."""
    stamp = product.clock.stamp()
    today = activity_day(stamp.at_ms, stamp.zone, product.settings.current().day.start)
    if day is None or day == today:
        once = iter((True,))
        product.keeper.catch_up(lambda: next(once, False))  # the newest day; older ones wait for the job
    view = product.segments.day(day or today)
    report = product.reports.get("day", view.day)
    line = ""
    if report is not None:
        line = report_state_words(report, moment(report.made_at_ms, stamp.zone, stamp.at_ms))
    hint = "" if view.items else recording_hint(product.status())
    return TodayView(view, date.fromisoformat(today), report, hint, line)


def figures(view: DayView) -> list[tuple[str, str]]:
    """(figure, word) of the line of sums; what is nought is left out, but for the active time."""
    totals = view.totals
    away = totals.gap_ms.get("away", 0) + totals.gap_ms.get("no_input", 0)
    found = [(_length(totals.active_ms), _("active"))]
    found += [(_length(away), _("away"))] if away else []
    found += [(_length(totals.watching_ms), _("watching"))] if totals.watching_ms else []
    found += [(_length(totals.private_ms), _("private"))] if totals.private_ms else []
    found.append((str(totals.segments), ngettext("activity", "activities", totals.segments)))
    found.append((str(totals.apps), ngettext("app", "apps", totals.apps)))
    return found


def nothing_words(view: TodayView, day_start: str) -> tuple[str, str]:
    """Heading and text of a day without anything: what will appear here and how."""
    if view.date != view.today:
        return _("Nothing was recorded"), _("There are no rows of {day}.").format(day=day_title(view.date, view.today))
    words = _(
        "What you work on appears here by itself: hours by app, one line for each activity, "
        "and a report of the day. A day begins at {time}."
    ).format(time=day_start)
    return _("Nothing yet today"), f"{words}\n{view.hint}"


def no_report_words(view: TodayView) -> str:
    """What stands where the report will be."""
    if view.date == view.today:
        until = clock_time(view.day.end_ms, view.day.zone)
        words = _("Today's report can be written at any time. After {time} the finished day gets one by itself.")
        return words.format(time=until)
    return _("This day has no report yet. It is written from the activities beside, with or without a model.")


def _length(ms: int) -> str:
    return duration(ms) if ms >= 1_000 else _("0 min")
