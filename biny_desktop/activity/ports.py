"""What activity needs from others: somebody who knows the user's text rules."""


class NoTextRules:
    """The `TextScreen` of somebody without text rules."""

    def wants_text(self) -> bool:
        return False

    def text_hit(self, text: str) -> str | None:
        del text
        return None
