"""Reports made at once, for windows: `Reports` over a dictionary."""

import threading
from collections.abc import Callable
from dataclasses import replace

from biny_desktop.activity.reports.model import Report, ReportKind, Statistics
from biny_desktop.core.errors import BinyError

MARKDOWN = """# {key} Monday
Active 5 h 12 min · 9 segments · 5 apps · 1 h 41 min away · 12 min private · made without a model

## harbour (3 h 34 min)
- 09:10–10:02 [harbour – storage.py](biny://segment/1) · 52 min · Visual Studio Code, Terminal
  - the page cache was too small [f4](biny://frame/4), read in [the manual](https://docs.example/wal)
- 10:26–12:02 [harbour – timetable.py](biny://segment/3) · 1 h 36 min · Visual Studio Code, Terminal, Firefox
- 15:14–16:20 [harbour – tests/test\\_timetable.py](biny://segment/8) · 1 h 6 min

## north quay (1 h 25 min)
- 13:02–13:40 [Council minutes](biny://segment/5) · 38 min · Firefox
- 13:42–14:29 [码头维修报价](biny://segment/6) · 47 min · 表格, Firefox

## Apps
| app | minutes |
| --- | ---: |
| Visual Studio Code | 159 |
| Firefox | 108 |
| Terminal | 80 |

## Gaps
- Away · 1 h 41 min
- Asleep · 31 min

## Not analysed: 3 (pending 2, failed 1: timeout)
"""


def a_report(key: str = "2026-01-05", made_at_ms: int = 0, **changes: object) -> Report:
    """A report without a model."""
    nothing = Statistics(
        0, 0, "UTC", 9, 1, 0, 0, 0, 0, {}, (), (), (), 5, (), (), 0, 0, {}, {}, 0, 0, (), 2, {"timeout": 1}
    )  # fmt: skip
    made = Report(
        1, "day", key, "done_no_model", "", nothing, MARKDOWN.format(key=key), None, None, False, 0, None, made_at_ms, 1
    )
    return replace(made, **changes)  # type: ignore[arg-type]


class FakeReports:
    """`Reports`: `make` waits while `held` is not set, and raises `error` when there is one."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self.all: dict[str, Report] = {}
        self.held = threading.Event()
        self.held.set()
        self.error: BinyError | None = None
        self.begun: list[str] = []
        self.made: list[str] = []

    def get(self, kind: ReportKind, key: str) -> Report | None:
        return self.all.get(key)

    def make(self, kind: ReportKind, key: str, *, narrative: bool | None = None, asked: bool = True) -> Report:
        self.begun.append(key)
        self.held.wait(10)
        if self.error is not None:
            raise self.error
        self.made.append(key)
        self.all[key] = a_report(key, self._now_ms())
        return self.all[key]
