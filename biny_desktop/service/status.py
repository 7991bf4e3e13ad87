"""The state that tray, window, command line and socket show; a frozen value that also travels as JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from biny_desktop.capture.shown import ShownState
from biny_desktop.storage.rows import JsonValue


@dataclass(frozen=True, slots=True)
class Status:
    """What is really happening (spec 02 §2, Shown state), computed from committed rows.

    `state` and `reason` (for `paused`: user, privacy, off; for `stalled`: a skip reason or thread state); `since_ms`,
    `last_frame_ms`, `paused_until_ms` UTC ms or None. `running` whether a recording app holds this home. `key_place`
    keyring, file or none. `input_source` name of the source of input counts, "" when not running; `reduced_input` when
    only idle time is known. `backends` port → why it was chosen.
    """

    state: ShownState
    reason: str
    since_ms: int | None
    running: bool
    enabled: bool
    paused_until_ms: int | None
    frames_today: int
    frames: int
    last_frame_ms: int | None
    queued_to_read: int
    dropped: int
    encrypted: bool
    key_place: str
    input_source: str
    reduced_input: bool
    advice: str

    def as_json(self) -> dict[str, JsonValue]:
        """A plain object for `--json` and the socket."""
        return dict(asdict(self))


def from_json(raw: Mapping[str, JsonValue]) -> Status:
    """The status a running app sent.

    Raises:
        TypeError: it comes from another version and does not fit.
    """
    return Status(**raw)  # type: ignore[arg-type]
