"""The page Chat over a real home, shown, and how one waits for it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.chat.page import ChatPage


def press(box: QMessageBox, words: str) -> None:
    """Press a button of a question."""
    next(each for each in box.buttons() if each.text() == words).click()


def button(inside: QWidget, words: str) -> QPushButton | None:
    """A button by what stands on it."""
    return next(
        (each for each in inside.findChildren(QPushButton) if each.text() == words and not each.isHidden()), None
    )


class ChatRig:
    """The page, shown, and how one waits for it."""

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, qtbot: object) -> None:
        self.product, self.calls, self.qtbot = product, calls, qtbot
        self.page = ChatPage(product, calls, bridge)
        self.page.resize(1_100, 700)
        self.page.show()
        self.errors: list[str] = []
        calls.failed.connect(lambda error: self.errors.append(error.title))
        self.until(lambda: not calls.busy())

    def until(self, done: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(done, timeout=15_000)

    def say(self, words: str) -> None:
        """Write and press Enter, then wait for the answer."""
        before = len(self.texts())
        self.page.composer.field.setPlainText(words)
        self.until(self.page.composer.send.isEnabled)
        self.qtbot.keyClick(self.page.composer.field, Qt.Key.Key_Return)
        self.until(lambda: len(self.texts()) >= before + 2 and not self.running())

    def running(self) -> bool:
        return not self.page.composer.stop.isHidden()

    def texts(self) -> list[str]:
        return [each.shown.message.content for each in self.page.transcript.messages()]

    def last(self) -> object:
        return self.page.transcript.messages()[-1]
