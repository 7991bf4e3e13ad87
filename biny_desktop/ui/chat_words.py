"""What a chat shows, in words: who speaks, which tool, what waits, what was hidden."""

from collections.abc import Mapping

from biny_desktop.conversation.model import Session
from biny_desktop.core.i18n import _, listed, mark
from biny_desktop.service.chat.model import NotSending
from biny_desktop.ui.words import secret_words

_TOOLS: Mapping[str, str] = {
    "todo_write": mark("Write to-dos"),
    "session_search": mark("Search chats"),
    "activity_search": mark("Search the screen"),
    "read_file": mark("Read a file"),
    "write_file": mark("Write a file"),
    "read_original_evidence": mark("Read sources of a summary"),
}
_FIELDS: Mapping[str, str] = {
    "goal": mark("Goal"),
    "constraints": mark("Limits and wishes"),
    "done": mark("Done"),
    "in_progress": mark("Under way"),
    "blocked": mark("Blocked"),
    "decisions": mark("Decisions"),
    "errors_and_fixes": mark("Faults and how they were put right"),
    "user_messages": mark("Your messages"),
    "next_steps": mark("Next steps"),
    "critical_context": mark("Needed to go on"),
}
_WHY_NOT: Mapping[NotSending, str] = {
    "no_model": mark("No model is set for chats. Everything else here works."),
    "running": mark("An answer is being written."),
    "running_elsewhere": mark("Another program answers in this chat."),
    "full": mark("This chat is full. Fork it and go on in the new one."),
    "read_only": mark("A summary could not be written; open the chat again to go on."),
    "closing": mark("The app closes."),
}
_NOTICES: Mapping[str, str] = {
    "tools_refused": mark("This server takes no tools; the model answers without them."),
    "retrying": mark("The server did not answer; it is asked again."),
    "finishing": mark("Many steps were taken; the model is told to finish."),
    "history_cut": mark("The oldest messages do not fit the model and are left out."),
}
_SOURCES: Mapping[str, str] = {"chat": "", "fork": mark("forked"), "import:plain": mark("from a transcript")}
_OTHER_TOOLS: Mapping[str, str] = {
    "import:chatgpt": "ChatGPT",
    "import:claude": "Claude",
    "import:claude_code": "Claude Code",
    "import:codex": "Codex",
    "import:own": "Biny",
}


def tool_name(name: str) -> str:
    """A tool as a person reads it."""
    known = _TOOLS.get(name)
    return _(known) if known else name


def field_name(name: str) -> str:
    """A field of a summary."""
    return _(_FIELDS[name]) if name in _FIELDS else name


def why_not(reason: NotSending) -> str:
    """Why nothing can be sent."""
    return _(_WHY_NOT[reason])


def notice_words(name: str) -> str:
    """What the program noticed in a running turn."""
    known = _NOTICES.get(name)
    return _(known) if known else name.replace("_", " ")


def session_title(session: Session) -> str:
    """The title, or that there is none yet."""
    return session.title or (_("New incognito chat") if session.incognito else _("New chat"))


def session_source(session: Session) -> str:
    """Project and origin of a session, in one line; may be empty."""
    kind, _colon, name = session.source.partition(":")
    known = _SOURCES.get(session.source)
    tool = _OTHER_TOOLS.get(session.source, name) or kind
    origin = _("from {name}").format(name=tool) if known is None else _(known) if known else ""
    return " · ".join(
        part for part in (_("incognito") if session.incognito else "", session.project or "", origin) if part
    )


def hidden_words(counts: Mapping[str, int]) -> str:
    """What will be replaced before anything is stored, in one line."""
    kinds = listed(secret_words(kind) + (f" × {n}" if n > 1 else "") for kind, n in sorted(counts.items()))
    return _("Will be hidden before it is stored or sent: {kinds}").format(kinds=kinds)
