"""The start that does not succeed: told in a window, with a field for a lost key."""

from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QLabel

from biny_desktop.core.clock import SystemClock
from biny_desktop.core.errors import StorageError, WrongKeyError
from biny_desktop.core.i18n import use_language
from biny_desktop.service.data_care.care import Care
from biny_desktop.service.data_care.recovery import export_key
from biny_desktop.storage.folders import resolve
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.start_trouble import StartTrouble, ask_again
from tests.fakes.homes import Home, MemoryKeyring

LOST = WrongKeyError("The key is missing", "It is not in the keyring.", "Type the recovery key.")


@pytest.fixture
def calls(qapp):
    use_language("en")
    made = Calls()
    yield made
    made.close()


@pytest.fixture
def lost(tmp_path: Path) -> tuple[Care, str]:
    """A home whose key is gone from the keyring, and its recovery key."""
    ring = MemoryKeyring()
    home = Home(tmp_path / "home", ring).fill(1, encrypted=True)
    home.opened(lambda _opened: None)
    text = export_key(home.folders, ring)
    ring.kept.clear()
    return Care(home.folders, ring, SystemClock()), text


def shown(dialog: StartTrouble) -> str:
    return " ".join(each.text() for each in dialog.findChildren(QLabel) if not each.isHidden())


def test_a_lost_key_is_typed_refused_and_then_kept(lost, calls, qtbot) -> None:
    care, text = lost
    dialog = StartTrouble(LOST, care, calls)
    qtbot.addWidget(dialog)
    dialog.show()
    assert "The key is missing" in shown(dialog)
    assert str(care.folders.data) in shown(dialog)
    dialog.field.setText("1234")
    dialog.again.click()
    qtbot.waitUntil(lambda: not dialog.said.isHidden())
    assert dialog.said.text().startswith("This is no recovery key.")
    dialog.field.setText(text)
    dialog.again.click()
    qtbot.waitUntil(lambda: dialog.result() == QDialog.DialogCode.Accepted)
    assert care.keyring.kept


def test_another_fault_can_be_tried_again_or_left(tmp_path: Path, calls, qtbot) -> None:
    care = Care(resolve(tmp_path), MemoryKeyring(), SystemClock())
    dialog = StartTrouble(StorageError("The disk is full", "No row was written.", "Free some space."), care, calls)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.field.isHidden()
    assert (dialog.again.text(), dialog.quit.text()) == ("Try again", "Quit")
    dialog.again.click()
    assert dialog.result() == QDialog.DialogCode.Accepted
    dialog.show()
    dialog.quit.click()
    assert dialog.result() == QDialog.DialogCode.Rejected


@pytest.mark.parametrize("again", [True, False])
def test_ask_again_waits_for_the_answer(tmp_path: Path, qapp, qtbot, again: bool) -> None:
    def press() -> None:
        for window in QApplication.topLevelWidgets():
            if isinstance(window, StartTrouble) and window.isVisible():
                timer.stop()
                (window.again if again else window.quit).click()

    timer = QTimer()
    timer.timeout.connect(press)
    timer.start(20)
    care = Care(resolve(tmp_path), MemoryKeyring(), SystemClock())
    assert ask_again(StorageError("The disk is full", "Nothing was written."), care) is again
    use_language("en")


def test_the_trouble_is_told_in_chinese(lost, calls, qtbot) -> None:
    use_language("zh_CN")
    try:
        dialog = StartTrouble(WrongKeyError("The key is missing"), lost[0], calls)
    finally:
        use_language("en")
    qtbot.addWidget(dialog)
    assert "找不到密钥" in shown(dialog)
