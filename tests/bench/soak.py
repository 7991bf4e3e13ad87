"""Eight hours of use in about two minutes, then thirty days by clock: nothing lost, nothing doubled, memory flat.

Run as `python -m tests.bench.soak --json [--days 30] [--hours 8] [--triggers 4000]`; one JSON object on stdout,
progress on stderr. The clock is a fake, everything else is real: recorder, change detection, pictures on disk,
encrypted database, OCR child (with an engine that finds lines but does not read them), segments, a model server on the
loopback that fails half of its calls, reports, ageing. Keys: `rows_lost` (things a person did that no row answers),
`overlaps`, `rss_growth_mb` (after the first hour), `bytes_per_day`, `bytes_after_tiers` (after `--days`), and what else
there is to know of the run.
"""

import argparse
import itertools
import json
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from biny_desktop.activity.analysis.analysis import Analysis
from biny_desktop.activity.analysis.offers import Offers
from biny_desktop.activity.reports.reports import Reports
from biny_desktop.activity.segments.index import prepare_segment_index
from biny_desktop.activity.segments.model import DayView, Segment
from biny_desktop.core import settings as settings_module
from biny_desktop.core.days import activity_day
from biny_desktop.models.client import ModelClient
from biny_desktop.storage.folders import prepare, resolve
from biny_desktop.storage.model_keys import ModelKeys
from tests.fakes.homes import MemoryKeyring
from tests.fakes.long_day import MINUTE_MS, LongDay
from tests.fakes.model_server import ModelServer, Request

DAY_MS = 86_400_000
AFTER_H = 13
"""Hours from the end of the use to the first of the later days' looks: past the start of the next day."""
ANSWER = {
    "title": "Work at the desk", "summary": "Several windows were in use.", "worth": False, "confidence": 0.4,
}  # fmt: skip


