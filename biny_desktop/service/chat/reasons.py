"""Why nothing can be sent in a chat, or it cannot be summed up, as an error a person reads."""

from typing import Final

from biny_desktop.conversation.model import CompactionFault
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.i18n import mark
from biny_desktop.service.chat.model import NotSending

_SAID: Final[dict[NotSending, tuple[str, str, str]]] = {
    "no_model": (
        mark("No model is set for chats"), mark("Nothing was sent."), mark("Choose a model on the page Models."),
    ),
    "running": (
        mark("An answer is being written in this chat"), mark("Nothing was changed."), mark("Stop it first."),
    ),
    "running_elsewhere": (
        mark("Another program answers in this chat"), mark("Nothing was changed."), mark("Wait until it is done."),
    ),
    "full": (
        mark("This chat is full"), mark("Nothing was sent."), mark("Fork it and go on in the new one."),
    ),
    "read_only": (
        mark("This chat can only be read"), mark("Its state could not be written."), mark("Open it again."),
    ),
    "closing": (mark("The app closes"), mark("Nothing was sent."), ""),
}  # fmt: skip


def refused(why: NotSending) -> UnavailableError:
    """The error for it."""
    return UnavailableError(*_SAID[why])


_NOT_COMPACTED: Final[dict[CompactionFault, str]] = {
    "no_model": mark("No model is set for it."),
    "provider_error": mark("The model's server gave no answer."),
    "incomplete_response": mark("The answer broke off."),
    "output_truncated": mark("The answer was longer than allowed, twice."),
    "invalid_structure": mark("The answer was not in the form that was asked for."),
    "invalid_evidence": mark("The answer named sources that do not exist."),
    "empty_summary": mark("The answer held nothing."),
    "input_budget": mark("The chat does not fit the model, not even in parts."),
    "no_savings": mark("A summary would not be shorter than what it stands for."),
}


def not_compacted(kind: CompactionFault) -> UnavailableError:
    """The error for a summary that was asked for by hand and not made."""
    return UnavailableError(
        mark("The chat was not summed up"), _NOT_COMPACTED[kind], mark("Nothing was changed. Try again.")
    )
