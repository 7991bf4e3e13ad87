"""The recording half of a running app: recorder and reader in supervised threads, and the state people see."""

from collections.abc import Callable
from dataclasses import asdict

from biny_desktop.activity.event_store import newest_state
from biny_desktop.capture.health import RecorderHealth
from biny_desktop.capture.platforms.pick import Platform
from biny_desktop.capture.recorder import Recorder
from biny_desktop.capture.shown import HUNG_MS, Shown, ShownInputs, shown_state
from biny_desktop.core.events import (
    AnalysisAsked,
    FrameHeld,
    FrameKept,
    ModelsChanged,
    NonFrameNoted,
    RecorderStateChanged,
)
from biny_desktop.core.i18n import _, mark
from biny_desktop.reading.reader import Reader
from biny_desktop.service.local_server import LocalServer
from biny_desktop.service.product import Product
from biny_desktop.service.schedule import Schedule
from biny_desktop.service.status import Status
from biny_desktop.service.supervisor import Supervisor
from biny_desktop.storage.rows import JsonValue

CAPTURE_S = 15.0
"""How long a picture that was asked for may take: a retry after a black one included (s)."""
SETTLED_IDLE_MS = 60_000
"""On battery the reader waits for this much idle time (spec 02 §7, when)."""

ADVICE = {
    "no_display": mark("There is no display to record. Start Biny inside a desktop session."),
    "no_monitor": mark("No monitor is connected; recording starts by itself when one is."),
    "no_permission": mark("The system does not allow pictures of the screen."),
    "folder_missing": mark("The pictures folder is gone. Connect its disk; it is not made anew elsewhere."),
    "disk_low": mark("The disk is full. Free some space; recording goes on by itself."),
    "write_failed": mark("Writing failed. See `biny doctor`."),
    "unknown_window": mark("The front window cannot be told, so nothing is recorded. See `biny doctor`."),
    "black_picture": mark("The screen gives only black pictures."),
    "frozen_source": mark("The screen gives the same picture again and again."),
    "no_picture": mark("The screen cannot be grabbed."),
    "hung": mark("The recorder does not answer; another one takes over. If it stays so, quit and start again."),
    "no_thread": mark("The recorder ended and is being started again."),
    "trigger_waits": mark("The recorder is behind."),
}


