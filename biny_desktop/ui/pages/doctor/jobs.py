"""The jobs that come round by themselves: when each ran last, what came of it, and when it is due next."""

from collections.abc import Mapping, Sequence

from biny_desktop.core.i18n import _, mark
from biny_desktop.storage.rows import JsonValue
from biny_desktop.ui.formats import duration, full_moment, moment
from biny_desktop.ui.item_models.table import Row, TableModel
from biny_desktop.ui.widgets.table_view import TableView

NOTHING = "–"
_NAMES: Mapping[str, str] = {
    "ageing": mark("Ageing of pictures"),
    "left-over files": mark("Left-over files"),
    "disk": mark("Disk space"),
}
_OUTCOMES: Mapping[str, str] = {
    "never": mark("Not yet"),
    "running": mark("Running"),
    "done": mark("Done"),
    "waited": mark("Waits for idle time or mains"),
    "failed": mark("Failed"),
}


def rows_of(jobs: Sequence[Mapping[str, JsonValue]], zone: str, now_ms: int) -> list[Row]:
    """A row a job, as `JobRun.as_json` tells it."""
    rows = []
    for job in jobs:
        name, outcome = str(job.get("name", "")), str(job.get("outcome", ""))
        started, due, took = job.get("started_at_ms"), job.get("next_at_ms"), job.get("took_ms")
        failed = outcome == "failed"
        result = str(job.get("result") or "")
        cells = (
            _(_NAMES[name]) if name in _NAMES else name,
            _(_OUTCOMES[outcome]) if outcome in _OUTCOMES else outcome,
            moment(started, zone, now_ms) if isinstance(started, int) else NOTHING,
            duration(took) if isinstance(took, int) and isinstance(started, int) and outcome != "running" else NOTHING,
            _in_words(due, now_ms),
            result,
        )
        tip = full_moment(started, zone) if isinstance(started, int) else ""
        if failed:
            tip = "\n".join(part for part in (_("Failed {n} times").format(n=job.get("failures")), tip) if part)
        rows.append(Row(cells, tip=tip))
    return rows


class JobTable(TableView):
    """`fill` shows the jobs."""

    def __init__(self) -> None:
        headings = (_("Job"), _("State"), _("Last run"), _("Took"), _("Next run"), _("What came of it"))
        self.rows = TableModel(headings)
        super().__init__(self.rows, _("Jobs"), stretch=5)

    def fill(self, jobs: Sequence[Mapping[str, JsonValue]], zone: str, now_ms: int) -> None:
        """Show these."""
        self.rows.fill(rows_of(jobs, zone, now_ms))


def _in_words(due: JsonValue, now_ms: int) -> str:
    if not isinstance(due, int):
        return NOTHING
    return _("in {time}").format(time=duration(due - now_ms)) if due - now_ms >= 1_000 else _("now")
