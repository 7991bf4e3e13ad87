"""The page Approvals: what waits at the left, all there is to read about it at the right, and the answers."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QSettings, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QListView, QVBoxLayout, QWidget

from biny_desktop.core.errors import BinyError
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.approvals import ApprovalItem, ApprovalPage
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.item_models.approvals import ITEM, ApprovalsModel
from biny_desktop.ui.pages.approvals.detail import ApprovalDetail
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.approval_delegate import ApprovalDelegate
from biny_desktop.ui.widgets.halves import Halves
from biny_desktop.ui.widgets.labels import hairline, label

CHANGES_MS = 150
LIST_PX, DETAIL_PX = 320, 640


class ApprovalsPage(Page):
    """`A` allows, `E` edits, `R` refuses what is chosen; what was answered can be looked at."""

    icon_name = "approvals"

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = _("Approvals")
        self._product, self._calls = product, calls
        self.model, self.list = ApprovalsModel(), QListView()
        self.which, self.count = QComboBox(), label("", "small")
        self.detail = ApprovalDetail(product.clock)
        self.allow, self.refuse, self.open = self.detail.allow, self.detail.refuse, self.detail.open
        self._delegate = ApprovalDelegate(product.clock)
        self._changes = QTimer(self, singleShot=True, interval=CHANGES_MS)
        self._changes.timeout.connect(self.refresh)
        self._lay_out()
        self._connect(bridge)
        self.refresh()

    def _lay_out(self) -> None:
        for key, words in (("open", _("Waiting")), ("answered", _("Answered"))):
            self.which.addItem(words, key)
        self.which.setAccessibleName(_("Which ones"))
        self.which.setToolTip(_("Which ones"))
        self.list.setModel(self.model)
        self.list.setItemDelegate(self._delegate)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setAccessibleName(_("What waits for you"))
        self.empty = label("", "muted", wrap=True)
        self.empty.setContentsMargins(16, 12, 16, 12)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        head = QHBoxLayout()
        head.setContentsMargins(16, 12, 16, 8)
        head.addWidget(self.which)
        head.addStretch(1)
        head.addWidget(self.count)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(hairline())
        column.addWidget(self.empty, 1)
        column.addWidget(self.list, 1)
        left.setMinimumWidth(tokens().px(260))
        self.halves = Halves((_("Waiting"), left), (_("What it is"), self.detail))
        self.halves.splitter.setSizes([tokens().px(LIST_PX), tokens().px(DETAIL_PX)])
        self.halves.splitter.setStretchFactor(0, 0)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.halves)

    def _connect(self, bridge: Bridge) -> None:
        self.which.currentIndexChanged.connect(lambda _n: self.refresh())
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.list.activated.connect(lambda _index: self.halves.show_part(1))
        detail = self.detail
        detail.source_asked.connect(self.open_requested)
        detail.accepted.connect(self._on_accepted)
        detail.refused.connect(self._on_refused)
        detail.refused_for_ever.connect(self._on_refused_for_ever)
        bridge.approvals_changed.connect(self._changes.start)
        bridge.sessions_changed.connect(lambda _ids: self._changes.start())
        for keys, button in (("A", detail.allow), ("E", detail.edit), ("R", detail.refuse)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(button.click)

    # -- showing -------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        approvals, which = self._product.approvals, self.which.currentData()
        self._calls.run(lambda: approvals.page(None, which), self._on_page, None, self, latest="approvals")

    def _on_page(self, page: ApprovalPage) -> None:
        chosen, before = self.detail.item, self.list.currentIndex().row()
        self.model.fill(page.items)
        self.count.setText(ngettext("{n} waits", "{n} wait", page.open).format(n=page.open))
        waiting = self.which.currentData() == "open"
        self.empty.setText(
            _("Nothing waits for you. What a model in a chat may only do with your consent stands here.")
            if waiting
            else _("Nothing was answered yet.")
        )
        self.empty.setVisible(not page.items)
        self.list.setVisible(bool(page.items))
        rows = [item.id for item in page.items]
        row = rows.index(chosen.id) if chosen is not None and chosen.id in rows else max(0, min(before, len(rows) - 1))
        if rows:
            self.list.setCurrentIndex(self.model.index(row))
        self.detail.show_item(page.items[row] if rows else None)

    def _on_current(self, now: QModelIndex, _old: QModelIndex) -> None:
        item = now.data(ITEM)
        if item is not None:
            self.detail.show_item(item)

    # -- answering -----------------------------------------------------------------------------------------------------

    def _on_accepted(self, item: ApprovalItem, text: str | None) -> None:
        self._answer(lambda: self._product.approvals.accept(item.id, item.revision, text))

    def _on_refused(self, item: ApprovalItem) -> None:
        self._answer(lambda: self._product.approvals.refuse(item.id, item.revision))

    def _on_refused_for_ever(self, item: ApprovalItem) -> None:
        self._answer(lambda: self._product.approvals.never(item.id, item.revision))

    def _answer(self, act: Callable[[], ApprovalItem]) -> None:
        self.detail.lock()
        self._calls.run(act, lambda _done: self.refresh(), self._on_failed, self)

    def _on_failed(self, error: BinyError) -> None:
        self._calls.failed.emit(error)
        self.refresh()

    def find(self) -> None:
        """The keyboard goes to the list."""
        self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def save_state(self, settings: QSettings) -> None:
        self.halves.save_state(settings)

    def restore_state(self, settings: QSettings) -> None:
        self.halves.restore_state(settings)
