"""Memories of other tools in the inbox: what ChatGPT or Claude kept of the person; only the person takes it over."""

from collections.abc import Mapping, Sequence
from typing import Final

from biny_desktop.conversation.importers.memories import ImportedMemories, ImportedMemory
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import NotFoundError
from biny_desktop.core.i18n import _, mark
from biny_desktop.service.approvals.model import ApprovalItem, Cursor, ItemStatus, Which, below

TOOLS: Final[Mapping[str, str]] = {
    "chatgpt": "ChatGPT", "claude": "Claude", "claude_code": "Claude Code", "codex": "Codex",
}  # fmt: skip
_TITLES: Final = {
    "custom_instructions": mark("Custom instructions of {tool}"),
    "bio": mark("What {tool} remembered of you"),
    "memory": mark("What {tool} remembered of you"),
}
_STATUS: Final[Mapping[str, ItemStatus]] = {
    "open": "open", "accepted": "accepted", "refused": "refused", "never": "never",
}  # fmt: skip


class ImportedMemoryKind:
    """Implements `Kind` as `memory`."""

    name = "memory"

    def __init__(self, memories: ImportedMemories, clock: Clock) -> None:
        self._memories, self._clock = memories, clock

    def page(self, which: Which, limit: int, before: Cursor | None) -> Sequence[ApprovalItem]:
        """See `Kind`."""
        edge = below(before, self.name)
        found = self._memories.page(which, limit, None if edge is None else (edge[0], _number(edge[1] or "0")))
        zone = self._clock.stamp().zone
        return [_item(each, zone) for each in found]

    def count_open(self) -> int:
        """See `Kind`."""
        return self._memories.count_open()

    def show(self, ref: str) -> ApprovalItem:
        """See `Kind`."""
        return _item(self._memories.one(_number(ref)), self._clock.stamp().zone)

    def accept(self, ref: str, revision: int, text: str | None) -> None:
        """Take it over, in other words if `text` is given."""
        self._memories.answer(_number(ref), "accepted", revision, text)

    def refuse(self, ref: str, revision: int) -> None:
        """See `Kind`."""
        self._memories.answer(_number(ref), "refused", revision)

    def never(self, ref: str, revision: int) -> None:
        """See `Kind`."""
        self._memories.answer(_number(ref), "never", revision)


def _number(ref: str) -> int:
    if not ref.isdecimal() or len(ref) > len(str(2**62)):
        raise NotFoundError(mark("There is no such memory"), mark("Its import may have been undone."))
    return int(ref)


def _item(found: ImportedMemory, zone: str) -> ApprovalItem:
    tool = TOOLS.get(found.format, found.format)
    return ApprovalItem(
        id=f"{ImportedMemoryKind.name}:{found.id}",
        kind=ImportedMemoryKind.name,
        title=_(_TITLES.get(found.kind, _TITLES["memory"])).format(tool=tool),
        evidence=found.text,
        form="text",
        status=_STATUS[found.status],
        asked_at_ms=found.created_at_ms,
        time_zone=zone,
        effect=_("It is kept as something to remember of you; nothing else changes."),
        comes_from=f"{tool}, {found.place}" if found.place else tool,
        answered_at_ms=found.answered_at_ms,
        editable=True,
        never=True,
        revision=found.revision,
    )
