"""Messages of chats, by words, by meaning or by both; never mixed with screens or activities."""

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QButtonGroup, QMenu, QPushButton, QWidget

from biny_desktop.conversation.search.model import MessageFilters, MessagePage, Mode
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.message_filters import message_filters
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.formats import number
from biny_desktop.ui.item_models.filters import MESSAGE_KEYS, Filter, split
from biny_desktop.ui.item_models.message_hits import MessageHitsModel
from biny_desktop.ui.pages.search.tab import ResultTab, chip
from biny_desktop.ui.widgets.hit_list import HitList
from biny_desktop.ui.widgets.message_hit_delegate import MessageHitDelegate

LIMIT = 100


class MessagesTab(ResultTab):
    """Without an embedder words alone answer, and the count says so."""

    key = "messages"
    keys = MESSAGE_KEYS

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        self._product, self._calls = product, calls
        self.model = MessageHitsModel()
        self.modes: dict[Mode, QPushButton] = {
            "both": chip(_("Both"), _("What has the words and what is about it, in one order")),
            "keyword": chip(_("By words"), _("Only what has the words; most of them first")),
            "meaning": chip(_("By meaning"), _("What it is about; nearest first")),
        }
        self.modes["both"].setChecked(True)
        self.versions = chip(_("All versions"), _("Also versions of messages that are not shown in their chat"))
        hits = HitList(self.model, MessageHitDelegate(product.clock.now_ms()))
        super().__init__(hits, (*self.modes.values(), self.versions), parent)
        self.model.setParent(self)
        self.placeholder = _("What was said in a chat")
        self._group = QButtonGroup(self)
        for each in self.modes.values():
            self._group.addButton(each)
        for each in (*self.modes.values(), self.versions):
            each.clicked.connect(lambda _on: self.asked_again.emit())
        bridge.sessions_changed.connect(lambda _ids: self._on_changed())
        self.say(self.how())

    def _on_changed(self) -> None:
        if self.question and self.isVisible():
            self.refresh()

    @property
    def mode(self) -> Mode:
        """The one chosen."""
        return next(mode for mode, button in self.modes.items() if button.isChecked())

    def look(self, question: str) -> None:
        product, mode, every = self._product, self.mode, MessageFilters(all_versions=self.versions.isChecked())
        words, written = split(question, MESSAGE_KEYS)

        def find() -> MessagePage:
            pairs = [(each.key, each.value) for each in written]
            start = product.settings.current().day.start
            filters = message_filters(pairs, product.clock.stamp(), start, product.projects.all(), every)
            return product.message_search.search(words, mode, filters, LIMIT)

        self.hits.itemDelegate().now_ms = product.clock.now_ms()
        self._calls.run(find, self._on_answered, self.say_error, self, latest="messages")

    def forget(self) -> None:
        self._calls.run(lambda: None, None, None, self, latest="messages")  # nothing under way comes back
        self.model.fill(())

    def how(self) -> str:
        words = _("Messages of your chats are found here, by their words and by what they are about.")
        example, question = _("For example:"), _("which pier the ferry leaves from")
        return f"{words}\n\n{example}  {question}"

    def anchor_at(self, row: int) -> Anchor | None:
        hit = self.model.hit(row)
        if hit is None:
            return None
        return Anchor("message", hit.message_id, hit.sent_at_ms, hit.time_zone, hit.snippet if hit.marks else None)

    def text_at(self, row: int) -> str:
        hit = self.model.hit(row)
        return "" if hit is None else hit.snippet

    @property
    def opens(self) -> str:
        return _("Open in Chat")

    def offer(self, menu: QMenu) -> None:
        hit = self.model.hit(self.row())
        if hit is not None:
            only = menu.addAction(_("Only this chat"))
            only.triggered.connect(lambda: self.filter_asked.emit(Filter("chat", hit.session_id, hit.session_title)))

    def _on_answered(self, page: MessagePage) -> None:
        self.model.fill(page.hits)
        if not page.hits:
            words = _("No message was found. Say it otherwise, or look in all versions.")
            self.say("\n".join(filter(None, (words, self._why(page)))))
            return
        count = ngettext("{n} hit", "{n} hits", len(page.hits)).format(n=number(len(page.hits)))
        self.found(" · ".join(filter(None, (count, self._why(page)))))

    def _why(self, page: MessagePage) -> str:
        """Why another mode was used, or why nothing is found, in words."""
        return _(page.notice) if page.notice and (page.mode != self.mode or not page.hits) else ""

    def save_state(self, settings: QSettings) -> None:
        settings.setValue("mode", self.mode)
        settings.setValue("all_versions", self.versions.isChecked())

    def restore_state(self, settings: QSettings) -> None:
        self.modes.get(settings.value("mode", "both", type=str), self.modes["both"]).setChecked(True)
        self.versions.setChecked(settings.value("all_versions", False, type=bool))
