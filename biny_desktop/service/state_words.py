"""Kinds and states in a word or two, where they stand in tables and in Doctor's lines; in the language spoken now."""

from collections.abc import Mapping
from typing import Final

from biny_desktop.core.i18n import _, mark

_INDEX_KINDS: Final[Mapping[str, str]] = {
    "frame": mark("Screen texts"),
    "segment": mark("Activities"),
    "message": mark("Chats"),
}
_INDEX_STATES: Final[Mapping[str, str]] = {
    "ready": mark("ready"), "empty": mark("empty"), "no_embedder": mark("no embedder"),
    "mismatch": mark("made by another embedder"), "rebuilding": mark("being rebuilt"),
}  # fmt: skip
_SEGMENT_STATES: Final[Mapping[str, str]] = {
    "pending": mark("waiting"), "analysed": mark("summarised"), "not_worth": mark("nothing to remember"),
    "skipped_trivial": mark("too short"), "skipped_no_model": mark("no model"), "skipped_private": mark("private"),
    "failed": mark("failed"),
}  # fmt: skip
_GAPS: Final[Mapping[str, str]] = {
    "away": mark("away"), "no_input": mark("no input"), "locked": mark("locked"), "asleep": mark("asleep"),
    "paused": mark("paused"), "private": mark("private"), "off": mark("recording off"), "stalled": mark("stalled"),
    "not_recorded": mark("not recorded"), "deleted": mark("deleted"),
}  # fmt: skip
_TASKS: Final[Mapping[str, str]] = {
    "activity_segment": mark("Summary of an activity"), "activity_narrative": mark("Account in a report"),
    "models_test": mark("Test"),
}  # fmt: skip
_OUTCOMES: Final[Mapping[str, str]] = {
    "ok": mark("answered"), "no_model": mark("no model"), "no_prompt": mark("a file is missing"),
    "timeout": mark("no answer in time"), "http": mark("server error"), "refused": mark("refused"),
    "empty": mark("empty answer"), "truncated": mark("cut off"), "invalid_json": mark("unreadable answer"),
    "invalid_shape": mark("answer of another form"), "stopped": mark("stopped"),
}  # fmt: skip


def index_kind(kind: str) -> str:
    """Of what rows an index is."""
    known = _INDEX_KINDS.get(kind)
    return _(known) if known else kind.replace("_", " ").capitalize()


def index_state(state: str) -> str:
    """How an index is."""
    return _said(_INDEX_STATES, state)


def segment_state(status: str) -> str:
    """What a model made of an activity, or why none did."""
    return _said(_SEGMENT_STATES, status)


def gap_cause(cause: str) -> str:
    """Why nothing was seen."""
    return _said(_GAPS, cause)


def task_words(task: str) -> str:
    """What a call of a model was for."""
    known = _TASKS.get(task)
    return _(known) if known else task.replace("_", " ").capitalize()


def outcome_words(outcome: str) -> str:
    """What came of a call."""
    return _said(_OUTCOMES, outcome)


def _said(table: Mapping[str, str], word: str) -> str:
    known = table.get(word)
    return _(known) if known else word.replace("_", " ")
