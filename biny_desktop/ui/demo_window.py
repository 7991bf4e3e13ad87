"""One real window of the demo, in a process of its own: `python -m biny_desktop.ui.demo_window KIND`.

It prints `window <id>` once it can be seen and ends when its standard input closes. All wording is invented; the
secrets it shows are of the publicly documented shapes and exist to be hidden.
"""

import sys
import threading
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QSplitter,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)


@dataclass(frozen=True)
class Kind:
    """What a window pretends to be: its WM_CLASS, title and place."""

    wm_class: str
    title: str
    place: tuple[int, int, int, int]


KINDS = {
    "editor": Kind("demo-editor", "packing-list.txt - Editor", (40, 40, 760, 560)),
    "browser": Kind("firefox", "Harbour news — Mozilla Firefox", (180, 90, 900, 640)),
    "terminal": Kind("demo-terminal", "deploy@harbour: ~/site", (320, 160, 820, 520)),
    "passwords": Kind("keepassxc", "Family vault - KeePassXC", (260, 120, 700, 500)),
    "private": Kind("firefox", "Birthday surprise — Mozilla Firefox Private Browsing", (220, 140, 800, 560)),
}
EDITOR_TEXT = """Packing list for the workshop day

- twelve sheets, 600 x 400 mm, old blue
- two spare sheets, same size
- a box of short screws
- 今天中午一起吃饭,讨论预算
"""
PAGES = {
    "Ferry timetable": "The ferry to the lighthouse leaves at 09:15 and 14:40.\n\nTickets cost 12.50 at the pier.",
    "Weather": "Light wind from the west, 11 degrees.\n\nSmall craft may leave the harbour until sunset.",
    "Council minutes": "The council agreed to repair the north quay in April.\n\nThree offers were read aloud.",
}
TERMINAL_TEXT = """$ cat .env
DATABASE_URL=postgres://harbour:Tr0ub4dor-and-3@db.local/site
GITHUB_TOKEN=ghp_R7mK2xQ9vB4nL8sT1wY6zC3dF5gH0jA2eU4i
password: correct-horse-battery
$ ls
index.html  timetable.csv  quay-repair.md
$ """
VAULT_TEXT = "Bank of the Bay\nuser: mara\npassword: blue-Lantern-77-otter\n\nHarbour mail\npassword: seven-Gulls-9921"
PRIVATE_TEXT = "Surprise party ideas: paper lanterns, the old boathouse, forty guests at seven."


class _Closed(QObject):
    """Tells the window that the demo's end of the pipe is closed."""

    happened = Signal()

    def watch(self) -> None:
        sys.stdin.buffer.read()
        self.happened.emit()


def _plain(text: str) -> QPlainTextEdit:
    field = QPlainTextEdit(text)
    font = QFont("monospace")
    font.setPixelSize(15)
    field.setFont(font)
    return field


def _browser(kind: str) -> QWidget:
    box = QWidget()
    layout = QVBoxLayout(box)
    address = QLineEdit("https://harbour.example/news" if kind == "browser" else "https://party.example/ideas")
    layout.addWidget(address)
    if kind == "private":
        layout.addWidget(QLabel(PRIVATE_TEXT))
        layout.addStretch()
        return box
    split = QSplitter(Qt.Orientation.Horizontal)
    links, page = QListWidget(), QTextBrowser()
    links.addItems(list(PAGES))
    links.currentTextChanged.connect(lambda name: page.setPlainText(f"{name}\n\n{PAGES.get(name, '')}"))
    links.setCurrentRow(0)
    links.setStyleSheet("QListWidget::item { height: 32px }")
    for widget, size in ((links, 15), (page, 18)):
        font = widget.font()
        font.setPixelSize(size)
        widget.setFont(font)
    split.addWidget(links)
    split.addWidget(page)
    split.setSizes([220, 680])
    layout.addWidget(split, 1)
    box.setFocusProxy(links)
    return box


def _content(kind: str) -> QWidget:
    if kind in ("browser", "private"):
        return _browser(kind)
    field = _plain({"editor": EDITOR_TEXT, "terminal": TERMINAL_TEXT, "passwords": VAULT_TEXT}[kind])
    if kind == "terminal":
        field.setStyleSheet("background: #10151c; color: #d8dee6")
    field.moveCursor(field.textCursor().MoveOperation.End)
    return field


def main(name: str) -> int:
    """Show the window until standard input closes."""
    kind = KINDS[name]
    app = QApplication(["demo", "-name", kind.wm_class])
    app.setApplicationName(kind.wm_class)
    app.setStyle("Fusion")
    window = _content(name)
    window.setWindowTitle(kind.title)
    window.setGeometry(*kind.place)
    window.show()
    window.setFocus()
    closed = _Closed()
    closed.happened.connect(QGuiApplication.quit)
    threading.Thread(target=closed.watch, daemon=True).start()
    sys.stdout.write(f"window {int(window.winId())}\n")
    sys.stdout.flush()
    return app.exec()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
