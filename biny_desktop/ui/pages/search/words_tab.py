"""Screens by words: what stood on the screen, newest or best first."""

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QButtonGroup, QWidget

from biny_desktop.activity.model import Hit, HitPage
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.events import ActivityDeleted
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.formats import number
from biny_desktop.ui.item_models.hits import HitsModel
from biny_desktop.ui.pages.search.tab import ResultTab, chip
from biny_desktop.ui.widgets.hit_delegate import HitDelegate
from biny_desktop.ui.widgets.hit_list import HitList

EXAMPLE = 'budget "north quay" -draft invoic* app:firefox after:7d'


class WordsTab(ResultTab):
    """Keyword search over screen text and window titles."""

    key = "words"

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        self._product = product
        self.model = HitsModel(product.search, product.timeline, calls)
        self.newest = chip(_("Newest first"), _("Order of the hits"))
        self.best = chip(_("Best first"), _("Order of the hits"))
        super().__init__(HitList(self.model, HitDelegate(product.clock.now_ms())), (self.newest, self.best), parent)
        self.model.setParent(self)
        self.placeholder = _('Words, "phrases", -without, begin*')
        self.order = QButtonGroup(self)
        for button in (self.newest, self.best):
            self.order.addButton(button)
        self.newest.setChecked(True)
        self.order.buttonClicked.connect(lambda _button: self.asked_again.emit())
        self.model.answered.connect(self._on_answered)
        self.model.failed.connect(self.say_error)
        bridge.activity_deleted.connect(self._on_deleted)
        self.say(self.how())

    def _on_deleted(self, event: ActivityDeleted) -> None:
        self.model.remove_frames(list(event.frame_ids))

    def look(self, question: str) -> None:
        self.hits.itemDelegate().now_ms = self._product.clock.now_ms()
        self.model.ask(question, "best" if self.best.isChecked() else "newest")

    def forget(self) -> None:
        self.model.clear()

    def how(self) -> str:
        words = _("Words that stood on your screen are found here, in pictures that were read, and in window titles.")
        example = _("For example:")
        return f"{words}\n\n{example}  {EXAMPLE}"

    def anchor_at(self, row: int) -> Anchor | None:
        hit = self.model.hit(row)
        return anchor_of_hit(hit) if hit is not None else None

    def text_at(self, row: int) -> str:
        hit = self.model.hit(row)
        return "" if hit is None else hit.snippet or hit.frame.title

    def _on_answered(self, page: HitPage) -> None:
        if page.notice is not None and not page.hits:
            self.say(_("Write a word to look for as well: a time alone finds too much."))
        elif not page.hits:
            self.say(nothing_found(), _("Search by meaning"), lambda: self.tab_requested.emit("meaning"))
        else:
            total = f"{number(page.total)}+" if page.more else number(page.total)
            self.found(ngettext("{n} hit", "{n} hits", page.total).format(n=total))

    def save_state(self, settings: QSettings) -> None:
        settings.setValue("best", self.best.isChecked())

    def restore_state(self, settings: QSettings) -> None:
        self.best.setChecked(settings.value("best", False, type=bool))


def anchor_of_hit(hit: Hit) -> Anchor:
    """The frame of a hit with the first marked words as quote."""
    quote = hit.snippet[slice(*hit.marks[0])] if hit.marks else None
    return Anchor("frame", str(hit.frame.id), hit.frame.at_ms, hit.frame.zone, quote)


def nothing_found() -> str:
    """What is said when there is no hit: what that means and what to do."""
    return "\n".join(
        (
            _("Nothing found."),
            _("All words must stand in the text or title of one picture; fewer words or filters find more."),
            _("Pictures that were not read yet are found by their title only."),
        )
    )
