"""Start at login as a row of a form: the real state, read back after every change."""

from collections.abc import Callable

from biny_desktop.core.errors import BinyError, said
from biny_desktop.core.i18n import _, sentences
from biny_desktop.service.autostart.pick import Picked, pick
from biny_desktop.service.autostart.ports import AutostartState
from biny_desktop.storage.folders import Folders, resolve
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.widgets.form import FormRow
from biny_desktop.ui.widgets.switch import Switch

Pick = Callable[[], Picked]


def picker(folders: Folders) -> Pick:
    """How this home is started at login; to be called on a pool thread."""

    def pick_now() -> Picked:
        usual = resolve(None).data == folders.data
        return pick(None if usual else folders.data.parent)

    return pick_now


class AutostartRow(FormRow):
    """A switch that shows what the system will do at the next login, and says when somebody else decided."""

    key = "start.at_login"

    def __init__(self, choose: Pick, calls: Calls, *, narrow: bool = False) -> None:
        self._choose, self._calls = choose, calls
        self.editor = Switch(_("Start at login"))
        super().__init__(
            _("Start at login"),
            _("Biny starts with your session, in the tray; it records only if you agreed to it."),
            self.editor,
            narrow=narrow,
        )
        self.editor.setEnabled(False)
        self.editor.clicked.connect(self._on_clicked)
        self.read()

    def read(self) -> None:
        """Look how it is now."""
        self._calls.run(self._state, self._on_state, self._on_error, self, latest="state")

    def _on_clicked(self, on: bool) -> None:
        self.editor.setEnabled(False)
        self._calls.run(lambda: self._change(on=on), self._on_state, self._on_error, self, latest="state")

    def _state(self) -> AutostartState:
        return self._choose().autostart.state()

    def _change(self, *, on: bool) -> AutostartState:
        picked = self._choose()
        if on:
            picked.autostart.on(picked.command)
        else:
            picked.autostart.off()
        return picked.autostart.state()

    def _on_state(self, found: AutostartState) -> None:
        self.editor.setChecked(found.state == "on")
        self.editor.setEnabled(found.state != "unavailable")
        self.editor.setToolTip(found.where or self.name)
        self.say(_state_words(found), "warn" if found.state not in ("on", "off") else "small")

    def _on_error(self, error: BinyError) -> None:
        self.read()
        self.say(sentences(*said(error)), "bad")


def _state_words(found: AutostartState) -> str:
    return {
        "off_by_system": _("The settings of your session switched the entry off; switching it on here replaces it."),
        "other": _("There is an entry that starts something else; switching it on here replaces it."),
        "unavailable": _("This system has no way to start at login that Biny knows."),
    }.get(found.state, "")
