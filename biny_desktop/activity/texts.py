"""What was read of a frame becomes rows: redacted text, line boxes, index, counts, and the outcome in `why`."""

from collections.abc import Callable
from typing import Final

from biny_desktop.activity import event_store, index, read_store
from biny_desktop.core.clock import Clock
from biny_desktop.core.days import activity_day
from biny_desktop.core.geometry import Rect
from biny_desktop.core.settings import Settings
from biny_desktop.reading.ports import Reading
from biny_desktop.redaction import RULES_VERSION, Redaction
from biny_desktop.storage.database import Writer
from biny_desktop.storage.rows import dump_json

BRIGHT_CHARS: Final = 5
"""A nearly white picture with fewer characters than this is over-exposed (spec 02 §2.6)."""
BRIGHT_ROW: Final = 10
"""So many of them in a row give one advice (spec 02 §2.6)."""


class TextWriter:
    """Writes texts inside the caller's transaction; one for the whole app, since it counts what comes in a row."""

    def __init__(self, settings: Callable[[], Settings], clock: Clock) -> None:
        self._settings, self._clock = settings, clock
        self._bright = 0
        self._advised = False

    def write(self, w: Writer, frame_id: int, reading: Reading, redaction: Redaction) -> bool:
        """Write what was read; False when the frame, its picture or the order to read it is gone."""
        frame = read_store.read_frame(w, frame_id)
        if frame is None or frame.picture_state != "live" or frame.read_state != "reading":
            return False
        now = self._clock.now_ms()
        found = redaction.text.strip() != ""
        state = "done" if found else "no_text"
        told = {
            "outcome": state, "engine": reading.engine, "plan": reading.plan, "lines_read": reading.lines_read,
            "lines_reused": reading.lines_reused, "ms": reading.ms, "chars": len(redaction.text),
            "redactions": dict(redaction.counts),
        }  # fmt: skip
        before = frame.why if isinstance(frame.why, dict) else {}
        with index.reindexed(w, [frame_id]):
            read_store.drop_text_counts(w, frame_id)
            if found:
                lines = dump_json(placed(reading, redaction, frame.picture_size))
                read_store.put_text(
                    w,
                    read_store.NewText(
                        frame_id, redaction.text, lines, reading.engine, reading.lines_read, reading.lines_reused,
                        reading.ms, now,
                    ),
                )  # fmt: skip
                event_store.insert_redactions(w, "frame", frame_id, {"text": redaction.counts}, RULES_VERSION, now)
            else:
                read_store.drop_text(w, frame_id)
            read_store.finish(w, frame_id, state, dump_json({**before, "reading": told}), now)
        event_store.bump_day(w, activity_day(*frame.time, self._settings().day.start))
        self._judge_light(w, frame_id, len("".join(reading.text.split())), bright=before.get("bright") is True)
        return True

    def _judge_light(self, w: Writer, frame_id: int, chars: int, *, bright: bool) -> None:
        """Flag an over-exposed frame; ten in a row leave one row of advice a run."""
        if not bright or chars >= BRIGHT_CHARS:
            self._bright = 0
            return
        read_store.add_flag(w, frame_id, "over_exposed")
        self._bright += 1
        if self._bright >= BRIGHT_ROW and not self._advised:
            self._advised = True
            event_store.insert_event(
                w,
                event_store.NewEvent(
                    self._clock.stamp(), "source", "over_exposed", self._bright, None, None, None, None,
                    dump_json({"advice": "hdr_desktop"}),
                ),
            )  # fmt: skip


def placed(reading: Reading, redaction: Redaction, size: tuple[int, int]) -> list[dict[str, object]]:
    """Each line's box in pixels of the stored picture and its place in the redacted text."""
    wide, high = max(1, reading.size[0]), max(1, reading.size[1])
    out: list[dict[str, object]] = []
    place = 0
    for line, text in zip(reading.lines, redaction.lines, strict=True):
        left, right = line.box.x * size[0] // wide, -(-line.box.right * size[0] // wide)
        top, bottom = line.box.y * size[1] // high, -(-line.box.bottom * size[1] // high)
        box = Rect(left, top, right - left, bottom - top).clamped(*size)
        out.append({"box": [box.x, box.y, box.w, box.h], "start": place, "end": place + len(text)})
        place += len(text) + 1
    return out
