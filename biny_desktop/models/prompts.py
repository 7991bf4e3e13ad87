"""Prompt files with a version, and the messages made of them: the task, and fenced data that cannot break out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.i18n import mark
from biny_desktop.core.resources import resource
from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import replaced

RULES: Final = "models_data"
"""The prompt file with the rules for data parts, added to every task."""
_VERSION: Final = re.compile(r"\A<!-- version: (\S+) -->\n")
_NAME: Final = re.compile(r"^[a-z][a-z0-9_]*$")
_PART_NAME: Final = re.compile(r"^[a-z][a-z0-9_-]{0,40}$")
# Control tokens of common chat templates. Some local servers read them as control tokens also inside a message, so data
# must not contain them: a space after the first sign makes them plain text.
_CONTROL: Final = re.compile(
    r"(?<=<)(?=[|\uff5c])|(?<=<)(?=/?s>)|(?<=<)(?=/?(?:start|end)_of_turn>)|(?<=<)(?=<?/?SYS>)|(?<=\[)(?=/?INST\])"
    r"|(?<=<)(?=/?(?:think|thinking|reasoning|tool_call|tool_response)>)"
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file: its stem, the version of its first line, and the text below it."""

    name: str
    version: str
    text: str


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of data for a question: `name` as the prompt calls it (a-z, digits, `_`, `-`), and its redacted text.

    Raises:
        TypeError: the text was not redacted. ValueError: the name is none. Both are bugs of the caller.
    """

    name: str
    text: RedactedText

    def __post_init__(self) -> None:
        if not isinstance(self.text, RedactedText):
            raise TypeError("only redacted text is sent to a model")
        if not _PART_NAME.match(self.name):
            raise ValueError("the name of a part is a lower-case word")

    def __repr__(self) -> str:
        return f"Part({self.name!r}, {len(self.text)} characters)"


@dataclass(frozen=True, slots=True)
class Message:
    """A chat message; its text is never part of its `repr`, so that no log holds it."""

    role: str
    text: str

    def __repr__(self) -> str:
        return f"Message({self.role!r}, {len(self.text)} characters)"


def load_prompt(name: str) -> Prompt:
    """The prompt file `resources/prompts/<name>.md`, whose first line is `<!-- version: N -->`.

    Raises:
        UnavailableError: it is missing or has no version; a fault of the installation.
        ValueError: that is no name; a bug of the caller.
    """
    if not _NAME.match(name):
        raise ValueError(f"no prompt can be called {name!r}")
    try:
        text = resource("prompts", f"{name}.md").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _broken(name) from error
    found = _VERSION.match(text)
    if found is None:
        raise _broken(name)
    return Prompt(name, found.group(1), text[found.end() :].strip())


def _broken(name: str) -> UnavailableError:
    return UnavailableError(
        mark("A file of the program is missing or damaged."), f"prompts/{name}.md", mark("Install the program again.")
    )


def compose(prompt: Prompt, parts: Sequence[Part], fence: str) -> tuple[Message, Message]:
    """The two messages of a question: system (task and rules), user (the parts, each fenced).

    Args:
        prompt: the task.
        parts: the data, in order.
        fence: a random word that nobody who wrote the data could know; it is taken out of the data all the same.
    """
    tag = f"data-{fence}"
    rules = load_prompt(RULES).text.replace("{fence}", tag)
    fenced = [f'<{tag} name="{part.name}">\n{harmless(part.text, fence)}\n</{tag}>' for part in parts]
    return Message("system", f"{prompt.text}\n\n{rules}"), Message("user", "\n\n".join(fenced) or "Answer now.")


def repair(said: str, problem: str) -> tuple[Message, Message]:
    """The messages that ask once more after an answer that did not fit.

    Args:
        said: the answer, shortened here.
        problem: a `Failure.detail`: kinds of faults and field paths, no text.
    """
    wish = "Your answer could not be used" + (f" ({problem})" if problem else "")
    return (
        Message("assistant", said[:SAID_MAX] or "-"),
        Message("user", f"{wish}. Answer the same task again, with one complete JSON object and nothing else."),
    )


SAID_MAX: Final = 6_000
"""Characters of an unusable answer that are shown to the model again: enough to correct it, short enough to fit."""


def harmless(text: RedactedText, fence: str) -> RedactedText:
    """The text without control tokens of chat templates and without the random word of its fence."""
    plain = replaced(text, _CONTROL, " ")
    return replaced(plain, re.compile(re.escape(fence)), "") if fence in plain else plain
