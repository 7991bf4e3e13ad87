"""Banners for what happened before this start: a rescued database, a crash, a change of encryption not ended."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from biny_desktop.core.i18n import _
from biny_desktop.service.data_care.notices import Notice, NoticeKind, acknowledge, notices
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.widgets.banners import Banner, Banners

PLACES: dict[NoticeKind, tuple[str, str]] = {
    "damage": ("privacy", "keeping"),
    "crash": ("doctor", "crash"),
    "key_change": ("privacy", "keeping"),
}
"""Where a notice leads: the page and its part."""


class Notices(QObject):
    """Reads once; a banner that is closed or followed counts as seen and does not come back."""

    def __init__(self, product: Product, calls: Calls, banners: Banners, go: Callable[[str, str], None]) -> None:
        super().__init__(banners)
        self._product, self._calls, self._banners, self._go = product, calls, banners, go
        calls.run(lambda: notices(product.folders), self._on_read, owner=self)

    def _on_read(self, found: tuple[Notice, ...]) -> None:
        for kind in dict.fromkeys(each.kind for each in found):
            self._put(next(each for each in found if each.kind == kind))

    def _put(self, notice: Notice) -> None:
        def follow() -> None:
            self._follow(notice.kind)

        def seen() -> None:
            self._seen(notice.kind)

        shape = "bad" if notice.kind == "damage" else "warn"
        self._banners.put(f"notice-{notice.kind}", Banner(shape, notice.text, notice.hint, _("Show"), follow, seen))

    def _follow(self, kind: NoticeKind) -> None:
        self._banners.remove(f"notice-{kind}")
        self._go(*PLACES[kind])
        self._seen(kind)

    def _seen(self, kind: NoticeKind) -> None:
        self._calls.run(lambda: acknowledge(self._product.folders, kind), owner=self)
