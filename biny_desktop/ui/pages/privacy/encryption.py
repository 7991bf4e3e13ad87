"""Encryption: whether it is on and where the key is, on, off and another key, and the recovery key."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QMessageBox, QWidget

from biny_desktop.core.errors import BinyError, said_in_line
from biny_desktop.core.i18n import _, sentences
from biny_desktop.service.closed_work import ClosedWork
from biny_desktop.service.data_care.care import Care
from biny_desktop.service.data_care.encryption import EncryptionReceipt, Mode, change_encryption, plain_leftovers
from biny_desktop.service.data_care.recovery import export_key, import_key
from biny_desktop.storage.progress import Watch
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.facts import Fact, Facts
from biny_desktop.ui.formats import number
from biny_desktop.ui.theme import mono_font, tokens
from biny_desktop.ui.widgets.form import Section
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.rows import action, button_row

KEY_PX, FIELD_PX = 560, 440


class EncryptionSection(Section):
    """`wanted(ClosedWork)` when the person agreed to a change: it needs the home closed."""

    wanted = Signal(object)

    def __init__(self, care: Care, key_place: str, *, encrypted: bool, parent: QWidget | None = None) -> None:
        super().__init__(_("Encryption"), _("Of the database and of every picture on this computer."), parent)
        self._care = care
        self.state = Facts()
        self.state.fill(_state(key_place, encrypted=encrypted))
        self.add(self.state)
        self.on = action(_("Turn encryption on…"), _("Encrypt the database and all pictures"))
        self.off = action(_("Turn encryption off…"), _("Store the database and all pictures in the clear"))
        self.rekey = action(_("Change the key…"), _("Encrypt everything anew with another key"))
        self.on.setVisible(not encrypted)
        self.off.setVisible(encrypted)
        self.rekey.setVisible(encrypted)
        self.on.clicked.connect(lambda: self._ask("on"))
        self.off.clicked.connect(lambda: self._ask("off"))
        self.rekey.clicked.connect(lambda: self._ask("rekey"))
        self.add(button_row(self.on, self.rekey, self.off))
        self.box: QMessageBox | None = None

    def lock(self, locked: bool) -> None:
        """Other work runs: nothing may be changed meanwhile."""
        for button in (self.on, self.off, self.rekey):
            button.setEnabled(not locked)

    def _ask(self, mode: Mode) -> None:
        question, detail, verb = _question(mode, self._care)
        box = QMessageBox(QMessageBox.Icon.NoIcon, "Biny", question, parent=self)
        box.setInformativeText(detail)
        go = box.addButton(verb, QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(_("Cancel"), QMessageBox.ButtonRole.RejectRole))
        go.clicked.connect(lambda: self.wanted.emit(ClosedWork(_what(mode), _change(self._care, mode))))
        self.box = box
        box.open()


class RecoverySection(Section):
    """Shows the recovery key on request and takes a typed one; the key is never logged or kept in a widget unseen."""

    def __init__(self, care: Care, calls: Calls, *, encrypted: bool, parent: QWidget | None = None) -> None:
        note = _(
            "Whoever has it can read everything here, and without it a backup cannot be opened on another computer. "
            "Print it or write it down, and keep it away from this computer."
        )
        super().__init__(_("Recovery key"), note, parent)
        self._care, self._calls = care, calls
        self.show_key = action(_("Show the recovery key"), _("Shown here until you hide it"))
        self.copy = action(_("Copy"), _("Copy the recovery key; other programs can read the clipboard"))
        self.hide_key = action(_("Hide"), _("Take the recovery key off the screen"))
        self.key = label("", wrap=True, selectable=True)
        self.key.setFont(mono_font())
        self.key.setMaximumWidth(tokens().px(KEY_PX))
        self.field = QLineEdit()
        self.field.setPlaceholderText("XXXX-XXXX-…")
        self.field.setAccessibleName(_("Recovery key to type"))
        self.field.setToolTip(_("A recovery key as it was printed; dashes and case do not matter"))
        self.field.setFixedWidth(tokens().px(FIELD_PX))
        self.take = action(_("Keep this key"), _("Check the typed key against the database and keep it"))
        self.said = label("", "muted", wrap=True)
        self.add(button_row(self.show_key, self.copy, self.hide_key))
        self.add(self.key)
        self.add(
            label(_("The key was lost here, for instance with the keyring? Type the recovery key:"), "muted", wrap=True)
        )
        self.add(button_row(self.field, self.take))
        self.add(self.said)
        self.show_key.setEnabled(encrypted)
        self._shown(on=False)
        self.said.hide()
        self.show_key.clicked.connect(self._export)
        self.hide_key.clicked.connect(lambda: self._shown(on=False))
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.key.text()))
        self.take.clicked.connect(self._import)
        self.field.returnPressed.connect(self._import)

    def hideEvent(self, event: object) -> None:
        """Another page or tab is shown: the key must not stand there when one comes back."""
        self._shown(on=False)
        super().hideEvent(event)

    def _export(self) -> None:
        self._calls.run(lambda: export_key(self._care.folders, self._care.keyring), self._on_key, self._on_error, self)

    def _on_key(self, text: str) -> None:
        self.key.setText(text)
        self._shown(on=True)

    def _shown(self, *, on: bool) -> None:
        if not on:
            self.key.setText("")
        self.show_key.setVisible(not on)
        for part in (self.key, self.copy, self.hide_key):
            part.setVisible(on)

    def _import(self) -> None:
        text = self.field.text()
        if text.strip():
            self._calls.run(
                lambda: import_key(self._care.folders, self._care.keyring, text), self._on_kept, self._on_error, self
            )

    def _on_kept(self, receipt: object) -> None:
        self.field.clear()
        in_file = receipt.key_place == "file"
        self._say(
            _("The key fits and is kept in a file: no keyring works here.")
            if in_file
            else _("The key fits and is kept in the system keyring.")
        )

    def _on_error(self, error: BinyError) -> None:
        self._say(said_in_line(error), "bad")

    def _say(self, text: str, role: str = "ok") -> None:
        self.said.setProperty("role", role)
        self.said.style().polish(self.said)
        self.said.setText(text)
        self.said.show()


def _state(key_place: str, *, encrypted: bool) -> list[Fact]:
    if not encrypted:
        return [Fact(_("State"), _("Off: pictures and text are stored in the clear."), role="warn")]
    in_file = key_place == "file"
    return [
        Fact(_("State"), _("On")),
        Fact(
            _("Key"),
            _("In a file beside the settings: no keyring works in this session.")
            if in_file
            else _("In the keyring of your session."),
            role="warn" if in_file else "",
        ),
    ]


def _question(mode: Mode, care: Care) -> tuple[str, str, str]:
    pause = _("The window closes while it works, recording pauses, and both come back afterwards.")
    if mode == "off":
        return (
            _("Turn encryption off?"),
            sentences(_("Every program of yours can then read everything."), pause),
            _("Turn off"),
        )
    if mode == "rekey":
        return (
            _("Change the key?"),
            sentences(_("The recovery key changes too; old backups need the old one."), pause),
            _("Change the key"),
        )
    names = ", ".join(path.name for path in plain_leftovers(care.folders))
    left = _("These copies in the clear will be removed: {names}.").format(names=names) + " " if names else ""
    return _("Turn encryption on?"), left + pause, _("Turn on")


def _what(mode: Mode) -> str:
    return {"on": _("Encrypting"), "off": _("Decrypting"), "rekey": _("Changing the key")}[mode]


def _change(care: Care, mode: Mode) -> Callable[[Watch], str]:
    def work(watch: Watch) -> str:
        return _receipt(change_encryption(care.folders, care.keyring, care.clock, mode, watch, starting=True))

    return work


def _receipt(done: EncryptionReceipt) -> str:
    parts = [_("Encryption is on.") if done.encrypted else _("Encryption is off.")]
    if done.changed:
        parts.append(_("{n} pictures were written again.").format(n=number(done.pictures)))
    if done.pictures_failed:
        parts.append(_("{n} could not be opened and were left as they are.").format(n=number(done.pictures_failed)))
    parts += [_("Removed: {name}").format(name=name) for name in done.removed]
    return sentences(*parts)
