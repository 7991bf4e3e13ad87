"""Filters of a search of messages as a person writes them: `after:7d role:user source:import project:"my boat"`.

Times mean what they mean in a search of screens (spec 03 §6.2), so that the same words do the same everywhere.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from biny_desktop.activity.search_query import parse
from biny_desktop.conversation.project_store import Project
from biny_desktop.conversation.search.model import MessageFilters
from biny_desktop.core.clock import Stamp
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.i18n import _

TIMES: Final = ("on", "after", "before")
KEYS: Final = (*TIMES, "role", "source", "project", "chat")
"""What `x:` may be in a search of messages."""
ROLES: Final = ("user", "assistant")


def message_filters(
    pairs: Iterable[tuple[str, str]],
    now: Stamp,
    day_start: str,
    projects: Iterable[Project] = (),
    beside: MessageFilters | None = None,
) -> MessageFilters:
    """What written filters mean.

    Args:
        pairs: key and value, keys of `KEYS`. now, day_start: what days are counted from. projects: to find a name in,
        in any case; an id is taken as well. beside: filters that hold as well.

    Raises:
        InvalidInputError: a value means nothing.
    """
    out = beside or MessageFilters()
    for key, value in pairs:
        if key in TIMES:
            out = _at(out, f"{key}:{value}", now, day_start)
        elif key == "role" and value.lower() in ROLES:
            out = replace(out, role="user" if value.lower() == "user" else "assistant")
        elif key == "source":
            out = replace(out, source=value)
        elif key == "chat":
            out = replace(out, session_id=value)
        elif key == "project":
            out = replace(out, project_id=_project(value, projects))
        else:
            raise _meaningless(f"{key}:{value}")
    return out


def _at(filters: MessageFilters, written: str, now: Stamp, day_start: str) -> MessageFilters:
    query = parse(written, now, day_start, frozenset(TIMES))
    if query.after_ms is None and query.before_ms is None:
        raise _meaningless(written)
    starts = [each for each in (filters.from_ms, query.after_ms) if each is not None]
    ends = [each for each in (filters.to_ms, query.before_ms) if each is not None]
    return replace(filters, from_ms=max(starts, default=None), to_ms=min(ends, default=None))


def _project(value: str, projects: Iterable[Project]) -> str:
    """The id of a project; a name that none has finds nothing, as an id would."""
    named = [each.id for each in projects if each.name.casefold() == value.casefold()]
    return named[0] if named else value


def _meaningless(written: str) -> InvalidInputError:
    hint = _("Days are written as today, 7d or 2026-03-12; roles are user and assistant.")
    return InvalidInputError(_("This filter means nothing"), written, hint)
