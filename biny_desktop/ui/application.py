"""The app with a face: starts Qt, shows tray and window, and ends cleanly on quit and on signals."""

import logging
import signal
import socket
import sys
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QLibraryInfo,
    QObject,
    QSocketNotifier,
    QThread,
    QTranslator,
    Signal,
)
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMessageBox

from biny_desktop.core import i18n
from biny_desktop.core.i18n import _
from biny_desktop.core.resources import resource
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.main_window import MainWindow
from biny_desktop.ui.notifier import Notifier
from biny_desktop.ui.pages import PAGES
from biny_desktop.ui.status_watch import Snapshot, StatusWatch
from biny_desktop.ui.theme import apply_theme
from biny_desktop.ui.tray import Tray

log = logging.getLogger(__name__)
DESKTOP_FILE = "biny-desktop"


def run_gui(product: Product, *, on_quit: Callable[[], None], show: bool) -> int:
    """Show tray and window until the person quits; returns the exit status.

    Args:
        on_quit: called once after the window is gone and before this returns: stop recording, close the product.
        show: open the window at once; without it only the tray is shown (where there is one).
    """
    app = make_application()
    shell = Shell(app, product)
    hook, sys.excepthook = sys.excepthook, _log_bug
    signals = _QuitSignals()
    try:
        shell.start(show=show)
        return app.exec()
    finally:
        signals.close()
        shell.close()
        sys.excepthook = hook
        on_quit()


def make_application() -> QApplication:
    """The one QApplication, named and with our icon."""
    app = QApplication.instance() or QApplication([DESKTOP_FILE])
    app.setApplicationName(DESKTOP_FILE)
    app.setApplicationDisplayName("Biny")
    app.setDesktopFileName(DESKTOP_FILE)
    app.setWindowIcon(QIcon(str(resource("icons", "biny.svg"))))
    app.setQuitOnLastWindowClosed(False)
    return app


class Shell(QObject):
    """Window, tray and what connects them to the product."""

    show_requested = Signal()
    quit_requested = Signal()

    def __init__(self, app: QApplication, product: Product) -> None:
        super().__init__()
        self._app, self._product = app, product
        self._translator: QTranslator | None = None
        self._box: QMessageBox | None = None
        settings = product.settings.current()
        self._language, self._theme = settings.ui.language, settings.ui.theme
        self._speak(self._language)
        apply_theme(app, self._theme)
        self.calls = Calls()
        self.bridge = Bridge(product.events)
        self.watch = StatusWatch(product, self.calls, self.bridge)
        self.window = MainWindow(product, self.calls, self.bridge, self.watch, PAGES)
        self.tray = Tray(self.window.actions_)
        self.notifier = Notifier(product, self.bridge, self.watch, self.tray)
        self._connect()

    def start(self, *, show: bool) -> None:
        """Show what is to be shown."""
        self.watch.start()
        self.tray.start()
        if show:
            self.window.come_to_front()

    def close(self) -> None:
        """Take everything down; nothing of Qt asks the product afterwards."""
        self._product.on_show = lambda: None
        self.watch.stop()
        self.tray.stop()
        self.bridge.close()
        self.window.save()
        self.window.hide()
        if self._box is not None:
            self._box.close()
        self.calls.close()
        self._delete()

    def _delete(self) -> None:
        """Delete what Qt has of all this here and now. Left to the garbage collector it may be deleted on a thread of
        the next shell's pool, which then waits for Python while the main thread waits for Qt (seen once)."""
        for part in (self.window, self.tray, self.watch, self.bridge, self.calls, self):
            part.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def _connect(self) -> None:
        self._product.on_show = self.show_requested.emit
        self._product.on_quit = self.quit_requested.emit
        self.show_requested.connect(self.window.come_to_front)
        self.tray.open_requested.connect(self.window.come_to_front)
        self.tray.page_requested.connect(self._on_page_requested)
        self.tray.quit_requested.connect(self.quit_requested)
        self.tray.missing.connect(self._on_no_tray)
        self.tray.arrived.connect(self.window.tray_arrived)
        self.window.quit_requested.connect(self.quit_requested)
        self.window.closed.connect(self._on_closed)
        self.watch.changed.connect(self._on_snapshot)
        self.quit_requested.connect(leave)

    def _on_snapshot(self, snapshot: Snapshot) -> None:
        ui = snapshot.settings.ui
        if ui.theme != self._theme:
            self._theme = ui.theme
            apply_theme(self._app, ui.theme)
        if ui.language != self._language:
            self._language = ui.language
            self._speak(ui.language)
            apply_theme(self._app, ui.theme)  # the font goes with the language
            self.window.rebuild()
            self.tray.rebuild(self.window.actions_)
        self.tray.follow(snapshot)

    def _speak(self, choice: str) -> None:
        """Our texts and those of Qt's own buttons and menus."""
        language = i18n.use_language(choice)
        if self._translator is not None:
            self._app.removeTranslator(self._translator)
        self._translator = QTranslator(self)
        if language != "en" and self._translator.load(
            f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        ):
            self._app.installTranslator(self._translator)

    def _on_page_requested(self, key: str, part: str) -> None:
        self.window.come_to_front()
        self.window.open_page(key, part)

    def _on_no_tray(self) -> None:
        self.window.come_to_front()
        self.window.tray_missing()

    def _on_closed(self) -> None:
        """With a tray the app goes on there; without one the person decides."""
        if self.tray.available():
            return
        snapshot = self.watch.last
        if snapshot is None or not snapshot.status.enabled:
            self.quit_requested.emit()
            return
        box = QMessageBox(QMessageBox.Icon.NoIcon, "Biny", _("Keep recording without the window?"))
        box.setInformativeText(_("This desktop shows no tray icon. Start Biny again to open the window."))
        keep = box.addButton(_("Keep recording"), QMessageBox.ButtonRole.AcceptRole)
        leave = box.addButton(_("Quit"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(keep)
        leave.clicked.connect(self.quit_requested)
        self._box = box
        box.open()


def leave() -> None:
    """End the event loop whatever windows are open; `quit` would ask each of them first. Without a loop: nothing."""
    if QThread.currentThread().loopLevel() > 0:
        QApplication.exit(0)


class _QuitSignals:
    """SIGINT and SIGTERM end the event loop; Python's handlers alone would wait for the next event."""

    def __init__(self) -> None:
        self._ours, self._theirs = socket.socketpair()
        for end in (self._ours, self._theirs):
            end.setblocking(False)
        self._old_fd = signal.set_wakeup_fd(self._theirs.fileno(), warn_on_full_buffer=False)
        self._old = {which: signal.signal(which, lambda *_what: leave()) for which in _SIGNALS}
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._drain)

    def close(self) -> None:
        """Put the handlers of before back."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._old_fd)
        for which, handler in self._old.items():
            signal.signal(which, handler)
        self._ours.close()
        self._theirs.close()

    def _drain(self) -> None:
        self._ours.recv(64)  # Python runs the handler as soon as this slot is entered


_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def _log_bug(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    log.error("a bug in the window", exc_info=(kind, error, trace))
