"""`todo_write`: the whole to-do list of this chat."""

from typing import Final

from pydantic import Field

from biny_desktop.conversation import todos
from biny_desktop.conversation.model import (
    TODO_CHARS_MAX,
    TODOS_MAX,
    Effect,
    Execution,
    Message,
    Todo,
    TodoStatus,
    ToolStatus,
)
from biny_desktop.conversation.ports import Admission, ToolAnswer, ToolScene
from biny_desktop.conversation.session_events import TodosReplaced
from biny_desktop.conversation.tools.answers import Arguments, Redacting, checked, fault, spec
from biny_desktop.core.errors import BinyError
from biny_desktop.models.model import ToolSpec
from biny_desktop.redaction import joined, safe_constant
from biny_desktop.storage.rows import JsonValue

NAME: Final = "todo_write"


class Item(Arguments):
    """One item."""

    content: str = Field(min_length=1, max_length=TODO_CHARS_MAX, description="What is to be done.")
    status: TodoStatus = Field("pending", description="At most one item is in_progress.")


class TodoArguments(Arguments):
    """Arguments of `todo_write`."""

    items: list[Item] = Field(max_length=TODOS_MAX, description="The whole list, in order; empty clears it.")


class TodoWrite:
    """Replaces the list as a whole, in the transaction of its result. Thread-safe."""

    def __init__(self, redactor: Redacting) -> None:
        self._redactor = redactor

    @property
    def spec(self) -> ToolSpec:
        words = (
            "Write the to-do list of this chat, always as a whole. For work of several steps: mark an item in_progress "
            "when you begin it, completed only when it is really done."
        )
        return spec(NAME, words, TodoArguments)

    @property
    def effect(self) -> Effect:
        return "local"

    def admit(self, arguments: str, scene: ToolScene) -> Admission | ToolAnswer:
        given = checked(TodoArguments, arguments, self._redactor)
        if isinstance(given, ToolAnswer):
            return given
        redactor = self._redactor()
        items: list[JsonValue] = [
            {"content": redactor.plain(each.content), "status": each.status} for each in given.items
        ]
        return Admission({"items": items})

    def run(self, admission: Admission, scene: ToolScene) -> ToolAnswer:
        items = tuple(
            Todo(each.content, each.status) for each in TodoArguments.model_validate(dict(admission.args)).items
        )
        present = scene.log.todos(scene.session_id)
        if _changed_by_user(scene):
            shown = todos.section(present)
            words = safe_constant("The person changed the list since this step began. Nothing was written.")
            return ToolAnswer("failed", words if shown is None else joined((words, shown)))
        try:
            event = todos.replacing(present, items, present.revision, "agent")
        except BinyError as error:
            return fault(self._redactor, error)
        done = sum(each.status == "completed" for each in items)
        said = self._redactor().plain(f"Written: {len(items)} items, {done} completed.")
        return ToolAnswer("succeeded", said, (event,))

    def found(self, execution: Execution) -> ToolStatus:
        del execution
        return "cancelled"  # effect and result are one transaction


def _changed_by_user(scene: ToolScene) -> bool:
    """Whether the person wrote the list after the model was last shown it, which is when the answer began."""
    path = scene.log.path(scene.session_id)
    shown = _shown_at(path)
    return any(
        each.type == TodosReplaced.type and each.payload.get("by") == "user"
        for each in scene.log.events(scene.session_id, after=shown)
    )


def _shown_at(path: tuple[Message, ...]) -> int:
    """The seq of the last node that the request behind the present step held."""
    rest = list(path)
    while rest and rest[-1].role != "user":
        if rest.pop().role == "assistant":
            break
    return rest[-1].seq if rest else 0
