"""Activities: by words of their titles, notes and summaries, or by what they are about."""

from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QButtonGroup, QWidget

from biny_desktop.activity.segments.model import SegmentHitPage
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.formats import number
from biny_desktop.ui.item_models.filters import KEYS, SEGMENT_HAS, SEGMENT_KEYS, Filter
from biny_desktop.ui.item_models.segment_hits import SegmentHitsModel
from biny_desktop.ui.pages.search.tab import ResultTab, chip
from biny_desktop.ui.segment_words import segment_title
from biny_desktop.ui.widgets.hit_list import HitList
from biny_desktop.ui.widgets.segment_hit_delegate import SegmentHitDelegate

CHANGES_MS = 800
"""Changes of segments that come together are looked at once."""


class ActivitiesTab(ResultTab):
    """Two ways of asking, each with its own order."""

    key = "activities"

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        self._product = product
        self.model = SegmentHitsModel(product, calls)
        self.by_words = chip(_("By words"), _("Words in title, note and summary; newest first"))
        self.by_meaning = chip(_("By meaning"), _("What it was about; nearest first"))
        hits = HitList(self.model, SegmentHitDelegate(product.clock.now_ms()))
        super().__init__(hits, (self.by_words, self.by_meaning), parent)
        self.model.setParent(self)
        self.placeholder = _("Words of titles, notes and summaries")
        self.way = QButtonGroup(self)
        for button in (self.by_words, self.by_meaning):
            self.way.addButton(button)
        self.by_words.setChecked(True)
        self.way.buttonClicked.connect(lambda _button: self._on_way())
        self.model.answered.connect(self._on_answered)
        self.model.failed.connect(self.say_error)
        self._changes = QTimer(self, singleShot=True, interval=CHANGES_MS)
        self._changes.timeout.connect(self.refresh)
        bridge.segments_changed.connect(self._on_changed)
        bridge.activity_deleted.connect(self._on_changed)
        self.say(self.how())

    @property
    def keys(self) -> tuple[str, ...]:
        """By meaning the filters of screens count, whose activities are found."""
        return KEYS if self.by_meaning.isChecked() else SEGMENT_KEYS

    def uses(self, each: Filter) -> bool:
        return each.key in self.keys and (self.by_meaning.isChecked() or each.key != "has" or each.value in SEGMENT_HAS)

    def look(self, question: str) -> None:
        self.hits.itemDelegate().now_ms = self._product.clock.now_ms()
        self.model.ask(question, by_meaning=self.by_meaning.isChecked())

    def forget(self) -> None:
        self.model.clear()

    def how(self) -> str:
        words = _("Activities are found here by their titles, projects, notes and summaries.")
        example = _("For example:")
        return f"{words}\n\n{example}  timetable project:harbour kind:active after:30d"

    def anchor_at(self, row: int) -> Anchor | None:
        hit = self.model.hit(row)
        if hit is None:
            return None
        quote = hit.snippet[slice(*hit.marks[0])] if hit.marks else None
        return Anchor("segment", str(hit.segment.id), hit.segment.start_ms, hit.segment.zone, quote)

    def text_at(self, row: int) -> str:
        hit = self.model.hit(row)
        return "" if hit is None else "\n".join(part for part in (segment_title(hit.segment), hit.snippet) if part)

    def _on_answered(self, page: SegmentHitPage) -> None:
        if page.hits:
            total = f"{number(page.total)}+" if page.more else number(page.total)
            self.found(ngettext("{n} activity", "{n} activities", page.total).format(n=total))
        elif page.notice is not None:
            self.say(_("Write a word to look for as well."))
        elif self.by_meaning.isChecked():
            words = _(
                "No activity is near enough in meaning, or none is prepared for it yet. The tab Meaning says why."
            )
            self.say(words, _("Search by words"), self.by_words.click)
        else:
            words = _("Nothing found.") + "\n" + _("All words must stand in title, project, note or summary of one.")
            self.say(words, _("Search by meaning"), self.by_meaning.click)

    def _on_way(self) -> None:
        self.asked_again.emit()

    def _on_changed(self, _what: object) -> None:
        if self.question and self.isVisible():
            self._changes.start()

    def save_state(self, settings: QSettings) -> None:
        settings.setValue("by_meaning", self.by_meaning.isChecked())

    def restore_state(self, settings: QSettings) -> None:
        self.by_meaning.setChecked(settings.value("by_meaning", False, type=bool))
