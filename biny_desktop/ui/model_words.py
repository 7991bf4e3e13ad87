"""Slots, states, tasks and outcomes of models in words."""

from collections.abc import Mapping
from typing import get_args

from biny_desktop.core.i18n import _, mark
from biny_desktop.models.model import Failure, FailureKind, IndexStatus, Slot
from biny_desktop.models.presets import Preset
from biny_desktop.service.models_care import SlotState
from biny_desktop.storage.keys import KeyPlace

_SLOTS: Mapping[Slot, tuple[str, str]] = {
    "small": (mark("Small"), mark("summaries of activities, accounts in reports")),
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
_TASKS: Mapping[str, str] = {
    "activity_segment": mark("Summary of an activity"),
    "activity_narrative": mark("Account in a report"),
    "models_test": mark("Test"),
}
_OUTCOMES: Mapping[str, str] = {
    "ok": mark("answered"),
    "no_model": mark("no model"),
    "no_prompt": mark("a file is missing"),
    "timeout": mark("no answer in time"),
    "http": mark("server error"),
    "refused": mark("refused"),
    "empty": mark("empty answer"),
    "truncated": mark("cut off"),
    "invalid_json": mark("unreadable answer"),
    "invalid_shape": mark("answer of another form"),
    "stopped": mark("stopped"),
}
_INDEX: Mapping[str, str] = {
    "ready": mark("ready"),
    "empty": mark("nothing prepared yet"),
    "no_embedder": mark("no embedder"),
    "mismatch": mark("made by another embedder"),
    "rebuilding": mark("being rebuilt"),
}
_KINDS: Mapping[str, str] = {"frame": mark("Screen texts"), "segment": mark("Activities")}


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


def task_words(task: str) -> str:
    """What a call was for."""
    known = _TASKS.get(task)
    return _(known) if known else task.replace("_", " ").capitalize()


def outcome_words(outcome: str) -> str:
    """What came of a call."""
    known = _OUTCOMES.get(outcome)
    return _(known) if known else outcome.replace("_", " ")


def failure_of(reason: str) -> Failure:
    """The typed failure that a row keeps as a word; words of other origin count as a server error."""
    kinds: tuple[FailureKind, ...] = get_args(FailureKind)
    return Failure(next((kind for kind in kinds if kind == reason), "http"))


def index_kind(kind: str) -> str:
    """Of what rows an index is."""
    known = _KINDS.get(kind)
    return _(known) if known else kind.replace("_", " ").capitalize()


def index_words(status: IndexStatus) -> str:
    """How an index is, in a few words."""
    if status.state == "ready" and status.pending:
        return _("catching up")
    return _(_INDEX[status.state])
