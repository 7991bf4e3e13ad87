"""What a person can do with a segment, the same wherever it is shown: menu, dialogs, saving with a revision check.

A change that meets a newer row shows both versions; saving again uses the revision that was shown.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QMenu, QWidget

from biny_desktop.activity.deletes import Selection
from biny_desktop.activity.segments.model import Segment
from biny_desktop.core.errors import BinyError, StaleRevisionError
from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.conflict import ConflictDialog
from biny_desktop.ui.dialogs.delete import Choice, DeleteDialog
from biny_desktop.ui.dialogs.field import FieldDialog
from biny_desktop.ui.dialogs.split_segment import SplitDialog
from biny_desktop.ui.segment_words import segment_times, segment_title

Save = Callable[[int, str, int], Segment]


class SegmentActs(QObject):
    """`saved(Segment)` when a change was committed; `open_asked(Segment)` and `rename_asked(Segment)` from the menu."""

    saved = Signal(object)
    open_asked = Signal(object)
    rename_asked = Signal(object)

    def __init__(self, product: Product, calls: Calls, parent: QWidget) -> None:
        super().__init__(parent)
        self._product, self._calls, self._parent = product, calls, parent

    def menu(self, segment: Segment, following: Segment | None, at_ms: int | None = None) -> QMenu:
        """The menu of a segment; `following` is the one it can be merged with, `at_ms` where it may be split."""
        menu = QMenu(self._parent)

        def add(words: str, act: Callable[[], None], keys: str = "", *, on: bool = True) -> None:
            entry = menu.addAction(words)
            entry.setEnabled(on)
            entry.triggered.connect(act)
            if keys:
                entry.setShortcut(keys)

        add(_("Open in Activity"), lambda: self.open_asked.emit(segment), "Return")
        menu.addSeparator()
        add(_("Rename"), lambda: self.rename_asked.emit(segment), "F2")
        add(_("Note…"), lambda: self.edit_note(segment))
        add(_("Project…"), lambda: self.edit_project(segment))
        menu.addSeparator()
        add(_("Split…"), lambda: self.ask_split(segment, at_ms), on=not segment.open)
        add(_("Merge with the next"), lambda: self.merge(segment, following), on=following is not None)
        words = _("Show again") if segment.hidden else _("Hide")
        add(words, lambda: self.hide(segment, hidden=not segment.hidden))
        menu.addSeparator()
        add(_("Delete…"), lambda: self.delete(segment), "Del")
        return menu

    def show_menu(self, segment: Segment, following: Segment | None, place: QPoint, at_ms: int | None = None) -> None:
        """Open the menu at a place of the screen."""
        menu = self.menu(segment, following, at_ms)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    # -- fields --------------------------------------------------------------------------------------------------------

    def rename(self, segment: Segment, title: str) -> None:
        """Give it another title."""
        self._save(_("The title"), segment, title, self._product.segment_edits.rename, segment_title)

    def annotate(self, segment: Segment, note: str) -> None:
        """Write a note on it; an empty one removes the note."""
        self._save(_("The note"), segment, note, self._product.segment_edits.annotate, lambda each: each.note or "")

    def set_project(self, segment: Segment, project: str) -> None:
        """Put it to a project; an empty name takes it out."""
        edits = self._product.segment_edits
        self._save(_("The project"), segment, project, edits.set_project, lambda each: each.project or "")

    def edit_note(self, segment: Segment) -> None:
        """Ask for a note."""
        hint = _("For yourself; found by the search, never changed by a model.")
        dialog = FieldDialog(_("Note"), hint, segment.note or "", self._parent, lines=True)
        dialog.saved.connect(lambda text: self.annotate(segment, text))
        dialog.open()

    def edit_project(self, segment: Segment) -> None:
        """Ask for a project."""
        hint = _("Activities of one project stand together in reports.")
        dialog = FieldDialog(_("Project"), hint, segment.project or "", self._parent)
        dialog.saved.connect(lambda text: self.set_project(segment, text))
        dialog.open()

    def _save(self, field: str, segment: Segment, text: str, save: Save, read: Callable[[Segment], str]) -> None:
        if text == read(segment):
            return

        def failed(error: BinyError) -> None:
            if isinstance(error, StaleRevisionError):
                self._meet(field, segment, text, save, read)
            else:
                self._calls.failed.emit(error)

        self._calls.run(lambda: save(segment.id, text, segment.revision), self.saved.emit, failed, self)

    def _meet(self, field: str, segment: Segment, text: str, save: Save, read: Callable[[Segment], str]) -> None:
        """Somebody was faster: show both versions, save over the newer one when the person says so."""

        def ask(newer: Segment) -> None:
            if read(newer) == read(segment):  # something else of it changed: nothing is in the way
                self._save(field, newer, text, save, read)
                return
            dialog = ConflictDialog(field, text, read(newer), self._parent)
            dialog.kept.connect(lambda: self._save(field, newer, text, save, read))
            dialog.rejected.connect(lambda: self.saved.emit(newer))
            dialog.open()

        segments = self._product.segments
        self._calls.run(lambda: segments.segment(segment.id), ask, None, self)

    # -- borders, hiding, deleting -------------------------------------------------------------------------------------

    def ask_split(self, segment: Segment, at_ms: int | None = None) -> None:
        """Ask where to split it."""
        dialog = SplitDialog(segment, self._parent, at_ms)
        dialog.split_asked.connect(lambda at: self.split(segment, at))
        dialog.open()

    def split(self, segment: Segment, at_ms: int) -> None:
        """Make two of it."""
        edits = self._product.segment_edits
        self._calls.run(lambda: edits.split(segment.id, at_ms, segment.revision), self.saved.emit, None, self)

    def merge(self, segment: Segment, following: Segment | None) -> None:
        """Put it together with the next one."""
        if following is not None:
            edits, other = self._product.segment_edits, following.id
            self._calls.run(lambda: edits.merge(segment.id, other, segment.revision), self.saved.emit, None, self)

    def hide(self, segment: Segment, *, hidden: bool) -> None:
        """Leave it out of lists and reports, or bring it back; nothing is deleted."""
        edits = self._product.segment_edits
        self._calls.run(lambda: edits.hide(segment.id, hidden, segment.revision), self.saved.emit, None, self)

    def delete(self, segment: Segment) -> None:
        """Ask, with the counts first, and delete its frames and events for good."""
        words = _("{times}: {title}").format(times=segment_times(segment), title=segment_title(segment))
        only = Choice("segment", words, Selection.of_range(segment.start_ms, segment.end_ms + 1))
        DeleteDialog(self._product.deletes, self._calls, [only], segment.zone, self._parent).open()
