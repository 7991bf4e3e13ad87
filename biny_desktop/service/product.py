"""`Product`: the parts of one home put together, and the few things a person does with them.

Front ends get their rows from the domain objects on it (`timeline`, `search`, `deletes`) and change the world through
its methods. `app` builds it; `recording` is set only in the process that records.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from biny_desktop.activity.analysis.analysis import Analysis
from biny_desktop.activity.deletes import Deletes
from biny_desktop.activity.disk import DiskGuard
from biny_desktop.activity.held import HeldGrabs
from biny_desktop.activity.meaning.search import MeaningSearch
from biny_desktop.activity.meaning.sweep import EmbeddingSweep
from biny_desktop.activity.pins import Pins
from biny_desktop.activity.read_queue import FrameReadQueue
from biny_desktop.activity.relocate import Moved, PictureMove
from biny_desktop.activity.reports.reports import Reports
from biny_desktop.activity.retention import Retention
from biny_desktop.activity.search import KeywordSearch
from biny_desktop.activity.segments.edits import SegmentEdits
from biny_desktop.activity.segments.keeper import SegmentKeeper
from biny_desktop.activity.segments.reader import Segments
from biny_desktop.activity.segments.search import SegmentSearch
from biny_desktop.activity.timeline import Timeline
from biny_desktop.capture.platforms.pick import Platform
from biny_desktop.conversation.exporting import Exports
from biny_desktop.conversation.importers.importing import Imports
from biny_desktop.conversation.projects import Projects
from biny_desktop.conversation.search.search import MessageSearch
from biny_desktop.conversation.search.sweep import MessageSweep
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.events import EventBus
from biny_desktop.models.client import ModelClient
from biny_desktop.service import trace as tracing
from biny_desktop.service.approvals import Approvals
from biny_desktop.service.chat.desk import Chat
from biny_desktop.service.closed_work import ClosedWork
from biny_desktop.service.control import RecordingControl
from biny_desktop.service.local_server import Message, ask
from biny_desktop.service.models_care import ModelCare
from biny_desktop.service.power import PowerProfile
from biny_desktop.service.privacy import PrivacyCare
from biny_desktop.service.redactors import CurrentRedactor
from biny_desktop.service.settings_store import SettingsStore
from biny_desktop.service.single import InstanceLock
from biny_desktop.service.status import Status, from_json
from biny_desktop.storage.database import Database
from biny_desktop.storage.folders import Folders
from biny_desktop.storage.keys import Key
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.presence import Presence
from biny_desktop.storage.progress import UNWATCHED, Watch
from biny_desktop.storage.rows import JsonValue


class Recording(Protocol):
    """The recording half of a running app, as the product needs it."""

    def status(self) -> Status:
        """What is happening."""
        ...

    def capture(self) -> dict[str, JsonValue]:
        """Take a picture now; what came of it: `frame_id`, or `reason`."""
        ...

    def wake(self) -> None:
        """Settings or a pause changed: look again now."""
        ...

    def health(self) -> dict[str, JsonValue]:
        """How recorder, reader and threads are, for Doctor."""
        ...

    @property
    def platform(self) -> Platform:
        """The back ends in use, with the reasons for the choice."""
        ...


@dataclass
class Product:
    """One home, opened. Thread-safe as far as its parts are."""

    folders: Folders
    settings: SettingsStore
    database: Database
    files: PictureFiles
    key: Key
    clock: Clock
    events: EventBus
    redactor: CurrentRedactor
    timeline: Timeline
    search: KeywordSearch
    deletes: Deletes
    retention: Retention
    pins: Pins
    disk: DiskGuard
    move: PictureMove
    read_queue: FrameReadQueue
    held: HeldGrabs
    control: RecordingControl
    power: PowerProfile
    privacy: PrivacyCare
    client: ModelClient
    models: ModelCare
    segments: Segments
    keeper: SegmentKeeper
    segment_edits: SegmentEdits
    segment_search: SegmentSearch
    analysis: Analysis
    reports: Reports
    meaning: MeaningSearch
    sweep: EmbeddingSweep
    chat: Chat
    approvals: Approvals
    imports: Imports
    exports: Exports
    projects: Projects
    message_search: MessageSearch
    message_sweep: MessageSweep
    recording: Recording | None = None
    presence: Presence | None = None
    on_show: Callable[[], None] = field(default=lambda: None)
    on_quit: Callable[[], None] = field(default=lambda: None)
    closed_work: ClosedWork | None = None
    """What the window asked to be done while the home is closed; the app does it and opens the home again."""

    def status(self) -> Status:
        """The state now: of the recording in this process, else of the running app, else that nothing records."""
        if self.recording is not None:
            return self.recording.status()
        with contextlib.suppress(UnavailableError, TypeError):  # not running, or an app of another version
            raw = ask(self.folders, {"do": "status"}).get("status")
            if isinstance(raw, dict):
                return from_json(raw)
        return self.resting_status()

    def resting_status(self) -> Status:
        """What can be told when nothing records: paused, with the counts of the rows."""
        counts = self.timeline.counts()
        until = self.control.paused_until_ms()
        return Status(
            state="paused",
            reason="not_running" if self.control.enabled() else "off",
            since_ms=counts.last_event_ms,
            running=False,
            enabled=self.control.enabled(),
            paused_until_ms=until,
            frames_today=counts.frames_today,
            frames=counts.frames,
            last_frame_ms=counts.last_frame_ms,
            queued_to_read=counts.queued,
            dropped=counts.not_read,
            encrypted=self.database.encrypted,
            key_place=self.key.place,
            input_source="",
            reduced_input=False,
            advice="",
        )

    def pause(self, length: str = "") -> int:
        """Pause recording; returns until when (UTC ms). See `RecordingControl.pause`.

        Raises:
            InvalidInputError: the length cannot be read.
        """
        until = self.control.pause(length)
        self._changed()
        return until

    def resume(self) -> None:
        """End a pause."""
        self.control.resume()
        self._changed()

    def set_setting(self, key: str, text: str) -> None:
        """Change a setting and have a running app look at it.

        Raises:
            InvalidSettingError: not accepted, nothing changed.
        """
        self.settings.set(key, text)
        self._changed()

    def reset_setting(self, key: str) -> None:
        """Put a setting back to its default and have a running app look at it.

        Raises:
            InvalidSettingError: there is no such setting.
        """
        self.settings.reset(key)
        self._changed()

    def capture(self) -> dict[str, JsonValue]:
        """Take a picture now: `{"frame_id": n}` or `{"reason": "…"}`.

        Raises:
            UnavailableError: nothing records this home.
        """
        if self.recording is not None:
            return self.recording.capture()
        return dict(ask(self.folders, {"do": "capture"}))

    def move_pictures(self, chosen: Path, watch: Watch = UNWATCHED) -> Moved:
        """Move all pictures into a folder inside `chosen`; recording in this process goes on. See `PictureMove.move`.

        Raises:
            UnavailableError: another process records this home. BinyError: the pictures are where they were.
        """
        if self.recording is not None:
            return self.move.move(chosen, watch)
        with InstanceLock(self.folders):
            return self.move.move(chosen, watch)

    def read_now(self, frame_id: int) -> None:
        """Have the text of a frame read (again), before everything else.

        Raises:
            NotFoundError: there is no such frame, or its picture is gone.
        """
        self.read_queue.request(frame_id)
        self._changed()

    def ask_closed(self, work: ClosedWork) -> None:
        """Have work done that needs the home closed: the app ends, does it, and comes back."""
        self.closed_work = work
        self.on_quit()

    def health(self) -> dict[str, JsonValue] | None:
        """How the recording of this home is, in this process or the running app; None when nothing records."""
        if self.recording is not None:
            return self.recording.health()
        with contextlib.suppress(UnavailableError):
            found = ask(self.folders, {"do": "health"}).get("health")
            return found if isinstance(found, dict) else None
        return None

    def trace(self, anchor: Anchor) -> tracing.Source:
        """Open the source of a memory. Raises NotFoundError."""
        return tracing.trace(anchor, self.timeline, self.segments, self.chat)

    def answer(self, question: Message) -> Message:
        """What the local socket says to another process of this user."""
        what = question.get("do")
        if what == "status":
            return {"status": self.status().as_json()}
        if what == "capture" and self.recording is not None:
            return self.recording.capture()
        if what == "health" and self.recording is not None:
            return {"health": self.recording.health()}
        if what == "show":
            self.on_show()
        if what == "look" and self.recording is not None:
            self.recording.wake()
        return {"ok": True}

    def close(self) -> None:
        """Leave the turns of chats where they stand and close the database; may be called twice."""
        self.chat.close()
        self.database.close()
        if self.presence is not None:
            self.presence.leave()

    def _changed(self) -> None:
        if self.recording is not None:
            self.recording.wake()
            return
        with contextlib.suppress(UnavailableError):  # nobody runs: the rows are what the next start reads
            ask(self.folders, {"do": "look"})
