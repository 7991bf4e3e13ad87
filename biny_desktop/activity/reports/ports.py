"""What reports need from others: who keeps them as files, who gives segments, who answers questions."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from pydantic import BaseModel

from biny_desktop.activity.reports.model import ReportKind
from biny_desktop.activity.segments.model import DayView
from biny_desktop.core.text import RedactedText
from biny_desktop.models.model import Answer, Failure, Slot, Task
from biny_desktop.models.prompts import Part

PydanticModelT = TypeVar("PydanticModelT", bound=BaseModel)


class ReportSink(Protocol):
    """Keeps a report as a file; the user's own text in that file stays (spec 03 §5, spec 06)."""

    def put_report(self, kind: ReportKind, key: str, markdown: RedactedText) -> None:
        """Write or rewrite the program's part of the file of that report."""
        ...

    def drop_report(self, kind: ReportKind, key: str) -> None:
        """Remove the program's part: the day was deleted."""
        ...


class ActivitySections(Protocol):
    """Keeps the Activity section of a day's file (spec 06)."""

    def put_activity(self, day: str, markdown: RedactedText) -> None:
        """Write or rewrite the section of that day."""
        ...


class Asked(Protocol):
    """The model client, as far as narratives need it (`models.client.ModelClient`)."""

    def ready(self, slot: Slot) -> bool:
        """Whether a model stands in the slot."""
        ...

    def model_of(self, slot: Slot) -> str | None:
        """Its name."""
        ...

    def is_here(self, slot: Slot) -> bool:
        """Whether it works on this machine."""
        ...

    def ask(
        self,
        task: Task,
        schema: type[PydanticModelT],
        parts: Sequence[Part],
        go_on: Callable[[], bool] | None = None,
    ) -> Answer[PydanticModelT] | Failure:
        """Ask; a fault of the world is a `Failure`."""
        ...


class DayReader(Protocol):
    """The segments of a day (`segments.reader.Segments`)."""

    def day(self, day: str) -> DayView:
        """All segments and gaps of an activity day."""
        ...


class Keeper(Protocol):
    """Keeps segments in step with the rows (`segments.keeper.SegmentKeeper`)."""

    def catch_up(self, go_on: Callable[[], bool]) -> int:
        """Make the segments of all rows so far; returns how many were made or changed."""
        ...
