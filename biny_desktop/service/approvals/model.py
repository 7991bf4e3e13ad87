"""What the inbox of approvals shows, and what a kind of it does."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from biny_desktop.core.anchors import Anchor
from biny_desktop.core.text import RedactedText

Which = Literal["open", "answered", "all"]
"""`answered`: also what expired before anybody answered."""
ItemStatus = Literal["open", "accepted", "refused", "never", "used", "expired"]
"""`used`: the call that was approved was done."""
Cursor: TypeAlias = tuple[int, str]
"""When the last item of a page was asked (UTC ms), and its id."""


@dataclass(frozen=True, slots=True)
class ApprovalItem:
    """Something that waits for a person, or was answered.

    `id` is `<kind>:<id>`, `title` one line that says what it is, `evidence` what is read before answering (`diff` or
    running `text`), `why` the reason given by who asks, `comes_from` in words where it is from, `source` the message it
    stands in. `effect` says what accepting does, in words. `editable`: accepted in other words; `never`: can be refused
    for ever. `turn_id` of the turn that waits. Times UTC ms.
    """

    id: str
    kind: str
    title: str
    evidence: RedactedText = field(repr=False)
    form: Literal["diff", "text"]
    status: ItemStatus
    asked_at_ms: int
    time_zone: str
    effect: str
    why: str = field(repr=False, default="")
    comes_from: str = ""
    source: Anchor | None = None
    expires_at_ms: int | None = None
    answered_at_ms: int | None = None
    editable: bool = False
    never: bool = False
    turn_id: str | None = None
    revision: int = 1


@dataclass(frozen=True, slots=True)
class ApprovalPage:
    """Items, newest first; `next` asks for the following page (None: the last one); `open` how many wait in all."""

    items: tuple[ApprovalItem, ...]
    next: Cursor | None
    open: int


def below(before: Cursor | None, kind: str) -> Cursor | None:
    """The cursor of a page as the rows of one kind compare it: (UTC ms, own id). Within one instant items stand by the
    name of their kind, later names first."""
    if before is None:
        return None
    other, _colon, ref = before[1].partition(":")
    return (before[0], ref) if other == kind else (before[0] + int(other > kind), "")


class Kind(Protocol):
    """One kind of approvals; `ref` is the id without the name of the kind. Thread-safe.

    Answers raise NotFoundError, StaleRevisionError where it changed meanwhile, and InvalidInputError where it was
    answered already or this kind knows no such answer.
    """

    @property
    def name(self) -> str:
        """Lower-case letters, the first part of ids."""
        ...

    def page(self, which: Which, limit: int, before: Cursor | None) -> Sequence[ApprovalItem]:
        """At most `limit` items, newest first, below that cursor (see `below`)."""
        ...

    def count_open(self) -> int:
        """How many wait."""
        ...

    def show(self, ref: str) -> ApprovalItem:
        """Raises NotFoundError."""
        ...

    def accept(self, ref: str, revision: int, text: str | None) -> None:
        """Accept it, in other words if `text` is given."""
        ...

    def refuse(self, ref: str, revision: int) -> None:
        """Refuse it, this time."""
        ...

    def never(self, ref: str, revision: int) -> None:
        """Refuse it, and do not ask again."""
        ...
