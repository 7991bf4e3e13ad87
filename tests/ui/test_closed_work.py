"""The window that is shown while the home is closed."""

import threading

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from biny_desktop.core.errors import StorageError
from biny_desktop.core.i18n import use_language
from biny_desktop.service.closed_work import ClosedWork
from biny_desktop.storage.progress import Watch
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.closed_work import ClosedWorkWindow, run_closed


@pytest.fixture
def shown(qtbot):
    use_language("en")
    calls = Calls()

    def show(work) -> ClosedWorkWindow:
        made = ClosedWorkWindow(ClosedWork("Encrypting", work), calls)
        qtbot.addWidget(made)
        made.show()
        return made

    yield show
    calls.close()


def test_it_works_at_once_and_says_what_was_done(shown, qtbot) -> None:
    go = threading.Event()
    window = shown(lambda watch: "Encryption is on." if go.wait(10) else "")
    assert window.strip.what.text() == "Encrypting"
    assert not window.go_on.isVisible()
    go.set()
    qtbot.waitUntil(window.go_on.isVisible)
    assert (window.said.text(), window.more.text()) == ("Done", "Encryption is on.")
    window.go_on.click()
    assert window.isHidden()


def test_closing_it_stops_the_work_first(shown, qtbot) -> None:
    def work(watch: Watch) -> str:
        while True:
            watch.at("database", 1, 2)

    window = shown(work)
    window.reject()
    assert window.isVisible()
    qtbot.waitUntil(window.go_on.isVisible)
    assert window.said.text() == "Stopped"
    window.reject()
    assert window.isHidden()


def test_a_fault_is_told_with_what_to_do(shown, qtbot) -> None:
    def work(watch: Watch) -> str:
        raise StorageError("The disk is full", "Nothing was changed.", "Free some space.")

    window = shown(work)
    qtbot.waitUntil(window.go_on.isVisible)
    assert (window.said.text(), window.more.text()) == ("The disk is full", "Nothing was changed. Free some space.")


def test_run_closed_returns_when_the_person_goes_on(qapp, qtbot) -> None:
    done: list[str] = []

    def press() -> None:
        for window in QApplication.topLevelWidgets():
            if isinstance(window, ClosedWorkWindow) and window.go_on.isVisible():
                timer.stop()
                window.go_on.click()

    timer = QTimer()
    timer.timeout.connect(press)
    timer.start(20)
    run_closed(ClosedWork("Restoring", lambda watch: done.append("x") or "Restored."))
    assert done == ["x"]
