"""The OCR child: one low-priority process that is started on first use, watched, renewed and never left behind.

Run as `python -m biny_desktop.reading.child ENGINE THREADS` it is the child itself.
"""

import contextlib
import os
import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Any, NoReturn

from biny_desktop.core.clock import Clock, SystemClock
from biny_desktop.core.errors import BinyError, UnavailableError
from biny_desktop.core.geometry import Rect
from biny_desktop.reading.engine import make_engine
from biny_desktop.reading.lines import ReadCancelledError, never
from biny_desktop.reading.ports import Picture
from biny_desktop.reading.process import Process
from biny_desktop.reading.wire import WireError, receive, send

NICE = 10  # how far below normal priority the child runs
_POLL = 0.05  # s between two looks while a unit is under way


class OcrFailedError(BinyError):
    """One unit was not read: the child died, hung, grew too large or could not do it. The next use has a new child."""

    kind = "ocr_failed"


class OcrRestingError(BinyError):
    """The child failed too often; nothing is read until the rest is over."""

    kind = "ocr_resting"


@dataclass(frozen=True, slots=True)
class ChildLimits:
    """When the child is killed, renewed or rested (spec 02 §7, child; the start and the hard limit are ours)."""

    unit_s: float = 20.0
    start_s: float = 60.0
    idle_s: float = 300.0
    pictures: int = 500
    renew_bytes: int = 900_000_000
    kill_bytes: int = 1_000_000_000
    failures: int = 3
    failures_ms: int = 600_000
    rest_ms: int = 600_000


class OcrChild:
    """Finds and reads text in a process of its own; each call is one unit.

    One caller at a time; `close`, `pid` and `resting_until` may be called from any thread. `cancelled` is asked while a
    unit is under way: once it is true the child is ended and the unit raises `ReadCancelledError`.
    """

    def __init__(
        self,
        engine_name: str = "rapidocr",
        threads: int = 2,
        clock: Clock | None = None,
        limits: ChildLimits | None = None,
    ) -> None:
        self.name = engine_name
        self.cancelled: Callable[[], bool] = never
        self.restarts = 0
        self._command = _command(engine_name, threads)
        self._clock = clock or SystemClock()
        self._limits = limits or ChildLimits()
        self._process: Process | None = None
        self._pictures = 0
        self._failures: deque[int] = deque(maxlen=self._limits.failures)
        self._rest_until: int | None = None

    def detect(self, picture: Picture) -> list[Rect]:
        """Boxes of text lines in one region, px.

        Raises:
            OcrFailedError: the unit failed.
            OcrRestingError: too many failures; see `resting_until`.
            UnavailableError: the engine is not installed.
            ReadCancelledError: `cancelled` became true.
        """
        answer = self._unit({"do": "detect"}, [picture])
        return [Rect(*(int(part) for part in box)) for box in answer["boxes"]]

    def recognise(self, lines: Sequence[Picture]) -> list[tuple[str, float]]:
        """Text and score of each line; raises as `detect`."""
        if not lines:
            return []
        answer = self._unit({"do": "recognise"}, lines)
        return [(str(text), float(score)) for text, score in answer["lines"]]

    def begin_picture(self) -> None:
        """Count one more picture; the child is renewed before the 501st and above 900 MB."""
        process = self._process
        if process is not None and process.ended():
            self._end()
        elif process is not None and (
            self._pictures >= self._limits.pictures or process.memory() > self._limits.renew_bytes
        ):
            self._end()
            self._pictures = 0
            self.restarts += 1
        self._pictures += 1

    def resting_until(self) -> int | None:
        """Monotonic ms when reading may go on after too many failures; None when it may now."""
        if self._rest_until is not None and self._clock.mono_ms() >= self._rest_until:
            self._rest_until = None
            self._failures.clear()
        return self._rest_until

    def pid(self) -> int | None:
        """Process id of the running child."""
        process = self._process
        return None if process is None or process.ended() else process.pid

    def close(self) -> None:
        """End the child now; the next use starts one again."""
        self._end()

    def _unit(self, meta: dict[str, Any], pictures: Sequence[Picture]) -> dict[str, Any]:
        if self.resting_until() is not None:
            raise OcrRestingError("Reading rests", "The reading process failed several times.", "It goes on by itself.")
        process = self._process
        if process is None or process.ended():
            process = self._start()
        answer = self._answer(process, process.ask(meta, pictures), self._limits.unit_s)
        if "let_go" in answer:
            self._end()
            return self._unit(meta, pictures)
        if process.memory() > self._limits.renew_bytes:
            self._end()
            self.restarts += 1
        if "fault" in answer:
            raise OcrFailedError("A picture was not read", f"Text recognition reported {answer['fault']}.")
        return answer

    def _start(self) -> Process:
        if self._process is not None:
            self._end()
        self._pictures = min(self._pictures, 1)
        self._process = process = Process(self._command, self._limits.idle_s)
        answer = self._answer(process, process.answers, self._limits.start_s)
        if "missing" in answer:
            self._end()
            raise UnavailableError("No text recognition", *answer["missing"])
        return process

    def _answer(
        self, process: Process, answers: "queue.Queue[dict[str, Any] | None]", seconds: float
    ) -> dict[str, Any]:
        """What the child says within the time; it is ended when it says nothing, grows, or the reading is cancelled."""
        deadline = time.monotonic() + seconds
        while True:
            with contextlib.suppress(queue.Empty):
                answer = answers.get(timeout=_POLL)
                if answer is None:
                    self._fail("ended unexpectedly")
                return answer
            if self.cancelled():
                self._end()
                raise ReadCancelledError("Reading was stopped", "The picture is read later.")
            if time.monotonic() > deadline:
                self._fail(f"took longer than {seconds:g} s")
            if process.memory() > self._limits.kill_bytes:
                self._fail("used too much memory")

    def _fail(self, what: str) -> NoReturn:
        self._end()
        self.restarts += 1
        now = self._clock.mono_ms()
        self._failures.append(now)
        if len(self._failures) == self._failures.maxlen and now - self._failures[0] <= self._limits.failures_ms:
            self._rest_until = now + self._limits.rest_ms
        raise OcrFailedError("A picture was not read", f"The reading process {what}.", "It is tried again.")

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()


