"""Which warnings the window shows for a state."""

from PySide6.QtCore import QObject

from biny_desktop.core.errors import BinyError, said
from biny_desktop.core.i18n import _, sentences
from biny_desktop.ui.recording_actions import RecordingActions
from biny_desktop.ui.states import look_of
from biny_desktop.ui.status_watch import Snapshot, StatusWatch
from biny_desktop.ui.widgets.banners import Banner, Banners


class Warnings(QObject):
    """Keeps the banners of key, database, settings and stalled or switched-off recording in step with the state."""

    def __init__(self, banners: Banners, actions: RecordingActions, watch: StatusWatch) -> None:
        super().__init__(banners)
        self._banners = banners
        self._actions = actions
        watch.failed.connect(self._on_failed)

    def follow(self, snapshot: Snapshot, *, asked: bool) -> None:
        """Show what that state asks for; `asked` when the first page was answered."""
        status = snapshot.status
        self._banners.remove("database")
        self._put("settings", _of_error(snapshot.settings_problem) if snapshot.settings_problem else None)
        self._put("key", _key_in_file() if status.encrypted and status.key_place == "file" else None)
        off = Banner("info", _("Recording is off."), "", _("Start recording"), self._actions.start_recording)
        self._put("off", off if asked and not status.enabled else None)
        stalled = None
        if status.state == "stalled":
            why = look_of(status, snapshot.zone, snapshot.now_ms).why
            text = sentences(_("{why}.").format(why=why) if why else "", status.advice)
            stalled = Banner("warn", _("Recording has stalled"), text)
        self._put("stalled", stalled)

    def no_tray(self) -> None:
        """Say that this desktop shows no tray icons."""
        self._banners.put(
            "tray",
            Banner(
                "info", _("This desktop shows no tray icons."), _("Everything is in this window, recording goes on.")
            ),
        )

    def _put(self, key: str, banner: Banner | None) -> None:
        if banner is None:
            self._banners.remove(key)
        else:
            self._banners.put(key, banner)

    def _on_failed(self, error: BinyError) -> None:
        self._banners.put("database", _of_error(error))


def _of_error(error: BinyError) -> Banner:
    return Banner("bad", said(error)[0], sentences(*said(error)[1:]))


def _key_in_file() -> Banner:
    return Banner(
        "warn",
        _("The encryption key lies in a file."),
        _("No keyring works in this session, so whoever can read your files can read what was recorded."),
    )
