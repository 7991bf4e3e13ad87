"""`Approvals`: all kinds in one list, newest first; each answer goes to the kind that asked."""

from collections.abc import Sequence
from typing import Final

from biny_desktop.core.errors import NotFoundError
from biny_desktop.service.approvals.model import ApprovalItem, ApprovalPage, Cursor, Kind, Which

PAGE_MAX: Final = 200


class Approvals:
    """The inbox of one home. Thread-safe; every method may be slow (database)."""

    def __init__(self, kinds: Sequence[Kind]) -> None:
        self._kinds = {each.name: each for each in kinds}

    def page(
        self, kind: str | None = None, which: Which = "open", limit: int = 100, before: Cursor | None = None
    ) -> ApprovalPage:
        """A page of the inbox.

        Raises:
            NotFoundError: there is no such kind. StorageError: the database cannot be read.
        """
        limit = max(1, min(limit, PAGE_MAX))
        asked = self._kinds.values() if kind is None else [self._kind(kind)]
        found = [item for each in asked for item in each.page(which, limit + 1, before)]
        found.sort(key=_place, reverse=True)
        following = (found[limit - 1].asked_at_ms, found[limit - 1].id) if len(found) > limit else None
        return ApprovalPage(tuple(found[:limit]), following, sum(each.count_open() for each in asked))

    def count_open(self) -> int:
        """How many wait for a person, of all kinds; for the tray."""
        return sum(each.count_open() for each in self._kinds.values())

    def show(self, item_id: str) -> ApprovalItem:
        """One item as it is now. Raises NotFoundError."""
        kind, ref = self._parts(item_id)
        return kind.show(ref)

    def accept(self, item_id: str, revision: int, text: str | None = None) -> ApprovalItem:
        """Accept it, in other words if `text` is given; returns it as it is then.

        Raises:
            NotFoundError, StaleRevisionError, InvalidInputError: see `Kind`; nothing was changed.
        """
        kind, ref = self._parts(item_id)
        kind.accept(ref, revision, text)
        return kind.show(ref)

    def refuse(self, item_id: str, revision: int) -> ApprovalItem:
        """Refuse it; raises as `accept`."""
        kind, ref = self._parts(item_id)
        kind.refuse(ref, revision)
        return kind.show(ref)

    def never(self, item_id: str, revision: int) -> ApprovalItem:
        """Refuse it for ever; raises as `accept`."""
        kind, ref = self._parts(item_id)
        kind.never(ref, revision)
        return kind.show(ref)

    def _parts(self, item_id: str) -> tuple[Kind, str]:
        name, _colon, ref = item_id.partition(":")
        return self._kind(name), ref

    def _kind(self, name: str) -> Kind:
        if name not in self._kinds:
            raise NotFoundError("There is no such approval", "The list of approvals shows all.")
        return self._kinds[name]


def _place(item: ApprovalItem) -> tuple[int, str, int, str]:
    """By time, then kind, then id; ids that are numbers by their size."""
    ref = item.id.partition(":")[2]
    return item.asked_at_ms, item.kind, len(ref), ref
