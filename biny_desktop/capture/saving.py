"""The last gate: fingerprint, seen again or encode, and the write through the sink (spec 02 §2 gate 11, §5.11)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from biny_desktop.capture.eyes import Eyes
from biny_desktop.capture.fingerprint import Fingerprint
from biny_desktop.capture.guard import is_over_exposed
from biny_desktop.capture.input_rows import InputRows
from biny_desktop.capture.look import Look
from biny_desktop.capture.ports import (
    FrameSink,
    Json,
    KeptFrame,
    NewFrame,
    NewPicture,
    RecorderState,
    Shot,
    SkipReason,
    TriggerKind,
    WindowInfo,
)
from biny_desktop.capture.screening import Screening
from biny_desktop.core.clock import Clock, Stamp
from biny_desktop.core.errors import StorageError
from biny_desktop.core.settings import PicturesSettings
from biny_desktop.core.tiles import TileMask


@dataclass(frozen=True, slots=True)
class Wanted:
    """A picture that passed every gate up to here, and what its row will say."""

    stamp: Stamp
    trigger: TriggerKind
    shot: Shot
    look: Look
    window: WindowInfo
    idle_ms: int | None
    tiles: TileMask | None
    change_reason: str
    flags: tuple[str, ...]
    why: Mapping[str, Json]


class NotSavedError(Exception):
    """The picture could not be encoded or written; `why` tells more."""

    def __init__(self, reason: SkipReason, why: dict[str, Json]) -> None:
        super().__init__(reason)
        self.reason, self.why = reason, why


class Saver:
    """Turns a wanted picture into a committed frame; used from the recorder thread."""

    def __init__(
        self, sink: FrameSink, eyes: Eyes, rows: InputRows, clock: Clock, phase: Callable[[RecorderState], None],
        screening: Screening,
    ) -> None:  # fmt: skip
        self._sink, self._eyes, self._rows, self._clock, self._phase = sink, eyes, rows, clock, phase
        self._screening = screening

    def save(self, wanted: Wanted, pictures: PicturesSettings) -> KeptFrame:
        """Write the frame, or hand it over to be screened and then written; its picture is the new baseline.

        All of it happens in this thread, so nothing queues between grab and write (§2.7: at most one picture waits).

        Raises:
            NotSavedError: nothing was kept, the baseline stays.
        """
        self._phase("saving")
        started = self._clock.mono_ms()
        if self._screening.wanted():
            return self._hold(wanted, started, pictures)
        print_ = self._eyes.look_at(wanted.shot)
        earlier = None if wanted.trigger == "manual" else self._eyes.seen_before(wanted.shot, wanted.look, print_)
        picture = None if earlier is not None else self._encode(wanted, print_, pictures)
        kept = self._write(wanted, print_, picture, earlier, started, pictures)
        self._eyes.keep(wanted.shot, wanted.look, print_, kept.frame_id)
        self._rows.framed()
        return kept

    def _hold(self, wanted: Wanted, started_ms: int, pictures: PicturesSettings) -> KeptFrame:
        """Have it read first; other frames cannot point at it, since it may yet be dropped."""
        try:
            picture = self._eyes.hold(wanted.shot)
        except Exception as error:  # as in `_encode`
            raise NotSavedError("encode_failed", {**wanted.why, "error": type(error).__name__}) from error
        why = {**wanted.why, "encode_ms": self._clock.mono_ms() - started_ms, "screened": True}
        self._rows.flush()
        try:
            kept = self._screening.hold(replace(self._frame(wanted, None, None, why, pictures), held=None), picture)
        except StorageError as error:
            raise NotSavedError("write_failed", {**why, "error": error.kind}) from error
        self._eyes.accept(wanted.shot, wanted.look)
        self._rows.framed()
        return kept

    def _encode(self, wanted: Wanted, print_: Fingerprint, pictures: PicturesSettings) -> NewPicture:
        try:
            return self._eyes.encode(wanted.shot, print_, pictures.max_width, pictures.quality)
        except Exception as error:  # the encoder's own errors have no common root; none may end the loop
            raise NotSavedError("encode_failed", {**wanted.why, "error": type(error).__name__}) from error

    def _write(
        self, wanted: Wanted, print_: Fingerprint, picture: NewPicture | None, earlier: int | None, started_ms: int,
        pictures: PicturesSettings,
    ) -> KeptFrame:  # fmt: skip
        why = {**wanted.why, "encode_ms": self._clock.mono_ms() - started_ms, "seen_again": earlier is not None}
        self._rows.flush()
        try:
            return self._sink.keep(self._frame(wanted, picture, earlier, why, pictures))
        except StorageError as error:
            if earlier is None:
                raise NotSavedError("write_failed", {**why, "error": error.kind}) from error
        # The earlier frame may have been deleted by another process: keep this picture on its own.
        self._eyes.forget_frames([earlier])
        picture = self._encode(wanted, print_, pictures)
        try:
            return self._sink.keep(self._frame(wanted, picture, None, {**why, "seen_again": False}, pictures))
        except StorageError as error:
            raise NotSavedError("write_failed", {**why, "error": error.kind}) from error

    def _frame(
        self, wanted: Wanted, picture: NewPicture | None, earlier: int | None, why: Mapping[str, Json],
        pictures: PicturesSettings,
    ) -> NewFrame:  # fmt: skip
        shot = wanted.shot
        keys, clicks = self._rows.since_frame()
        wide = shot.size[0] > pictures.max_width
        # The pixels' half of "over-exposed"; whether nothing can be read on it is found by reading (§2.6).
        why = {**why, "bright": True} if is_over_exposed(shot.pixels) else why
        return NewFrame(
            stamp=wanted.stamp, trigger=wanted.trigger, monitor_key=shot.monitor.key, scale=shot.scale,
            window=wanted.window, idle_ms=wanted.idle_ms, keys=keys, clicks=clicks, picture=picture,
            seen_again_of=earlier, tiles=wanted.tiles, change_reason=wanted.change_reason, flags=wanted.flags, why=why,
            held=shot.pixels if wide else None,
        )  # fmt: skip
