"""How turns and effects of tools stand, in words a person reads; in the language spoken now."""

from collections.abc import Mapping
from typing import Final

from biny_desktop.core.i18n import _, mark

_STATUS: Final[Mapping[str, str]] = {
    "completed": mark("answered"), "cancelled": mark("stopped"), "failed": mark("failed"),
    "incomplete": mark("not finished"), "blocked": mark("waiting for you"),
}  # fmt: skip
_REASONS: Final[Mapping[str, str]] = {
    "answered": mark("There is an answer."),
    "length": mark("The answer was cut at its longest."),
    "stopped": mark("It was stopped."),
    "new_message": mark("A new message was written instead."),
    "retried": mark("It was begun anew."),
    "repeated_action": mark("The model did the same thing again and again."),
    "exhausted": mark("No steps are left."),
    "time": mark("It took too long."),
    "approval": mark("Something waits for your approval."),
    "unknown_effect": mark("It is not known whether a step was done; look, and say which."),
    "too_long": mark("The chat does not fit the model; sum it up or fork it."),
    "checkpoint": mark("The state of the turn could not be written."),
    "read_only": mark("A summary could not be written; open the chat again."),
    "storage": mark("The chat could not be written."),
    "internal": mark("That is a fault of the program; see the log."),
    "broken": mark("The answer broke off."),
    "silent": mark("The model fell silent."),
    "left": mark("The app was closed before the end."),
    "no_model": mark("No model is set for chats."),
    "no_prompt": mark("A file of the program is missing."),
    "timeout": mark("The model gave no answer in time."),
    "http": mark("The model's server gave no answer."),
    "refused": mark("The model refused."),
    "empty": mark("The answer was empty."),
    "truncated": mark("The answer was cut off."),
    "checkpoint_damaged": mark("The state of an interrupted turn is damaged; write a new message."),
    "environment_unavailable": mark("The state of an interrupted turn does not fit this chat any more."),
    "unsafe_action_required": mark("It is not known whether a step was done; look, and say which."),
    "missing_user_input": mark("Something waits for your approval."),
}  # fmt: skip
_TOOLS: Final[Mapping[str, str]] = {
    "succeeded": mark("done"), "failed": mark("failed"), "cancelled": mark("not done"), "unknown": mark("not known"),
}  # fmt: skip


def turn_status(status: str) -> str:
    """How a turn stands."""
    return _said(_STATUS, status)


def turn_reason(reason: str) -> str:
    """Why it stands so, as a sentence; empty for no reason."""
    return _said(_REASONS, reason) if reason else ""


def tool_status(status: str | None) -> str:
    """What a call came to."""
    return _("under way") if status is None else _said(_TOOLS, status)


def _said(words: Mapping[str, str], key: str) -> str:
    known = words.get(key)
    return _(known) if known else key.replace("_", " ")
