"""The app with a face starts, follows settings, comes to the front when asked, and ends cleanly."""

import os
import signal

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPushButton, QSystemTrayIcon
from shiboken6 import isValid

from biny_desktop.core.i18n import language, use_language
from biny_desktop.ui import application
from biny_desktop.ui.application import Shell, run_gui
from biny_desktop.ui.theme import apply_theme, tokens
from tests.fakes.pages import FAKE_PAGES
from tests.fakes.product import ShellProduct


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch, qapp):
    monkeypatch.setattr(application, "PAGES", FAKE_PAGES)
    yield
    use_language("en")
    apply_theme(qapp, "light")


@pytest.fixture
def shell(qapp, shell_product, qtbot):
    made = Shell(qapp, shell_product)
    made.start(show=False)
    qtbot.waitUntil(lambda: made.watch.last is not None)
    yield made
    made.close()


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_everything_is_closed_once(qapp, shell_product: ShellProduct, which: int) -> None:
    before = signal.getsignal(which)
    QTimer.singleShot(0, lambda: os.kill(os.getpid(), which))
    assert run_gui(shell_product, on_quit=shell_product.close, show=True) == 0
    assert shell_product.done == ["close"]
    assert signal.getsignal(which) == before


def test_without_a_tray_the_window_opens_by_itself_and_says_so_once(shell, shell_product, qapp) -> None:
    assert shell.window.isVisible()
    assert list(shell.window.banners._shown) == ["tray"]
    shell.window.save()
    again = Shell(qapp, shell_product)
    again.start(show=False)
    assert again.window.isVisible()
    assert list(again.window.banners._shown) == []
    again.close()


def test_a_second_start_brings_the_window_to_the_front(shell, shell_product, qtbot) -> None:
    shell.window.hide()
    shell_product.on_show()
    qtbot.waitUntil(shell.window.isVisible)


def test_a_closed_shell_leaves_nothing_of_qt_to_the_garbage_collector(qapp, shell_product) -> None:
    shell = Shell(qapp, shell_product)
    parts = (shell.window, shell.tray, shell.tray._menu, shell.watch, shell.bridge, shell.calls, shell)
    shell.close()
    assert not any(isValid(part) for part in parts)


def test_todays_report_opens_the_page_today(shell, monkeypatch) -> None:
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(shell.window, "open_page", lambda key, part="": asked.append((key, part)))
    shell.window.hide()
    shell.tray.page_requested.emit("today", "report")
    assert shell.window.isVisible()
    assert asked == [("today", "report")]


def test_language_and_theme_change_while_it_runs(shell, shell_product, qtbot) -> None:
    shell_product.set_setting("ui.theme", "dark")
    qtbot.waitUntil(lambda: tokens().dark)
    shell_product.set_setting("ui.language", "zh_CN")
    qtbot.waitUntil(lambda: language() == "zh_CN")
    qtbot.waitUntil(lambda: "搜索" in shell.window.top.field.placeholderText())
    assert shell.tray._menu.actions()[0].text() == "打开 Biny"


def test_closing_the_window_with_a_tray_keeps_recording(shell, monkeypatch) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    shell.window.close()
    assert shell._box is None


def test_closing_the_window_without_a_tray_asks(shell) -> None:
    quits: list[None] = []
    shell.quit_requested.connect(lambda: quits.append(None))
    shell.window.close()
    buttons = {button.text(): button for button in shell._box.findChildren(QPushButton)}
    assert set(buttons) == {"Keep recording", "Quit"}
    buttons["Quit"].click()
    assert quits == [None]


def test_closing_the_window_without_tray_and_recording_ends_it(shell, shell_product, qtbot) -> None:
    quits: list[None] = []
    shell.quit_requested.connect(lambda: quits.append(None))
    shell_product.set_setting("capture.enabled", "false")
    qtbot.waitUntil(lambda: not shell.watch.last.status.enabled)
    shell.window.close()
    assert quits == [None]


@pytest.mark.logs_warning("a bug in the window")
def test_a_bug_in_the_window_is_logged_with_its_traceback(caplog) -> None:
    error = ValueError("of a slot")
    application._log_bug(ValueError, error, None)
    assert "of a slot" in caplog.text
