"""What activity needs from others: somebody who knows the user's text rules."""

from typing import Protocol


class TextScreen(Protocol):
    """The user's text rules (spec 02 §3.8); there is no built-in one."""

    def wants_text(self) -> bool:
        """Whether a text rule is on: then every kept frame is read."""
        ...

    def text_hit(self, text: str) -> str | None:
        """The id of the rule that this raw text meets, or None. A rule that is cut off counts as met."""
        ...


class NoTextRules:
    """The `TextScreen` of somebody without text rules."""

    def wants_text(self) -> bool:
        return False

    def text_hit(self, text: str) -> str | None:
        del text
        return None
