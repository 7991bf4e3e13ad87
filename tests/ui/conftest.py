"""A window on a product whose state the test sets."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.core.i18n import use_language
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.main_window import MainWindow
from biny_desktop.ui.status_watch import StatusWatch
from biny_desktop.ui.theme import apply_theme
from tests.fakes.autostart import FakeAutostart
from tests.fakes.pages import FAKE_PAGES, FakePanel
from tests.fakes.product import ShellProduct


@pytest.fixture
def shell_product(tmp_path: Path) -> ShellProduct:
    """Recording is agreed to and in good order."""
    product = ShellProduct(tmp_path)
    product.settings.set("capture.enabled", "true")
    return product


class WindowParts:
    """What a window needs, and the window."""

    def __init__(self, product: ShellProduct) -> None:
        self.product = product
        self.calls = Calls()
        self.bridge = Bridge(product.events)
        self.watch = StatusWatch(product, self.calls, self.bridge)
        self.window = MainWindow(
            product, self.calls, self.bridge, self.watch, FAKE_PAGES, FakePanel, FakeAutostart().picked
        )

    def close(self) -> None:
        self.watch.stop()
        self.bridge.close()
        self.window.hide()
        self.calls.close()
        self.window.deleteLater()


@pytest.fixture
def make_parts(qtbot) -> Iterator[type[WindowParts]]:
    """Makes windows; takes them down afterwards."""
    made: list[WindowParts] = []

    def make(product: ShellProduct) -> WindowParts:
        made.append(WindowParts(product))
        return made[-1]

    use_language("en")
    yield make
    use_language("en")
    for parts in made:
        parts.close()


@pytest.fixture
def parts(make_parts, shell_product, qtbot, qapp) -> WindowParts:
    """A shown window that knows the state."""
    apply_theme(qapp, "light")
    parts = make_parts(shell_product)
    parts.window.show()
    parts.watch.start()
    qtbot.waitUntil(lambda: parts.watch.last is not None)
    return parts
