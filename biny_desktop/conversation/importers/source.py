"""A conversation as a source has it, before it is tidied: nodes in any order, some to be left out, times unread."""

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from biny_desktop.conversation.drafts import AttachedFile
from biny_desktop.conversation.model import MessageState, Role, Span, ToolStatus, Usage
from biny_desktop.models.model import ToolCall
from biny_desktop.storage.rows import JsonValue

Format = Literal["chatgpt", "claude", "claude_code", "codex", "plain", "own"]
FORMATS: Final[tuple[Format, ...]] = ("chatgpt", "claude", "claude_code", "codex", "own", "plain")
"""In the order in which a folder that holds several is read as one of them."""
Fault = Literal["bad_json", "no_id", "unknown_role", "empty", "cycle", "dangling_parent", "bad_time", "too_large"]
"""Kinds of malformed records (spec 05 §10)."""
PLACES_MAX: Final = 20
"""Places told of each kind of fault (spec 05 §10)."""


@dataclass(frozen=True, slots=True)
class OwnParts:
    """What only our own export knows of a message; ids are those of the export."""

    spans: tuple[Span, ...] = ()
    zone: str = ""
    estimated: bool = False
    raw_time: str = ""
    turn_id: str | None = None
    run_id: str | None = None
    reasoning: str = field(repr=False, default="")
    tool_calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None
    tool_status: ToolStatus | None = None
    state: MessageState = "complete"
    reply_to: str | None = None
    retry_of: str | None = None
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """What a kept node says. `mine`: a person may have typed it; False for user lines that a program or model wrote."""

    role: Role
    text: str = field(repr=False)
    attachments: tuple[AttachedFile, ...] = ()
    mine: bool = True
    model: str | None = None
    own: OwnParts | None = None


@dataclass(slots=True)
class SourceNode:
    """A record of a conversation. `said` None: it is left out for the reason `skip` (or silently, if that is empty) and
    its children move up. `time` as the source has it."""

    id: str
    parent: str | None
    said: Said | None = None
    skip: str = ""
    time: JsonValue = None
    place: str = ""
    kept: bool = False


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """What the other tool remembered about the person; `kind` custom_instructions, bio or memory.

    `holds`: one memory, one a line, or statements (paragraphs and list items). It is cut only after secrets were
    hidden in it: a line of a key alone looks like nothing.
    """

    kind: str
    text: str = field(repr=False)
    time: JsonValue = None
    place: str = ""
    holds: Literal["one", "lines", "statements"] = "one"


@dataclass(slots=True)
class OwnSession:
    """What only our own export knows of a session. `selected` are ids of messages."""

    title_by: Literal["rule", "user", "import"] = "import"
    project: str = ""
    learn: bool | None = None
    recall: bool | None = None
    selected: list[str] = field(default_factory=list)


@dataclass(slots=True)
class SourceConversation:
    """A conversation as read. `current` is the id of the node that the source shows last, None: not said. `place` says
    where it stands, in words of the program and names of files."""

    id: str
    title: str = field(repr=False, default="")
    created: JsonValue = None
    folder: str = ""
    nodes: list[SourceNode] = field(default_factory=list)
    current: str | None = None
    place: str = ""
    memories: list[FoundMemory] = field(default_factory=list)
    own: OwnSession | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A malformed record: what is wrong, and where."""

    kind: Fault
    place: str


class Tally:
    """What was left out and why, over a whole import."""

    def __init__(self) -> None:
        self.skipped: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.problems: list[Problem] = []

    def skip(self, reason: str, n: int = 1) -> None:
        """Records left out on purpose."""
        self.skipped[reason] += n

    def fault(self, kind: Fault, place: str) -> None:
        """A malformed record; of each kind the first places are kept."""
        self.faults[kind] += 1
        if self.faults[kind] <= PLACES_MAX:
            self.problems.append(Problem(kind, place))


def in_line(nodes: Sequence[SourceNode]) -> None:
    """Make each node the child of the one before it, for sources without branches."""
    for before, node in itertools.pairwise(nodes):
        node.parent = before.id
