"""The page Approvals: what waits at the left, all there is to read about it at the right, and the answers."""

from collections.abc import Callable

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSettings, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QListView,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from biny_desktop.core.errors import BinyError
from biny_desktop.core.i18n import _, mark, ngettext
from biny_desktop.service.approvals import ApprovalItem, ApprovalPage
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.field import FieldDialog
from biny_desktop.ui.formats import day_and_time, full_moment, moment
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.diff_view import DiffView
from biny_desktop.ui.widgets.halves import Halves
from biny_desktop.ui.widgets.labels import hairline, label

CHANGES_MS = 150
ITEM = Qt.ItemDataRole.UserRole
_STATES = {
    "open": mark("waits"), "accepted": mark("allowed"), "refused": mark("refused"), "never": mark("never again"),
    "used": mark("allowed and done"), "expired": mark("expired"),
}  # fmt: skip
Index = QModelIndex | QPersistentModelIndex


class ApprovalsModel(QAbstractListModel):
    """Items, newest first."""

    def __init__(self) -> None:
        super().__init__()
        self.items: tuple[ApprovalItem, ...] = ()
        self.now_ms = 0

    def fill(self, items: tuple[ApprovalItem, ...], now_ms: int) -> None:
        """Show these."""
        self.now_ms = now_ms
        if items != self.items:
            self.beginResetModel()
            self.items = items
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else len(self.items)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        if not index.isValid() or index.row() >= len(self.items):
            return None
        item = self.items[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            when = moment(item.asked_at_ms, item.time_zone, self.now_ms)
            state = "" if item.status == "open" else " · " + _(_STATES[item.status])
            return f"{item.title}\n{when} · {item.comes_from}{state}"
        return item if role == ITEM else None


class ApprovalsPage(Page):
    """`A` allows, `R` refuses what is chosen; what was answered can be looked at."""

    icon_name = "approvals"

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = _("Approvals")
        self._product, self._calls = product, calls
        self._item: ApprovalItem | None = None
        self.dialog: QWidget | None = None
        self.model = ApprovalsModel()
        self.list = QListView()
        self.which = QComboBox()
        self.count = label("", "small")
        self._changes = QTimer(self, singleShot=True, interval=CHANGES_MS)
        self._changes.timeout.connect(self.refresh)
        self._lay_out()
        bridge.approvals_changed.connect(self._changes.start)
        bridge.sessions_changed.connect(lambda _ids: self._changes.start())
        for keys, act in (("A", self.allow.click), ("E", self._edit), ("R", self.refuse.click)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)
        self._show(None)
        self.refresh()

    def _lay_out(self) -> None:
        for key, words in (("open", _("Waiting")), ("answered", _("Answered"))):
            self.which.addItem(words, key)
        self.which.setAccessibleName(_("Which ones"))
        self.which.currentIndexChanged.connect(lambda _n: self.refresh())
        self.list.setModel(self.model)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setProperty("role", "inbox")
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName(_("What waits for you"))
        self.list.selectionModel().currentChanged.connect(lambda now, _old: self._show(now.data(ITEM)))
        left = QWidget()
        head = QHBoxLayout()
        head.setContentsMargins(16, 12, 16, 8)
        head.addWidget(self.which)
        head.addStretch(1)
        head.addWidget(self.count)
        self.empty = label(
            _("Nothing waits for you. What a model in a chat may only do with your consent stands here."), "muted",
            wrap=True,
        )  # fmt: skip
        self.empty.setContentsMargins(16, 12, 16, 12)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(hairline())
        column.addWidget(self.empty)
        column.addWidget(self.list, 1)
        left.setMinimumWidth(tokens().px(260))
        self.halves = Halves((_("Waiting"), left), (_("What it is"), self._right()))
        self.halves.splitter.setSizes([320, 640])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.halves)

    def _right(self) -> QWidget:
        self._detail = QVBoxLayout()
        self._detail.setContentsMargins(16, 16, 16, 16)
        self._detail.setSpacing(8)
        inner = QWidget()
        inner.setLayout(self._detail)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        area.viewport().setAutoFillBackground(False)
        inner.setAutoFillBackground(False)
        self.allow = QPushButton(_("Allow"))
        self.allow.setProperty("role", "primary")
        self.allow.setToolTip(_("Allow exactly this, once (A)"))
        self.allow.clicked.connect(lambda _on=False: self._answer(accept=True))
        self.refuse = QPushButton(_("Refuse"))
        self.refuse.setToolTip(_("Refuse it; the model is told so (R)"))
        self.refuse.clicked.connect(lambda _on=False: self._answer(accept=False))
        self.never = QPushButton(_("Never again"))
        self.never.setToolTip(_("Refuse it, and do not ask for it again"))
        self.never.clicked.connect(lambda _on=False: self._send(self._product.approvals.never))
        self.edit = QPushButton(_("Edit and allow…"))
        self.edit.setToolTip(_("Accept it in other words (E)"))
        self.edit.clicked.connect(self._edit)
        self.open = QPushButton(_("Show in the chat"))
        self.open.setToolTip(_("Show the message that asked for it"))
        self.open.clicked.connect(lambda _on=False: self.open_requested.emit(self._item.source))
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 8, 16, 8)
        foot.setSpacing(8)
        foot.addWidget(self.open)
        foot.addStretch(1)
        foot.addWidget(self.never)
        foot.addWidget(self.refuse)
        foot.addWidget(self.edit)
        foot.addWidget(self.allow)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(area, 1)
        column.addWidget(hairline())
        column.addLayout(foot)
        return right

    # -- showing -------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        approvals, which = self._product.approvals, self.which.currentData()
        self._calls.run(lambda: approvals.page(None, which), self._on_page, None, self, latest="approvals")

    def _on_page(self, page: ApprovalPage) -> None:
        chosen = self._item.id if self._item else None
        self.model.fill(page.items, self._product.clock.now_ms())
        self.count.setText(ngettext("{n} waits", "{n} wait", page.open).format(n=page.open))
        self.empty.setVisible(not page.items)
        self.list.setVisible(bool(page.items))
        rows = [item.id for item in page.items]
        row = rows.index(chosen) if chosen in rows else 0
        if page.items:
            self.list.setCurrentIndex(self.model.index(row))
        self._show(page.items[row] if page.items else None)

    def _show(self, item: ApprovalItem | None) -> None:
        open_now = item is not None and item.status == "open"
        self.allow.setEnabled(open_now)
        self.refuse.setEnabled(open_now)
        self.open.setEnabled(item is not None and item.source is not None)
        self.never.setVisible(open_now and item.never)
        self.edit.setVisible(open_now and item.editable)
        if item == self._item and self._detail.count():
            return
        self._item = item
        while self._detail.count():
            taken = self._detail.takeAt(0)
            if taken.widget() is not None:
                taken.widget().deleteLater()
        if item is not None:
            for widget in self._parts(item):
                self._detail.addWidget(widget)
        self._detail.addStretch(1)

    def _parts(self, item: ApprovalItem) -> list[QWidget]:
        now = self._product.clock.now_ms()
        when = label(
            _("Asked {when} in “{chat}”").format(
                when=moment(item.asked_at_ms, item.time_zone, now), chat=item.comes_from
            ),
            "muted", wrap=True,
        )  # fmt: skip
        when.setToolTip(full_moment(item.asked_at_ms, item.time_zone))
        parts: list[QWidget] = [label(item.title, "title", wrap=True), when]
        if item.why:
            parts.append(label(_("Why, as the model says: {why}").format(why=item.why), wrap=True))
        parts.append(DiffView(item.evidence, diff=item.form == "diff"))
        parts.append(label(item.effect, "muted", wrap=True))
        if item.status == "open" and item.expires_at_ms is not None:
            until = day_and_time(item.expires_at_ms, item.time_zone, now)
            parts.append(label(_("Expires: {when}").format(when=until), "small"))
        elif item.status != "open":
            parts.append(label(_(_STATES[item.status]), "small"))
        return parts

    # -- answering -----------------------------------------------------------------------------------------------------

    def _answer(self, *, accept: bool) -> None:
        approvals = self._product.approvals
        self._send(approvals.accept if accept else approvals.refuse)

    def _send(self, act: Callable[[str, int], object]) -> None:
        item = self._item
        if item is None or item.status != "open":
            return
        self.allow.setEnabled(False)
        self.refuse.setEnabled(False)
        self._calls.run(lambda: act(item.id, item.revision), lambda _done: self.refresh(), self._on_failed, self)

    def _edit(self) -> None:
        item, approvals = self._item, self._product.approvals
        if item is None or item.status != "open" or not item.editable:
            return
        dialog = FieldDialog(item.title, _("As you would say it."), item.evidence, self, lines=True)
        dialog.saved.connect(lambda text: self._send(lambda ref, revision: approvals.accept(ref, revision, text)))
        self.dialog = dialog
        dialog.open()

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
