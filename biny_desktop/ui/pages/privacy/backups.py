"""Backups: make one, check one, rehearse a restore, restore; with progress, Cancel, and a receipt that stays."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMessageBox, QWidget

from biny_desktop.core.clock import to_local
from biny_desktop.core.errors import BinyError, said_in_line
from biny_desktop.core.i18n import _, listed, sentences
from biny_desktop.service.closed_work import ClosedWork
from biny_desktop.service.data_care.backups import BackupReceipt, DrillReceipt, back_up, drill, restore, verify
from biny_desktop.service.data_care.care import Care
from biny_desktop.service.product import Product
from biny_desktop.storage.check_backup import CheckReceipt
from biny_desktop.storage.progress import Watch
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.facts import Fact, Facts
from biny_desktop.ui.formats import bytes_size, duration, full_moment, number
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.form import Section
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.long_work import LongWork
from biny_desktop.ui.widgets.rows import action, button_row

KEY_PX = 560


class BackupSection(Section):
    """`wanted(ClosedWork)` for a restore, which needs the home closed; the rest runs beside the recording."""

    wanted = Signal(object)

    def __init__(self, product: Product, care: Care, calls: Calls, parent: QWidget | None = None) -> None:
        note = _("A copy of database, pictures and settings in a folder of its own, proved by hashes.")
        super().__init__(_("Backup"), note, parent)
        self._product, self._care = product, care
        self.choose: Callable[[str], str] = self._choose_folder
        self.make = action(_("Back up…"), _("Choose a disk or folder; recording goes on meanwhile"), "primary")
        self.check = action(_("Check a backup…"), _("Look at every byte of a backup"))
        self.drill = action(_("Rehearse a restore…"), _("Restore into a temporary folder, open it, throw it away"))
        self.restore = action(_("Restore…"), _("Put a backup in the place of what is here"))
        self.key = QLineEdit()
        self.key.setPlaceholderText(_("Recovery key of a backup from another computer (may stay empty)"))
        self.key.setAccessibleName(_("Recovery key of the backup"))
        self.key.setToolTip(_("Only needed for a backup whose key is not on this computer"))
        self.key.setFixedWidth(tokens().px(KEY_PX))
        self.work = LongWork(calls)
        self.receipt = Facts()
        self.error = label("", "bad", wrap=True, selectable=True)
        self.add(button_row(self.make, self.check, self.drill, self.restore))
        self.add(button_row(self.key))
        for part in (self.work, self.error, self.receipt):
            self.add(part)
        self.error.hide()
        self.receipt.hide()
        self.work.busy.connect(self._on_busy)
        self.make.clicked.connect(self._make)
        self.check.clicked.connect(self._check)
        self.drill.clicked.connect(self._drill)
        self.restore.clicked.connect(self._restore)
        self.box: QMessageBox | None = None

    def _make(self) -> None:
        folder = self.choose(_("Where should the backup be put?"))
        if folder:
            stamp = self._product.clock.stamp()
            target = Path(folder) / f"biny-backup-{to_local(stamp.at_ms, stamp.zone):%Y-%m-%d-%H%M}"
            self._start(_("Backing up"), lambda watch: back_up(self._product, target, watch), self._on_made)

    def _check(self) -> None:
        care, key = self._care, self.key.text().strip()
        if folder := self.choose(_("Which backup?")):
            self._start(
                _("Checking the backup"),
                lambda watch: verify(care.folders, care.keyring, Path(folder), watch, recovery=key),
                self._on_checked,
            )

    def _drill(self) -> None:
        care, key = self._care, self.key.text().strip()
        if folder := self.choose(_("Which backup?")):
            self._start(
                _("Rehearsing a restore"),
                lambda watch: drill(care.folders, care.keyring, care.clock, Path(folder), watch, recovery=key),
                self._on_drilled,
            )

    def _restore(self) -> None:
        folder = self.choose(_("Which backup?"))
        if not folder:
            return
        box = QMessageBox(QMessageBox.Icon.NoIcon, "Biny", _("Restore this backup?"), parent=self)
        box.setInformativeText(
            _("What is here now is set aside, not deleted. The window closes while it works and comes back afterwards.")
        )
        go = box.addButton(_("Restore"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(_("Cancel"), QMessageBox.ButtonRole.RejectRole))
        work = _restoring(self._care, Path(folder), self.key.text().strip())
        go.clicked.connect(lambda: self.wanted.emit(ClosedWork(_("Restoring"), work)))
        self.box = box
        box.open()

    def _start(self, what: str, work: Callable[[Watch], object], on_done: Callable[[object], None]) -> None:
        self.error.hide()
        self.receipt.hide()
        self.work.start(what, work, on_done, self._on_error)

    def _on_busy(self, busy: bool) -> None:
        for button in (self.make, self.check, self.drill, self.restore):
            button.setEnabled(not busy)

    def _on_made(self, done: BackupReceipt) -> None:
        facts = [
            Fact(_("Backup"), _("Made and written to the disk."), role="ok"),
            Fact(_("Folder"), done.folder, mono=True),
            Fact(_("Holds"), _holds(done.files, done.bytes, done.rows)),
        ]
        if done.missing:
            facts.append(Fact(_("Missing"), _("{n} pictures were gone already.").format(n=number(done.missing))))
        if done.encrypted:
            facts.append(Fact(_("Key"), _("The one of this computer: keep the recovery key.")))
        self._show(facts)

    def _on_checked(self, done: CheckReceipt) -> None:
        good = _("Whole.") if done.opened else _("Every file is as it was written; its key is not on this computer.")
        self._show(self._facts(done, good if done.ok else _("Not whole."), ok=done.ok))

    def _on_drilled(self, done: DrillReceipt) -> None:
        good = _("It can be restored; that took {time}.").format(time=duration(done.ms))
        bad = _("Its key is not on this computer.") if done.check.ok else _("It cannot be restored.")
        self._show(self._facts(done.check, good if done.ok else bad, ok=done.ok))

    def _facts(self, done: CheckReceipt, verdict: str, *, ok: bool) -> list[Fact]:
        zone = self._product.clock.stamp().zone
        made = full_moment(done.made_at, zone).split("\n", 1)[0]
        return [
            Fact(_("Backup"), verdict, role="ok" if ok else "bad"),
            Fact(_("Made"), made),
            Fact(_("Holds"), _holds(done.files, done.bytes, done.rows)),
            *(Fact(_("Fault"), line, role="bad") for line in done.problems),
        ]

    def _show(self, facts: list[Fact]) -> None:
        self.receipt.fill(facts)
        self.receipt.show()

    def _on_error(self, error: BinyError) -> None:
        self.error.setText(said_in_line(error))
        self.error.show()

    def _choose_folder(self, question: str) -> str:
        return QFileDialog.getExistingDirectory(
            self, question, str(Path.home()), QFileDialog.Option.DontUseNativeDialog | QFileDialog.Option.ShowDirsOnly
        )


def _holds(files: int, size: int, rows: int) -> str:
    parts = [_("{n} files").format(n=number(files)), bytes_size(size)]
    return listed([*parts, _("{n} rows").format(n=number(rows))] if rows else parts)


def _restoring(care: Care, backup: Path, key: str) -> Callable[[Watch], str]:
    def work(watch: Watch) -> str:
        done = restore(care.folders, care.keyring, care.clock, backup, watch, recovery=key, starting=True)
        parts = [_("Restored {n} files, {size}.").format(n=number(done.files), size=bytes_size(done.bytes))]
        parts += [_("What was there before: {path}").format(path=path) for path in done.aside]
        if not done.key_here:
            parts.append(_("Its key is not on this computer: type the recovery key."))
        return sentences(*parts)

    return work
