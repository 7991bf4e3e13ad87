"""The small window that is shown while work is done that needs the home closed."""

from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout

from biny_desktop.core.errors import BinyError, said
from biny_desktop.core.i18n import _, sentences
from biny_desktop.service.closed_work import ClosedWork
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.long_work import LongWork

WIDTH_PX = 460


class ClosedWorkWindow(QDialog):
    """Starts at once; closes by Continue, which is there when the work has ended in any way."""

    def __init__(self, work: ClosedWork, calls: Calls) -> None:
        super().__init__()
        self.setWindowTitle("Biny")
        self.setMinimumWidth(WIDTH_PX)
        self.strip = LongWork(calls)
        self.said, self.more = label("", "heading", wrap=True), label("", "muted", wrap=True, selectable=True)
        self.go_on = QPushButton(_("Continue"))
        self.go_on.setAccessibleName(_("Continue"))
        self.go_on.setToolTip(_("Open the window again"))
        self.go_on.setProperty("role", "primary")
        self.go_on.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.go_on)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        for part in (self.strip, self.said, self.more):
            column.addWidget(part)
        column.addLayout(buttons)
        self.strip.busy.connect(self._on_busy)
        self.strip.start(work.what, work.work, self._on_done, self._on_error)

    def reject(self) -> None:
        """Esc and the close button stop the work; once it has ended they close."""
        if self.strip.running():
            self.strip.cancel.click()
        else:
            super().reject()

    def _on_busy(self, busy: bool) -> None:
        self.go_on.setVisible(not busy)
        self.said.setVisible(not busy)
        self.more.setVisible(not busy)
        if not busy and not self.said.text():
            self.said.setText(_("Stopped"))
            self.more.setText(_("What was begun was undone, or goes on where it stopped at the next start."))

    def _on_done(self, words: str) -> None:
        self.said.setText(_("Done"))
        self.more.setText(words)

    def _on_error(self, error: BinyError) -> None:
        self.said.setText(said(error)[0])
        self.more.setText(sentences(*said(error)[1:]))


def run_closed(work: ClosedWork) -> None:
    """Show the window until the person goes on; an application has to exist."""
    calls = Calls()
    window = ClosedWorkWindow(work, calls)
    loop = QEventLoop()
    window.finished.connect(lambda _result: loop.quit())
    window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
    window.show()
    loop.exec()
    calls.close()
    window.deleteLater()
