"""The to-do list of a session: written only as a whole, at the revision that was seen (spec 05 §6)."""

from collections.abc import Sequence
from typing import Final, Literal

from biny_desktop.conversation.model import TODO_CHARS_MAX, TODOS_MAX, Todo, TodoList
from biny_desktop.conversation.session_events import NewEvent, TodoData, TodosReplaced
from biny_desktop.core.errors import InvalidInputError, StaleRevisionError
from biny_desktop.core.i18n import mark
from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import from_row, joined, safe_constant

_SIGNS: Final = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}
_RULES: Final = safe_constant(
    "To-dos of this chat. Mark an item in_progress when you begin it and completed only when it is really done; "
    "never report the work as finished while items remain."
)
_TITLE: Final = mark("The to-do list was not changed")


def replacing(present: TodoList, items: Sequence[Todo], revision: int, by: Literal["user", "agent"]) -> NewEvent:
    """The event that writes a list; an empty one clears it.

    Args:
        items: their contents redacted. revision: of the list that was seen.

    Raises:
        InvalidInputError: too many, an empty or too long one, an unknown status, two in progress.
        StaleRevisionError: the list was changed since.
    """
    if revision != present.revision:
        raise StaleRevisionError(_TITLE, mark("Somebody else changed it meanwhile."), mark("Read it again."))
    if len(items) > TODOS_MAX:
        raise InvalidInputError(_TITLE, mark("It may have 50 items."))
    for each in items:
        if not each.content.strip() or len(each.content) > TODO_CHARS_MAX:
            raise InvalidInputError(_TITLE, mark("An item has 1 to 500 characters."))
        if each.status not in _SIGNS:
            raise InvalidInputError(_TITLE, mark("An item is pending, in_progress or completed."))
    if sum(each.status == "in_progress" for each in items) > 1:
        raise InvalidInputError(_TITLE, mark("Only one item may be in progress."))
    data = tuple(TodoData(content=each.content.strip(), status=each.status) for each in items)
    return NewEvent(TodosReplaced(items=data, revision=present.revision + 1, by=by))


def section(todos: TodoList) -> RedactedText | None:
    """What a prompt says of the list; None while it is empty."""
    if not todos.items:
        return None
    lines = [from_row(f"{_SIGNS[each.status]} {each.content}") for each in todos.items]
    return joined([_RULES, *lines])


def open_count(todos: TodoList) -> int:
    """How many items are not completed."""
    return sum(each.status != "completed" for each in todos.items)