def _command(engine_name: str, threads: int) -> list[str]:
    return [sys.executable, "-P", "-m", "biny_desktop.reading.child", engine_name, str(threads)]


def _private_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes to the app under new numbers; what libraries print or read goes nowhere."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    return source, sink


def _listen(source: IO[bytes], requests: "queue.Queue[tuple[dict[str, Any], list[Picture]]]") -> None:
    """Hand requests to the working thread; when the app is gone the process ends at once, even in the middle."""
    with contextlib.suppress(OSError, WireError):
        while (request := receive(source)) is not None:
            requests.put(request)
    os._exit(0)


def _work(engine_name: str, threads: int) -> None:
    import psutil  # type: ignore[import-untyped, unused-ignore]

    source, sink = _private_pipes()
    requests: queue.Queue[tuple[dict[str, Any], list[Picture]]] = queue.Queue()
    threading.Thread(target=_listen, args=(source, requests), daemon=True).start()
    with contextlib.suppress(psutil.Error, OSError):
        psutil.Process().nice(getattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", NICE))
    try:
        engine = make_engine(engine_name, threads)
    except UnavailableError as fault:
        send(sink, {"missing": [fault.message, fault.hint]})
        return
    send(sink, {"ready": True})
    while True:
        meta, pictures = requests.get()
        try:
            if meta["do"] == "detect":
                boxes = engine.detect(pictures[0])
                answer: dict[str, Any] = {"boxes": [[box.x, box.y, box.w, box.h] for box in boxes or ()]}
            else:
                answer = {"lines": engine.recognise(pictures) or [("", 0.0)] * len(pictures)}
        except Exception as fault:  # the app must get an answer to every unit; the name of the fault holds no text
            answer = {"fault": type(fault).__name__}
        send(sink, answer)


if __name__ == "__main__":
    _work(sys.argv[1], int(sys.argv[2]))
