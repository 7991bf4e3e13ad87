"""Where calls of tools happen in these tests: a log that holds what a test puts into it."""

from dataclasses import dataclass, field

from biny_desktop.conversation.model import Event, Execution, Message, TodoList
from biny_desktop.conversation.ports import Admission, ToolAnswer, ToolScene
from biny_desktop.core.settings import Settings, build
from biny_desktop.redaction import RedactionOptions, Redactor

_REDACTOR = Redactor(RedactionOptions())


def redactor() -> Redactor:
    return _REDACTOR


@dataclass
class HeldLog:
    """The reading half of `ConversationLog`."""

    done: list[Execution] = field(default_factory=list)
    list: TodoList = field(default_factory=TodoList)
    nodes: tuple[Message, ...] = ()
    noted: tuple[Event, ...] = ()

    def executions(self, session_id: str, turn_id: str | None = None) -> tuple[Execution, ...]:
        return tuple(each for each in self.done if turn_id in (None, each.turn_id))

    def todos(self, session_id: str) -> TodoList:
        return self.list

    def path(self, session_id: str, leaf_id: str | None = None) -> tuple[Message, ...]:
        return self.nodes

    def events(self, session_id: str, after: int = 0, turn_id: str | None = None) -> tuple[Event, ...]:
        return tuple(each for each in self.noted if each.seq > after)


def scene(log: HeldLog | None = None, run_id: str = "run-1", turn_id: str = "turn-1") -> ToolScene:
    return ToolScene(log or HeldLog(), "session-1", turn_id, run_id)  # type: ignore[arg-type]


def settings(**agent: object) -> Settings:
    return build({"agent": agent})  # type: ignore[dict-item]


def execution(tool: str, run_id: str = "run-0", **more: object) -> Execution:
    return Execution("op", "session-1", "turn-1", run_id, "call", tool, "{}", "", "file", "admitted", 0, **more)  # type: ignore[arg-type]


def admitted(found: Admission | ToolAnswer) -> Admission:
    assert isinstance(found, Admission), getattr(found, "content", "")
    return found


def refusal(found: Admission | ToolAnswer) -> str:
    """The words of a failed answer."""
    assert isinstance(found, ToolAnswer)
    assert found.status == "failed"
    assert found.events == ()
    return found.content
