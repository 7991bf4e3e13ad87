"""What reading takes and gives: jobs, lines, readings, and the queue that the product plugs in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from biny_desktop.core.geometry import Rect
from biny_desktop.core.tiles import TileMask

Picture: TypeAlias = npt.NDArray[np.uint8]
"""Height × width × 3, BGR, 8 bit."""

ReadPlan = Literal["whole", "changed", "same"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of raw, unredacted text; `box` in pixels of the picture that was read; `score` 0..1."""

    text: str
    box: Rect
    score: float


@dataclass(frozen=True, slots=True)
class Reading:
    """The whole text of one picture, lines in reading order; `text` is them joined (3+ blank lines become 1).

    `lines_read` were recognised for this picture, `lines_reused` came from the last reading or the line cache;
    `size` is the (width, height) px of the picture that was read; `ms` monotonic milliseconds spent.
    """

    lines: tuple[Line, ...]
    text: str
    size: tuple[int, int]
    engine: str
    plan: ReadPlan
    lines_read: int
    lines_reused: int
    ms: int


@dataclass(frozen=True, slots=True)
class ReadJob:
    """One frame to read.

    `load` gives the picture (the held grab while there is one, else the stored file), or None when it is gone.
    `urgent` jobs (manual, "read now", a text rule, painting) do not wait for the user to be idle.
    """

    frame_id: int
    monitor_key: str
    load: Callable[[], Picture | None]
    urgent: bool = False


class ReadQueue(Protocol):
    """Where jobs come from and readings go; `activity` implements it. All methods may block, none may raise a fault."""

    def take(self) -> ReadJob | None:
        """The next job, marked `reading`; urgent ones first, then newest first; None when nothing is due."""
        ...

    def tiles_between(self, one_frame: int, other_frame: int) -> TileMask | None:
        """Union of the tiles touched between two frames of one monitor (in either order), in pixels of the *grab*.

        None when the chain is broken (a frame in between is gone, another size, too many).
        """
        ...

    def done(self, job: ReadJob, reading: Reading) -> None:
        """Redact and commit the text; dropped silently when the frame is gone."""
        ...

    def gone(self, job: ReadJob) -> None:
        """The picture does not exist any more."""
        ...

    def failed(self, job: ReadJob, reason: str) -> None:
        """One try failed; after 3 the frame is parked."""
        ...

    def put_back(self, job: ReadJob) -> None:
        """Not tried (pause, lock, shut-down): the job is due again."""
        ...
