"""Encryption is turned off from the window: the app closes its home, changes it, says so, and comes back by itself."""

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPushButton, QWidget

from biny_desktop.app import AppBackend
from biny_desktop.ui import application, closed_work
from biny_desktop.ui.application import Shell
from biny_desktop.ui.closed_work import ClosedWorkWindow


def press(parent: QWidget, text: str) -> None:
    next(each for each in parent.findChildren(QPushButton) if each.text() == text).click()


def turn_off(shell: Shell) -> None:
    """As a person would: page, button, question."""
    shell.window.open_page("privacy", "keeping")
    section = shell.window.page().part("keeping").encryption
    section.off.click()
    press(section.box, "Turn off")


@pytest.mark.usefixtures("qapp")
def test_encryption_is_turned_off_and_the_window_comes_back(tmp_path, monkeypatch) -> None:
    encrypted: list[bool] = []
    said: list[str] = []

    class ScriptedShell(Shell):
        def start(self, *, show: bool) -> None:
            super().start(show=show)
            encrypted.append(self._product.database.encrypted)
            act = (lambda: turn_off(self)) if len(encrypted) == 1 else self.quit_requested.emit
            QTimer.singleShot(100, act)

    class ScriptedWindow(ClosedWorkWindow):
        def _on_busy(self, busy: bool) -> None:
            super()._on_busy(busy)
            if not busy:
                QTimer.singleShot(50, self._go_on)

        def _go_on(self) -> None:
            said.append(f"{self.said.text()}: {self.more.text()}")
            self.go_on.click()

    monkeypatch.setattr(application, "Shell", ScriptedShell)
    monkeypatch.setattr(closed_work, "ClosedWorkWindow", ScriptedWindow)
    assert AppBackend().run(tmp_path / "home", window=True) == 0
    assert encrypted == [True, False]
    assert said == ["Done: Encryption is off. 0 pictures were written again."]
