"""When a report is made by itself, and when a failed narrative is tried again; pure (spec 03 §5)."""

from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.reports.model import Report

RETRY_MS: Final = (900_000, 1_800_000, 3_600_000)
"""After the first, second, third failure of a day: 15, 30, 60 min."""
TRIES_A_DAY: Final = 4
TODAY_VALID_MS: Final = 600_000
"""How long a report of the present day counts as fresh, ms."""


@dataclass(frozen=True, slots=True)
class Tries:
    """Failed tries of one day: `day` the activity day they were made on."""

    count: int
    day: str
    next_at_ms: int | None

    def failed(self, today: str, now_ms: int) -> "Tries":
        """After one more failure; no further one is planned once the day's tries are used up."""
        count = (self.count if self.day == today else 0) + 1
        wait = RETRY_MS[count - 1] if count <= len(RETRY_MS) else None
        return Tries(count, today, None if wait is None else now_ms + wait)

    def may_try(self, today: str, now_ms: int) -> bool:
        """Whether the schedule may try now."""
        if self.day != today or self.count == 0:
            return True
        return self.count < TRIES_A_DAY and self.next_at_ms is not None and now_ms >= self.next_at_ms


NO_TRIES: Final = Tries(0, "", None)


def due(report: Report | None, tries: Tries, today: str, now_ms: int, *, model_wanted: bool, newest: bool) -> bool:
    """Whether a check has to make this report.

    Args:
        report: as it is; None: there is none. newest: yesterday's, or last week's: only these are made unasked, tried
            again after a failure, and get a narrative when a model is set later. model_wanted: narratives are on and a
            model is set.
    """
    if report is None:
        return newest
    if report.stale or report.file_error:
        return True
    if not newest:
        return False
    if report.made_at_ms < report.statistics.end_ms and report.state != "failed":
        return True  # made while the day went on
    if report.state in ("failed", "narrative_failed"):
        return (report.state == "failed" or model_wanted) and tries.may_try(today, now_ms)
    return report.state == "done_no_model" and model_wanted
