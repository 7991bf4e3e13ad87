"""Lines of a Markdown transcript that say who speaks: found on import, escaped on export (spec 05 §10)."""

import re
from typing import Final, Literal

Speaker = Literal["user", "assistant", "other"]
MARKER: Final = "<!-- biny chat -->"
"""The first line of our own Markdown: there every line that looks like a speaker is one."""
_USER = ("user", "human", "you", "me", "prompt", "我", "用户", "用戶", "使用者", "提问", "问")
_ASSISTANT = (
    "assistant", "ai", "bot", "model", "agent", "chatgpt", "gpt", "gpt-4", "gpt-4o", "claude", "claude code", "gemini",
    "copilot", "codex", "deepseek", "llama", "answer", "助手", "助理", "回答", "答", "模型", "机器人",
)  # fmt: skip
_OTHER = ("system", "tool", "function", "developer", "系统", "工具")
_WHO: Final[dict[str, Speaker]] = {
    **dict.fromkeys(_USER, "user"), **dict.fromkeys(_ASSISTANT, "assistant"), **dict.fromkeys(_OTHER, "other"),
}  # fmt: skip
_NAME: Final = "|".join(sorted(map(re.escape, _WHO), key=len, reverse=True))
_TIME: Final = r"[(\[（]?(?P<time>\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[^()\[\]（）:：]*(?::\d{2}[^()\[\]（）\s:：]*)*)[)\]）]?"
_LINE: Final = re.compile(
    rf"(?P<slashes>\\*)(?P<head>\#{{1,6}}\s+)?(?P<bold>\*\*|__)?(?P<who>{_NAME})"
    rf"(?:(?P=bold))?(?:\s*[-–—·|,]?\s*{_TIME})?\s*(?P<colon>[:：])?(?:\*\*|__)?(?P<colon2>[:：])?(?P<rest>.*)",
    re.IGNORECASE,
)


class Speaking:
    """A line that says who speaks: `time` as written or "", `rest` what is said on the same line."""

    __slots__ = ("rest", "time", "who")

    def __init__(self, who: Speaker, time: str, rest: str) -> None:
        self.who, self.time, self.rest = who, time, rest


def speaking(line: str) -> Speaking | None:
    """Who a line says to speak; None for any other line, also an escaped one."""
    found = _match(line)
    if found is None or found["slashes"]:
        return None
    return Speaking(_WHO[found["who"].casefold()], (found["time"] or "").strip(" ,-–—·|"), found["rest"].strip())


def escaped(text: str) -> str:
    """A text none of whose lines says who speaks: a backslash more before each that would, or is escaped already."""
    return "\n".join("\\" + line if _match(line) else line for line in text.split("\n"))


def unescaped(line: str) -> str:
    """The line that `escaped` made this one of."""
    return line[1:] if line.startswith("\\") and _match(line) else line


def _match(line: str) -> re.Match[str] | None:
    """A heading may stand alone; without one there has to be a colon."""
    found = _LINE.fullmatch(line.rstrip())
    if found is None:
        return None
    colon = found["colon"] or found["colon2"]
    if not colon and (not found["head"] or found["rest"]):
        return None
    return found
