"""How a report came about, in words."""

from biny_desktop.activity.reports.model import Report
from biny_desktop.activity.reports.words import why
from biny_desktop.core.i18n import _


def report_state_words(report: Report, made: str) -> str:
    """When it was written, by whom, and whether its day changed since; `made` is the time in words."""
    reason = why(report.reason)
    words = {
        "done": _("Written {time} with {model}").format(time=made, model=report.model or _("a model")),
        "done_no_model": _("Written {time}, made without a model").format(time=made),
        "narrative_failed": _("Written {time}; its account by a model failed: {why}").format(time=made, why=reason),
        "empty_day": _("Written {time}: an empty day").format(time=made),
        "failed": _("Writing failed {time}: {why}").format(time=made, why=reason),
    }[report.state]
    return _("{words} · the day changed since").format(words=words) if report.stale else words
