"""One turn on the command line: its text as it comes, or one JSON object when it is over."""

import sys
from typing import TYPE_CHECKING

import typer

from biny_desktop.cli.output import put, put_json
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable

    from biny_desktop.conversation.agent.model import TurnOutcome
    from biny_desktop.conversation.ports import Heard
    from biny_desktop.service.chat.desk import Chat

LOOK_S = 0.2
"""Between two looks whether the person pressed Ctrl-C."""
STOP_S = 30.0
"""A stopped turn may take so long to write its end."""


def answered(chat: "Chat", session_id: str, begin: "Callable[[], str]", *, as_json: bool) -> None:
    """Begin a turn and stay until it ends; Ctrl-C stops it, what came so far is kept.

    Raises:
        UnavailableError: there was no answer, and why. typer.Exit: 1 when it did not end with a whole answer.
    """
    from biny_desktop.service.chat.turn_words import turn_reason

    printer = _Printer(session_id, quiet=as_json)
    cancel = chat.listen(printer.hear)
    try:
        turn_id = begin()
        outcome = _waited(chat, session_id, turn_id)
    finally:
        cancel()
        printer.end()
    if outcome.status == "failed":
        raise UnavailableError(_("There is no answer"), turn_reason(outcome.stop_reason), "biny doctor")
    if as_json:
        put_json(_json(chat, session_id, turn_id, outcome))
    elif outcome.status != "completed":
        sys.stderr.write(turn_reason(outcome.stop_reason) + "\n")
    if outcome.status != "completed":
        raise typer.Exit(1)


class _Printer:
    """Writes the text of one session's turn to stdout as it comes, and to stderr what the tools do."""

    def __init__(self, session_id: str, *, quiet: bool) -> None:
        self._session_id, self._quiet = session_id, quiet
        self._open = False

    def hear(self, heard: "Heard") -> None:
        if self._quiet or heard.session_id != self._session_id:
            return
        if heard.kind == "delta":
            sys.stdout.write(heard.text)
            sys.stdout.flush()
            self._open = not heard.text.endswith("\n")
        elif heard.kind == "tool_started":
            self.end()
            sys.stderr.write(f"… {heard.name}\n")

    def end(self) -> None:
        """Close the line that is begun."""
        if self._open:
            put()
            self._open = False


def _waited(chat: "Chat", session_id: str, turn_id: str) -> "TurnOutcome":
    try:
        while True:
            outcome = chat.wait(turn_id, LOOK_S)
            if outcome is not None:
                return outcome
    except KeyboardInterrupt:
        chat.stop(session_id)
        outcome = chat.wait(turn_id, STOP_S)
        if outcome is None:
            raise
        return outcome


def _json(chat: "Chat", session_id: str, turn_id: str, outcome: "TurnOutcome") -> dict[str, object]:
    view = chat.view(session_id)
    waiting = [{"id": each.id, "tool": each.tool, "reason": each.reason} for each in view.approvals]
    leaf = next((each for each in _messages(view.items) if each["id"] == outcome.leaf_id), None)
    return {
        "session": session_id,
        "turn": turn_id,
        "status": outcome.status,
        "reason": outcome.stop_reason,
        "steps": outcome.steps,
        "message": outcome.leaf_id if leaf is not None else None,
        "text": "" if leaf is None else leaf["text"],
        "approvals": waiting,
    }


def _messages(items: object) -> "list[dict[str, object]]":
    from biny_desktop.service.chat.model import ShownMessage

    assert isinstance(items, tuple)
    shown = [each.message for each in items if isinstance(each, ShownMessage)]
    return [{"id": each.id, "text": each.content} for each in shown if each.role == "assistant"]
