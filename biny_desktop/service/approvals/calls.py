"""Exact calls of chats in the inbox: what a tool would do, with its full diff."""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from biny_desktop.conversation import approval_store
from biny_desktop.conversation.approval_store import FoundApproval
from biny_desktop.conversation.approvals import ShownStatus, shown_status
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import InvalidInputError, NotFoundError
from biny_desktop.core.i18n import _
from biny_desktop.service.approvals.model import ApprovalItem, Cursor, ItemStatus, Which, below
from biny_desktop.storage.database import Database
from biny_desktop.storage.rows import read_json

_STATUS: Final[Mapping[ShownStatus, ItemStatus]] = {
    "open": "open", "approved": "accepted", "refused": "refused", "used": "used", "expired": "expired",
}  # fmt: skip


class Answering(Protocol):
    """Takes the answer to an exact call, so that the waiting turn goes on (`service.chat`)."""

    def answer(self, session_id: str, approval_id: str, *, approve: bool, revision: int) -> None:
        """Allow or refuse one exact call."""
        ...


class ExactCallKind:
    """Implements `Kind` as `call`."""

    name = "call"

    def __init__(self, db: Database, answering: Answering, clock: Clock) -> None:
        self._db, self._answering, self._clock = db, answering, clock

    def page(self, which: Which, limit: int, before: Cursor | None) -> Sequence[ApprovalItem]:
        """See `Kind`."""
        now = self._clock.now_ms()
        with self._db.read() as r:
            found = approval_store.page(r, which, now, limit, below(before, self.name))
        return [_item(each, now) for each in found]

    def count_open(self) -> int:
        """See `Kind`."""
        with self._db.read() as r:
            return approval_store.count_open(r, self._clock.now_ms())

    def show(self, ref: str) -> ApprovalItem:
        """See `Kind`."""
        return _item(self._found(ref), self._clock.now_ms())

    def accept(self, ref: str, revision: int, text: str | None) -> None:
        """Allow exactly this call. Raises InvalidInputError for another text: it would be another call."""
        if text is not None:
            raise InvalidInputError("A call cannot be edited", "It is allowed as it is, or not.")
        self._answer(ref, revision, approve=True)

    def refuse(self, ref: str, revision: int) -> None:
        """See `Kind`."""
        self._answer(ref, revision, approve=False)

    def never(self, ref: str, revision: int) -> None:
        """Raises InvalidInputError: every call is asked for on its own."""
        raise InvalidInputError("A call is refused once only", "Every call is asked for on its own.", "Refuse it.")

    def _answer(self, ref: str, revision: int, *, approve: bool) -> None:
        found = self._found(ref).approval
        self._answering.answer(found.session_id, found.id, approve=approve, revision=revision)

    def _found(self, ref: str) -> FoundApproval:
        with self._db.read() as r:
            found = approval_store.one(r, ref)
        if found is None:
            raise NotFoundError("There is no such approval", "Its chat may have been deleted.")
        return found


def _item(found: FoundApproval, now_ms: int) -> ApprovalItem:
    approval = found.approval
    path = _path(approval.args)
    source = found.message_id and Anchor("message", found.message_id, approval.asked_at_ms, found.time_zone)
    is_file = approval.tool == "write_file"
    return ApprovalItem(
        id=f"{ExactCallKind.name}:{approval.id}",
        kind=ExactCallKind.name,
        title=_("Write {path}").format(path=path) if is_file else _("Use the tool {name}").format(name=approval.tool),
        evidence=approval.shown,
        form="diff" if is_file else "text",
        status=_STATUS[shown_status(approval, now_ms)],
        asked_at_ms=approval.asked_at_ms,
        time_zone=found.time_zone,
        effect=_("Exactly this change is written, once; the answer in the chat then goes on.")
        if is_file
        else _("Exactly this call is made, once; the answer in the chat then goes on."),
        why=approval.reason,
        comes_from=found.chat or _("A chat without a title"),
        source=source or None,
        expires_at_ms=approval.expires_at_ms,
        answered_at_ms=approval.answered_at_ms,
        turn_id=approval.turn_id,
        revision=approval.revision,
    )


def _path(args: str) -> str:
    value = read_json(args)
    path = value.get("path") if isinstance(value, dict) else None
    return path if isinstance(path, str) else "…"
