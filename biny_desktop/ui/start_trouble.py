"""What is shown when the home cannot be opened at the start: what happened, what to do, and a field for a lost key."""

from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout

from biny_desktop.core.errors import BinyError, WrongKeyError, said, said_in_line
from biny_desktop.core.events import EventBus
from biny_desktop.core.i18n import _, sentences, use_language
from biny_desktop.core.settings import UiSettings
from biny_desktop.service.data_care.care import Care
from biny_desktop.service.data_care.recovery import import_key
from biny_desktop.service.settings_store import SettingsStore
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.theme import apply_theme
from biny_desktop.ui.widgets.labels import label

WIDTH_PX = 520


class StartTrouble(QDialog):
    """Accepted to try again (with a key that fits, if one was missing), rejected to quit."""

    def __init__(self, error: BinyError, care: Care, calls: Calls) -> None:
        super().__init__()
        self._care, self._calls = care, calls
        self._wants_key = isinstance(error, WrongKeyError)
        self.setWindowTitle("Biny")
        self.setMinimumWidth(WIDTH_PX)
        self.field = QLineEdit()
        self.field.setPlaceholderText("XXXX-XXXX-…")
        self.field.setAccessibleName(_("Recovery key to type"))
        self.field.setToolTip(_("A recovery key as it was printed; dashes and case do not matter"))
        self.field.setVisible(self._wants_key)
        self.said = label("", "bad", wrap=True)
        self.said.hide()
        self.again = QPushButton(_("Use this key") if self._wants_key else _("Try again"))
        self.again.setProperty("role", "primary")
        self.again.setDefault(True)
        self.again.setToolTip(_("Check the typed key against the database and keep it") if self._wants_key else "")
        self.quit = QPushButton(_("Quit"))
        self.quit.setToolTip(_("Nothing is changed (Esc)"))
        for button in (self.again, self.quit):
            button.setAccessibleName(button.text())
        self.again.clicked.connect(self._on_again)
        self.quit.clicked.connect(self.reject)
        self._lay_out(error)

    def _lay_out(self, error: BinyError) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(said(error)[0], "title", wrap=True))
        column.addWidget(label(sentences(*said(error)[1:]), wrap=True))
        kept = _("Nothing was changed; what was recorded is still in {folder}").format(folder=self._care.folders.data)
        column.addWidget(label(kept, "muted", wrap=True, selectable=True))
        if self._wants_key:
            column.addWidget(label(_("Type the recovery key that you printed or wrote down:"), wrap=True))
        column.addWidget(self.field)
        column.addWidget(self.said)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(self.quit)
        row.addWidget(self.again)
        column.addSpacing(4)
        column.addLayout(row)

    def _on_again(self) -> None:
        if not self._wants_key:
            self.accept()
            return
        text = self.field.text()
        self.again.setEnabled(False)
        self._calls.run(
            lambda: import_key(self._care.folders, self._care.keyring, text),
            lambda _receipt: self.accept(),
            self._on_refused,
            self,
        )

    def _on_refused(self, error: BinyError) -> None:
        self.again.setEnabled(True)
        self.said.setText(said_in_line(error))
        self.said.show()


def _ui_settings(care: Care) -> UiSettings:
    """Language and theme as chosen; the defaults where the settings are what cannot be read."""
    try:
        return SettingsStore(care.folders, EventBus()).current().ui
    except BinyError:
        return UiSettings()


def ask_again(error: BinyError, care: Care) -> bool:
    """Show the trouble until the person decides; True to try again."""
    from biny_desktop.ui.application import make_application

    ui = _ui_settings(care)
    use_language(ui.language)
    apply_theme(make_application(), ui.theme)
    calls = Calls()
    dialog = StartTrouble(error, care, calls)
    dialog.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
    loop = QEventLoop()
    dialog.finished.connect(lambda _result: loop.quit())
    dialog.show()
    loop.exec()
    calls.close()
    again = dialog.result() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    return again
