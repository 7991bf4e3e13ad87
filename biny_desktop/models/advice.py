"""What a failure of a model call means for a person, and what to do about it; the words are translated where shown."""

from dataclasses import dataclass
from typing import Final

from biny_desktop.core.i18n import mark
from biny_desktop.models.model import Failure, FailureKind


@dataclass(frozen=True, slots=True)
class Advice:
    """`what` happened, and what to do (`hint`, may be empty); both untranslated."""

    what: str
    hint: str = ""


_ADDRESS: Final = mark("Check the address; it often ends with /v1.")
_LARGER: Final = mark("Choose a more capable model.")
_BY_DETAIL: Final = {
    "unreachable": Advice(mark("The server cannot be reached."), mark("Start it, and check address and network.")),
    "disconnected": Advice(mark("The server broke off the connection."), mark("Try again; look at the server's log.")),
    "certificate": Advice(
        mark("The server's certificate is not trusted."), mark("Check the address, or the date of this machine.")
    ),
    "not_openai": Advice(mark("The server does not speak the OpenAI chat protocol."), _ADDRESS),
    "too_long": Advice(
        mark("The question is longer than the model can read."),
        mark("Give the model a longer context (8,000 tokens or more), or choose another."),
    ),
    "model_not_found": Advice(mark("The server has no model of that name."), mark("Choose one that it offers.")),
    "insufficient_quota": Advice(mark("The account has no credit left."), mark("Add credit at the provider.")),
    "key_unreadable": Advice(mark("The key of the server cannot be read."), mark("Set the key again.")),
}  # fmt: skip
_BY_STATUS: Final = {
    401: Advice(mark("The server wants another key."), mark("Set the key that the provider gave you.")),
    402: _BY_DETAIL["insufficient_quota"],
    403: Advice(mark("The server does not allow it."), mark("Check what the key may be used for.")),
    404: Advice(mark("The server knows no such page or model."), _ADDRESS),
    429: Advice(mark("The server is asked too often, or the account has no credit left."), mark("It is tried again.")),
}
_SERVER_FAULT: Final = Advice(mark("The server has a fault of its own."), mark("It is tried again."))
_OTHER_STATUS: Final = Advice(mark("The server refused the request."), mark("Look at the server's log."))
_BY_KIND: Final[dict[FailureKind, Advice]] = {
    "no_model": Advice(mark("No model is set."), mark("Set one on the page Models.")),
    "no_prompt": Advice(mark("A file of the program is missing or damaged."), mark("Install the program again.")),
    "timeout": Advice(
        mark("The model did not answer in time."), mark("A smaller model answers sooner; it is tried again.")
    ),
    "http": _OTHER_STATUS,
    "refused": Advice(mark("The model refused to answer.")),
    "empty": Advice(mark("The model gave an empty answer."), _LARGER),
    "truncated": Advice(mark("The answer was cut off."), mark("Choose a model that reasons less or answers shorter.")),
    "invalid_json": Advice(mark("The model answers, but not in the form asked for."), _LARGER),
    "invalid_shape": Advice(mark("The model answers, but not in the form asked for."), _LARGER),
    "stopped": Advice(mark("Stopped.")),
}


def advice(failure: Failure) -> Advice:
    """What to tell a person about a failure; never empty."""
    if failure.kind != "http":
        return _BY_KIND[failure.kind]
    if failure.detail in _BY_DETAIL:
        return _BY_DETAIL[failure.detail]
    if failure.status in _BY_STATUS:
        return _BY_STATUS[failure.status]
    return _SERVER_FAULT if failure.status is None or failure.status >= 500 else _OTHER_STATUS
