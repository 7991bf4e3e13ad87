"""What activity needs from others: somebody who knows the user's text rules."""

from collections.abc import Sequence

from biny_desktop.capture.ports import TextVerdict


class NoTextRules:
    """The `TextScreen` of somebody without text rules."""

    def wants_text(self) -> bool:
        return False

    def wants_paint(self) -> bool:
        return False

    def judge_text(self, lines: Sequence[str]) -> TextVerdict:
        del lines
        return TextVerdict()