@dataclass
class Soak:
    """One run. `rss` MB at each minute."""

    folder: Path
    hours: float
    triggers: int
    say: bool = True
    rss: list[float] = field(default_factory=list)
    asked: int = 0

    def run(self, days: int) -> dict[str, object]:
        """The day, then the days after it."""
        began, threads = time.monotonic(), {thread.name for thread in threading.enumerate()}
        self.server = ModelServer()
        try:
            out = self._run(days, began)
        finally:
            self.server.close()
            self.day.home.close()
        out["threads_left"] = sorted({thread.name for thread in threading.enumerate()} - threads)
        out["children_left"] = len(psutil.Process().children(recursive=True))
        out["seconds"] = round(time.monotonic() - began, 1)
        return out

    def _run(self, days: int, began: float) -> dict[str, object]:
        self.day = LongDay(self.folder / "data", hours=self.hours, triggers=self.triggers)
        home = self.day.home
        prepare_segment_index(home.db)
        home.settings = settings_module.build(
            {"read": {"every": 3}, "models": {"small_url": self.server.url, "small_model": "tiny"}}
        )
        keys = ModelKeys(prepare(resolve(self.folder / "keys")), MemoryKeyring())
        client = ModelClient(home.db, lambda: home.settings, keys, home.clock)
        parts = (lambda: home.redactor), (lambda: home.settings), home.clock, home.events
        self.analysis = Analysis(home.db, client, *parts, Offers(home.db, home.clock))
        self.reports = Reports(home.db, home.segments, home.keeper, client, *parts)
        self.server.always(self._answer)
        played = self.day.play(self._each_minute)
        used_s = time.monotonic() - began
        home.keeper.catch_up()
        out: dict[str, object] = {
            "rows_lost": len(self.day.unanswered()) + self._lost_by_recorder(),
            "triggers": played.triggers,
            "frames": home.count("frames"),
            "texts": home.count("frame_text"),
            "ocr_kills": played.kills,
            "rss_growth_mb": round(max(self.rss[len(self.rss) // 8 :]) - self.rss[len(self.rss) // 8], 1),
            "bytes_per_day": self._bytes(),
            "seconds_day": round(used_s, 1),
        }
        out |= self._days(days)
        return out | self._verdict()

    def _answer(self, _request: Request) -> str:
        """Every second call gets prose instead of an account."""
        self.asked += 1
        return json.dumps(ANSWER) if self.asked % 2 else "I would rather tell you a story."

    def _each_minute(self, minute: int) -> None:
        if minute % 2 == 1:
            self.day.home.keeper.catch_up()
        if minute % 10 == 9:
            self.analysis.sweep()
        self.rss.append(psutil.Process().memory_info().rss / 2**20)
        if self.say and minute % 60 == 59:
            print(f"hour {minute // 60 + 1}: {self.day.home.count('frames')} frames", file=sys.stderr)

    def _lost_by_recorder(self) -> int:
        return self.day.recorder.health().counters.get("rows_lost", 0)

    def _days(self, days: int) -> dict[str, object]:
        """The days after: ageing, reports, analysis of what is left, once a day."""
        home = self.day.home
        home.clock.advance(AFTER_H * 60 * MINUTE_MS)
        for passed in range(days):
            home.keeper.catch_up()
            self.analysis.sweep()
            self.reports.check(lambda: True)
            home.retention.run()
            if home.retention.state().phase == "waiting":
                home.retention.agree_now()
            if passed < days - 1:
                home.clock.advance(DAY_MS)
        return {"days": days, "bytes_after_tiers": self._bytes()}

    def _verdict(self) -> dict[str, object]:
        """What must hold of the rows in the end."""
        home = self.day.home
        days = self.segment_days()
        views = [home.segments.day(day) for day in days]
        lines = [(self.reports.get("day", day), day) for day in days]
        segments = [item for view in views for item in view.items if isinstance(item, Segment)]
        with home.db.read() as r:
            check = r.one("PRAGMA quick_check")
            named = {row.text("path") for row in r.query("SELECT path FROM pictures WHERE state = 'live'")}
        on_disk = {path for path in home.pictures_on_disk() if not path.endswith(".part")}
        return {
            "overlaps": sum(_overlaps(view) for view in views),
            "segments": len(segments),
            "segments_by_kind": dict(Counter(each.kind for each in segments)),
            "gaps_by_cause": dict(
                Counter(item.cause for view in views for item in view.items if not isinstance(item, Segment))
            ),
            "lengths_wrong": sum(each.length_ms <= 0 or each.end_ms <= each.start_ms for each in segments),
            "analysis": dict(Counter(each.status for each in segments)),
            "reports": {day: report.state if report else "none" for report, day in lines},
            "quick_check": check.text("quick_check") if check else "",
            "files_without_row": len(on_disk - named),
            "rows_without_file": len(named - on_disk),
            "text_of_day_1_found": bool(home.search.search("line").hits),
        }

    def segment_days(self) -> list[str]:
        """Activity days of the use."""
        start = self.day.home.settings.day.start
        times = (self.day.began_ms, self.day.played.end_ms)
        return sorted({activity_day(at, self.day.clock.stamp().zone, start) for at in times})

    def _bytes(self) -> int:
        return sum(path.stat().st_size for path in (self.folder / "data").rglob("*") if path.is_file())


def _overlaps(view: DayView) -> int:
    """Items that do not begin where the one before ends, or have no length."""
    spans = [(item.start_ms, item.end_ms) for item in view.items]
    return sum(low[1] != high[0] for low, high in itertools.pairwise(spans)) + sum(end <= start for start, end in spans)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--hours", type=float, default=8.0)
    parser.add_argument("--triggers", type=int, default=4_000)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory(prefix="biny-soak-") as folder:
        found = Soak(Path(folder), chosen.hours, chosen.triggers).run(chosen.days)
    if chosen.json:
        print(json.dumps(found))
    else:
        for key, value in found.items():
            print(f"{key:22} {value}")


if __name__ == "__main__":
    main()
