"""Words for imports: formats, states, what was left out and why, what was malformed, what an import does, in lines."""

from collections.abc import Mapping
from typing import Final

from biny_desktop.conversation.importers.model import BatchState, Counts, RollbackReport
from biny_desktop.core.i18n import _, listed, mark, ngettext
from biny_desktop.ui.facts import Fact
from biny_desktop.ui.formats import number

_FORMATS: Final = {
    "chatgpt": mark("ChatGPT export"),
    "claude": mark("Claude export"),
    "claude_code": mark("Claude Code logs"),
    "codex": mark("Codex logs"),
    "plain": mark("Transcript"),
    "own": mark("Biny export"),
}
_REASONS: Final = {
    "system": mark("rules of the tool"),
    "developer": mark("rules of the tool"),
    "instructions": mark("instructions that nobody typed"),
    "meta": mark("instructions that nobody typed"),
    "tool": mark("tool results"),
    "tool_call": mark("tool calls"),
    "code": mark("code that was run"),
    "execution_output": mark("output of code"),
    "browsing": mark("web pages"),
    "thoughts": mark("the model's thoughts"),
    "reasoning": mark("the model's thoughts"),
    "hidden": mark("hidden messages"),
    "memory": mark("notes to a memory"),
    "command": mark("commands"),
    "summary": mark("summaries that a model wrote"),
    "sidechain": mark("work of helpers"),
    "subagent": mark("chats of helpers"),
    "repeated": mark("repeated records"),
    "error": mark("error messages"),
    "other_role": mark("other speakers"),
    "other_type": mark("records of other kinds"),
    "other_content": mark("contents of other kinds"),
    "other_format": mark("files of other tools"),
    "compressed": mark("compressed files (unpack them first)"),
    "still_being_written": mark("lines still being written (read next time)"),
}
_FAULTS: Final = {
    "bad_json": mark("unreadable"),
    "no_id": mark("without an id"),
    "unknown_role": mark("nobody known speaks"),
    "empty": mark("empty"),
    "cycle": mark("going in a circle"),
    "dangling_parent": mark("what it answers is missing"),
    "bad_time": mark("an impossible time"),
    "too_large": mark("too large"),
}
_STATES: Final[dict[BatchState, str]] = {
    "running": mark("under way"),
    "done": mark("done"),
    "cancelled": mark("stopped"),
    "failed": mark("came to no end"),
    "rolled_back": mark("undone"),
}
_DOT: Final = "\N{NO-BREAK SPACE}· "
STAYED_MAX: Final = 12
"""Titles of chats that stay which a dialog has room for."""


def state_words(state: BatchState) -> str:
    """How an import ended."""
    return _(_STATES[state])


def format_words(name: str) -> str:
    """A format as a person reads it."""
    return _(_FORMATS[name]) if name in _FORMATS else name


def fault_words(kind: str) -> str:
    """A kind of malformed records."""
    return _(_FAULTS[kind]) if kind in _FAULTS else kind


def left_out_words(skipped: Mapping[str, int]) -> str:
    """What was left out on purpose, most first; reasons that read alike are one."""
    return _listed({name: _(_REASONS.get(name, name)) for name in skipped}, skipped)


def malformed_words(malformed: Mapping[str, int]) -> str:
    """What was malformed, most first."""
    return _listed({name: fault_words(name) for name in malformed}, malformed)


def count_facts(counts: Counts) -> list[Fact]:
    """What an import does or did, in lines; what is nought is left out."""
    chats = [
        words.format(n=number(n))
        for words, n in ((_("{n} new"), counts.sessions_new), (_("{n} that grow"), counts.sessions_grown))
        if n
    ]
    lines = [
        Fact(_("Chats"), ", ".join(chats) or _("none is new")),
        Fact(_("Messages"), _("{n} new").format(n=number(counts.messages_new))),
    ]
    more = (
        (_("Other versions"), counts.branches, _("one can switch to them")),
        (_("Already here"), counts.already_here, ""),
        (_("Changed"), counts.changed, _("their text is another one in the source; yours stays")),
        (_("Deleted here"), counts.deleted_here, _("they stay away unless you bring them back")),
        (_("Memories"), counts.memories, _("they wait in Approvals until you answer")),
    )
    return [*lines, *(Fact(name, _DOT.join(filter(None, (number(n), said)))) for name, n, said in more if n)]


def amounts(chats: int, messages: int, memories: int) -> list[str]:
    """So many of each, in words; memories only where there are any."""
    parts = [
        ngettext("{n} chat", "{n} chats", chats).format(n=number(chats)),
        ngettext("{n} message", "{n} messages", messages).format(n=number(messages)),
    ]
    if memories:
        parts.append(ngettext("{n} memory", "{n} memories", memories).format(n=number(memories)))
    return parts


def undone_facts(done: RollbackReport) -> list[Fact]:
    """What undoing an import took, and which chats stay since the person wrote on in them."""
    lines = [Fact(_("Taken out"), listed(amounts(done.sessions, done.messages, done.memories)))]
    if done.stayed:
        titles = [title or session_id for session_id, title in done.stayed]
        shown, more = titles[:STAYED_MAX], len(titles) - STAYED_MAX
        words = "\n".join([*shown, _("and {n} more").format(n=number(more))] if more > 0 else shown)
        lines.append(Fact(_("Stay"), words, _("You wrote on in these chats"), role="warn"))
    return lines


def _listed(words: Mapping[str, str], counts: Mapping[str, int]) -> str:
    sums: dict[str, int] = {}
    for name, n in counts.items():
        sums[words[name]] = sums.get(words[name], 0) + n
    ordered = sorted(sums.items(), key=lambda each: (-each[1], each[0]))
    return _DOT.join(_("{what} {n}").format(what=what, n=number(n)) for what, n in ordered)