class LiveRecording:
    """Starts, watches and stops recording; implements `product.Recording`.

    `held` tells how many frames wait in memory to be read before they are written.
    """

    def __init__(
        self, product: Product, platform: Platform, recorder: Recorder, reader: Reader, schedule: Schedule,
        held: Callable[[], int] = lambda: 0,
    ) -> None:  # fmt: skip
        self._product, self._platform, self._schedule, self._held = product, platform, schedule, held
        self._recorder, self._reader = recorder, reader
        self._supervisor = Supervisor(product.clock)
        self._supervisor.add("recorder", recorder.run, hung=self._hangs)
        self._supervisor.add("reader", reader.run)
        self._endings = [
            product.events.subscribe(FrameKept, lambda _event: reader.wake()),
            product.events.subscribe(FrameHeld, lambda _event: reader.wake()),
            product.events.subscribe(NonFrameNoted, self._on_note),
            product.events.subscribe(RecorderStateChanged, self._on_state),
            # What a person just asked for or made possible does not wait for its turn.
            product.events.subscribe(AnalysisAsked, lambda _event: schedule.hurry("analysis")),
            product.events.subscribe(ModelsChanged, lambda _event: schedule.hurry("analysis", "reports", "meaning")),
        ]

    def start(self) -> None:
        """Serve the socket and start the threads; returns at once."""
        self._supervisor.add("socket", LocalServer(self._product.folders, self._product.answer).run)
        self._product.recording = self
        self._supervisor.start()
        self._schedule.start()

    def stop(self) -> list[str]:
        """End everything; returns the names of threads that did not end in time."""
        self._supervisor.ask_to_stop()
        self._schedule.ask_to_stop()
        self._recorder.wake()
        self._reader.wake()
        left = self._supervisor.stop()
        self._schedule.stop()
        self._product.recording = None
        for end in self._endings:
            end()
        return left

    @property
    def platform(self) -> Platform:
        """The back ends in use, with the reasons for the choice."""
        return self._platform

    def wake(self) -> None:
        """Settings or a pause changed."""
        self._recorder.wake()
        self._reader.wake()

    def capture(self) -> dict[str, JsonValue]:
        """Take a picture now and wait for what comes of it."""
        result = self._recorder.request_capture().wait(CAPTURE_S)
        if result is None:
            return {"reason": "in_flight"}
        if result.frame_ids:
            return {"frame_id": result.frame_ids[0], "frame_ids": list(result.frame_ids)}
        return {"reason": str(result.reason)}

    def health(self) -> dict[str, JsonValue]:
        """How recorder, reader, threads (monotonic ms) and jobs (UTC ms) are, as plain objects for Doctor."""
        recorder = {**asdict(self._recorder.health()), "counters": dict(self._recorder.health().counters)}
        threads: list[JsonValue] = [dict(asdict(item)) for item in self._supervisor.health()]
        jobs: list[JsonValue] = [run.as_json() for run in self._schedule.runs()]
        return {"recorder": recorder, "reader": dict(asdict(self._reader.status())), "threads": threads, "jobs": jobs}

    def status(self) -> Status:
        """The state now, from the newest rows and the recorder's health."""
        product, health = self._product, self._recorder.health()
        counts, until = product.timeline.counts(), product.control.paused_until_ms()
        enabled = product.control.enabled()
        shown = self._shown(health, enabled=enabled, paused=until is not None)
        reason = "off" if shown.state == "paused" and not enabled else shown.reason
        return Status(
            state=shown.state,
            reason=reason,
            since_ms=shown.since_ms or None,
            running=True,
            enabled=enabled,
            paused_until_ms=until,
            frames_today=counts.frames_today,
            frames=counts.frames,
            last_frame_ms=counts.last_frame_ms,
            queued_to_read=counts.queued + self._held(),
            dropped=counts.not_read + health.counters.get("dropped", 0),
            encrypted=product.database.encrypted,
            key_place=product.key.place,
            input_source=health.input,
            reduced_input=health.input == "poll",
            advice=self._advice(shown),
        )

    def _shown(self, health: RecorderHealth, *, enabled: bool, paused: bool) -> Shown:
        with self._product.database.read() as r:
            newest = newest_state(r)
        alive = next((item.alive for item in self._supervisor.health() if item.name == "recorder"), False)
        return shown_state(
            ShownInputs(
                now_ms=self._product.clock.mono_ms(),
                state=health.state,
                reason=health.reason,
                since_ms=newest.at_ms if newest else 0,
                enabled=enabled,
                paused=paused,
                locked=health.locked,
                alive=alive,
                front=health.front,
                oldest_ms=health.oldest_ms,
                step_ms=health.step_ms,
                input_ms=health.input_ms,
            )
        )

    def _advice(self, shown: Shown) -> str:
        if shown.state != "stalled":
            return ""
        reason = "no_display" if self._platform.name == "null" and shown.reason == "no_monitor" else shown.reason
        text = _(ADVICE[reason]) if reason in ADVICE else ""
        windows = next((choice for choice in self._platform.reasons if choice.port == "windows"), None)
        if reason == "unknown_window" and windows is not None and windows.chosen == "null":
            return f"{text} {windows.why}"  # names the remedy for this desktop
        return text

    def _hangs(self) -> bool:
        """Whether the recorder's loop has not turned for so long that another thread has to take it over."""
        step_ms = self._recorder.health().step_ms
        return step_ms is not None and self._product.clock.mono_ms() - step_ms > HUNG_MS

    def _on_note(self, event: NonFrameNoted) -> None:
        if event.kind in ("lock", "sleep"):
            self._reader.forget()

    def _on_state(self, event: RecorderStateChanged) -> None:
        if event.reason in ("paused_by_user", "screen_locked", "asleep", "shutting_down"):
            self._reader.forget()


def reading_allowed(
    clock_ms: Callable[[], int], last_input_ms: Callable[[], int | None], on_battery: Callable[[], bool]
) -> Callable[[], bool]:
    """Whether pictures that are not urgent may be read now: always on mains, on battery after a minute without input.

    Args:
        clock_ms: monotonic ms. last_input_ms: monotonic ms of the last input, None when it is not known.
        on_battery: whether the machine runs on battery.
    """

    def allowed() -> bool:
        last = last_input_ms()
        return not on_battery() or (last is not None and clock_ms() - last >= SETTLED_IDLE_MS)

    return allowed
