"""Slots and states of models in words."""

from collections.abc import Mapping
from typing import get_args

from biny_desktop.core.i18n import _, mark
from biny_desktop.models.model import Failure, FailureKind, IndexStatus, Slot
from biny_desktop.models.presets import Preset
from biny_desktop.service.models_care import SlotState
from biny_desktop.storage.keys import KeyPlace

_SLOTS: Mapping[Slot, tuple[str, str]] = {
    "small": (mark("Small model"), mark("summaries of activities, accounts in reports")),
    "chat": (mark("Conversation"), mark("accounts in reports, when there is no small one")),
    "rewrite": (mark("Rewriting"), mark("nothing asks it yet")),
}
_STATES: Mapping[str, tuple[str, str]] = {
    "unset": (mark("not connected"), "muted"),
    "no_name": (mark("no model chosen"), "warn"),
    "bad_address": (mark("address cannot be used"), "bad"),
    "no_key": (mark("key missing"), "warn"),
    "ready": (mark("connected"), "ok"),
}
_INDEX: Mapping[str, str] = {
    "ready": mark("ready"),
    "empty": mark("nothing prepared yet"),
    "no_embedder": mark("no embedder"),
    "mismatch": mark("made by another embedder"),
    "rebuilding": mark("being rebuilt"),
}


def slot_name(slot: Slot) -> str:
    """What a slot is called."""
    return _(_SLOTS[slot][0])


def slot_use(slot: Slot) -> str:
    """What its model is used for."""
    return _(_SLOTS[slot][1])


def state_words(state: SlotState) -> tuple[str, str]:
    """The state of a slot, and the role of the style sheet it is said in."""
    words, role = _STATES[state.state]
    return _(words), role


def key_words(place: KeyPlace) -> str:
    """Where a key is kept."""
    return {
        "keyring": _("kept in the keyring"),
        "file": _("kept in a file beside the settings"),
        "none": _("none"),
    }[place]


def preset_words(preset: Preset) -> str:
    """A well-known server, and whether it is this machine."""
    name = _(preset.name) if preset.id == "other" else preset.name
    if preset.id == "other":
        return _("Another server")
    return _("{name} (this machine)").format(name=name) if preset.local else name


def failure_of(reason: str) -> Failure:
    """The typed failure that a row keeps as a word; words of other origin count as a server error."""
    kinds: tuple[FailureKind, ...] = get_args(FailureKind)
    return Failure(next((kind for kind in kinds if kind == reason), "http"))


def index_words(status: IndexStatus) -> str:
    """How an index is, in a few words."""
    if status.state == "ready" and status.pending:
        return _("catching up")
    return _(_INDEX[status.state])
