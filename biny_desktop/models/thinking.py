"""Parts a streamed answer into what is meant for the person and the reasoning before it (`<think>…</think>`)."""

from typing import Final

_TAGS: Final = ("think", "thinking", "reasoning")
_LONGEST: Final = max(len(tag) for tag in _TAGS) + 2


class ThinkSplitter:
    """Feed it pieces; each gives (text, reasoning). Only a tag at the very beginning of an answer counts: later ones
    are content. What may still become a tag is held back until it is clear."""

    def __init__(self) -> None:
        self._held = ""
        self._tag: str | None = None
        self._state = "start"

    def feed(self, piece: str) -> tuple[str, str]:
        """What is clear after this piece."""
        if self._state == "text":
            return piece, ""
        self._held += piece
        if self._state == "start":
            self._begin()
        if self._state == "start":
            return "", ""
        return self._inside() if self._state == "thinking" else self._release()

    def end(self) -> tuple[str, str]:
        """What was still held when the stream ended."""
        held, self._held = self._held, ""
        return ("", held) if self._state == "thinking" else (held, "")

    def _begin(self) -> None:
        said = self._held.lstrip()
        for tag in _TAGS:
            if said.startswith(f"<{tag}>"):
                self._tag, self._state = tag, "thinking"
                self._held = said[len(tag) + 2 :]
                return
        if said and not any(f"<{tag}>".startswith(said[:_LONGEST]) for tag in _TAGS):
            self._state = "text"

    def _inside(self) -> tuple[str, str]:
        close = f"</{self._tag}>"
        thought, found, rest = self._held.partition(close)
        if found:
            self._state, self._held = "after", rest
            text, _none = self._release()
            return text, thought
        keep = next((n for n in range(len(close) - 1, 0, -1) if thought.endswith(close[:n])), 0)
        self._held = thought[len(thought) - keep :]
        return "", thought[: len(thought) - keep]

    def _release(self) -> tuple[str, str]:
        """The text after the reasoning, without the blank lines between."""
        text = self._held.lstrip() if self._state == "after" else self._held
        self._held = ""
        if text:
            self._state = "text"
        return text, ""
