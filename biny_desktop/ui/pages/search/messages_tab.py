"""Messages of chats, by words and by meaning at once; never mixed with screens or activities."""

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QWidget

from biny_desktop.conversation.search.model import MessageFilters, MessagePage
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.formats import number
from biny_desktop.ui.item_models.message_hits import MessageHitsModel
from biny_desktop.ui.pages.search.tab import ResultTab, chip
from biny_desktop.ui.widgets.hit_list import HitList
from biny_desktop.ui.widgets.message_hit_delegate import MessageHitDelegate

LIMIT = 100


class MessagesTab(ResultTab):
    """Without an embedder words alone answer, and the count says so."""

    key = "messages"
    keys = ()

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        self._product, self._calls = product, calls
        self.model = MessageHitsModel()
        self.words_only = chip(_("Words only"), _("Leave out what is found by meaning alone"))
        self.versions = chip(_("All versions"), _("Also versions of messages that are not shown in their chat"))
        hits = HitList(self.model, MessageHitDelegate(product.clock.now_ms()))
        super().__init__(hits, (self.words_only, self.versions), parent)
        self.model.setParent(self)
        self.placeholder = _("What was said in a chat")
        for each in (self.words_only, self.versions):
            each.clicked.connect(lambda _on: self.asked_again.emit())
        bridge.sessions_changed.connect(lambda _ids: self._on_changed())
        self.say(self.how())

    def _on_changed(self) -> None:
        if self.question and self.isVisible():
            self.refresh()

    def look(self, question: str) -> None:
        search = self._product.message_search
        mode = "keyword" if self.words_only.isChecked() else "both"
        filters = MessageFilters(all_versions=self.versions.isChecked())
        self.hits.itemDelegate().now_ms = self._product.clock.now_ms()
        self._calls.run(
            lambda: search.search(question, mode, filters, LIMIT), self._on_answered, self.say_error, self,
            latest="messages",
        )  # fmt: skip

    def forget(self) -> None:
        self._calls.run(lambda: None, None, None, self, latest="messages")  # nothing under way comes back
        self.model.fill(())

    def how(self) -> str:
        words = _("Messages of your chats are found here, by their words and by what they are about.")
        example, question = _("For example:"), _("which pier the ferry leaves from")
        return f"{words}\n\n{example}  {question}"

    def anchor_at(self, row: int) -> Anchor | None:
        hit = self.model.hit(row)
        return None if hit is None else Anchor("message", hit.message_id, hit.sent_at_ms, hit.time_zone)

    def text_at(self, row: int) -> str:
        hit = self.model.hit(row)
        return "" if hit is None else hit.snippet

    def _on_answered(self, page: MessagePage) -> None:
        self.model.fill(page.hits)
        if not page.hits:
            self.say(_("No message was found. Say it otherwise, or look in all versions."))
            return
        count = ngettext("{n} hit", "{n} hits", len(page.hits)).format(n=number(len(page.hits)))
        said_so = page.notice is not None and not self.words_only.isChecked()
        self.found(f"{count} · {_(page.notice)}" if said_so else count)

    def save_state(self, settings: QSettings) -> None:
        settings.setValue("words_only", self.words_only.isChecked())
        settings.setValue("all_versions", self.versions.isChecked())

    def restore_state(self, settings: QSettings) -> None:
        self.words_only.setChecked(settings.value("words_only", False, type=bool))
        self.versions.setChecked(settings.value("all_versions", False, type=bool))
