"""Screens by meaning: what a question is about, nearest first; and why nothing is found, with what to do."""

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QWidget

from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import BinyError
from biny_desktop.core.events import ActivityDeleted
from biny_desktop.core.i18n import _, ngettext, sentences
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.formats import number
from biny_desktop.ui.item_models.meaning_hits import MeaningAnswer, MeaningHitsModel, look_near
from biny_desktop.ui.pages.search.tab import ResultTab, chip
from biny_desktop.ui.pages.search.words_tab import anchor_of_hit
from biny_desktop.ui.widgets.hit_delegate import HitDelegate
from biny_desktop.ui.widgets.hit_list import HitList
from biny_desktop.ui.widgets.long_work import LongWork


class MeaningTab(ResultTab):
    """Search over the vectors of screen texts; a new question takes the place of one under way."""

    key = "meaning"

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        self._product, self._calls = product, calls
        self.model = MeaningHitsModel(product, calls)
        self.every = chip(_("Every picture"), _("Also show several pictures of one activity"))
        super().__init__(HitList(self.model, HitDelegate(product.clock.now_ms())), (self.every,), parent)
        self.model.setParent(self)
        self.placeholder = _("What it was about, in your own words")
        self.work = LongWork(calls)
        self.below.addWidget(self.work)
        self.every.clicked.connect(lambda _on: self.asked_again.emit())
        self.work.busy.connect(self.button.setDisabled)
        bridge.activity_deleted.connect(self._on_deleted)
        self.say(self.how())

    def _on_deleted(self, event: ActivityDeleted) -> None:
        self.model.remove_frames(event.frame_ids)

    def look(self, question: str) -> None:
        product, every = self._product, self.every.isChecked()
        self.hits.itemDelegate().now_ms = product.clock.now_ms()
        self._calls.run(
            lambda: look_near(product, question, every_frame=every), self._on_answered, self.say_error, self,
            latest="meaning",
        )  # fmt: skip

    def forget(self) -> None:
        self._calls.run(lambda: None, None, None, self, latest="meaning")  # nothing under way comes back
        self.model.fill(())

    def how(self) -> str:
        words = _("Pictures are found here by what their text is about, also when it is said in other words.")
        example, question = _("For example:"), _("the offer for repairing the quay")
        return f"{words}\n\n{example}  {question}"

    def anchor_at(self, row: int) -> Anchor | None:
        hit = self.model.hit(row)
        return anchor_of_hit(hit) if hit is not None else None

    def text_at(self, row: int) -> str:
        hit = self.model.hit(row)
        return "" if hit is None else hit.snippet or hit.frame.title

    def _on_answered(self, answer: MeaningAnswer) -> None:
        self.model.fill(answer.hits)
        if answer.hits:
            count = len(answer.hits)
            self.found(ngettext("{n} hit", "{n} hits", count).format(n=number(count)))
        elif answer.page.notice is not None:
            self.say(_("Say in words what you look for; filters alone mean nothing."))
        else:
            self._say_why(answer)

    def _say_why(self, answer: MeaningAnswer) -> None:
        reason = answer.page.reason
        if reason == "no_embedder":
            words = _("Search by meaning needs an embedder on this machine, and none can be used.")
            self.say(f"{words}\n{answer.why}".strip(), _("Open Models"), self._open_models)
        elif reason == "no_vectors":
            words = _("Nothing is prepared for search by meaning yet.")
            self.say(f"{words}\n{_waiting_words(answer.waiting)}", _("Open Models"), self._open_models)
        elif reason == "index_mismatch":
            words = _("The embedder is another one now, so what was prepared for search by meaning does not fit.")
            self.say(words, _("Rebuild"), self._rebuild)
        elif reason == "below_floor":
            words = _("Nothing is near enough in meaning. Say it otherwise, or look for the words themselves.")
            self.say(words, _("Search for the words"), lambda: self.tab_requested.emit("words"))
        else:
            self.say(_("No picture with text passes these filters."))

    def _open_models(self) -> None:
        self.page_requested.emit("models", "meaning")

    def _rebuild(self) -> None:
        models = self._product.models
        self.work.start(
            _("Preparing search by meaning"), lambda watch: models.rebuild("frame", watch),
            lambda _status: self.refresh(), self._on_rebuild_failed,
        )  # fmt: skip

    def _on_rebuild_failed(self, error: BinyError) -> None:
        self._calls.failed.emit(error)

    def save_state(self, settings: QSettings) -> None:
        settings.setValue("every", self.every.isChecked())

    def restore_state(self, settings: QSettings) -> None:
        self.every.setChecked(settings.value("every", False, type=bool))


def _waiting_words(waiting: int) -> str:
    """How many texts have still to be prepared, if any do, and when that is done."""
    text = ngettext("{n} text waits for it.", "{n} texts wait for it.", waiting).format(n=number(waiting))
    return sentences(text if waiting else "", _("It is done by itself while you do not type."))
