"""How near a hit is to a question: both similarities, as a bar and in words."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt

from biny_desktop.core.i18n import _

LIKENESS: Final = int(Qt.ItemDataRole.UserRole) + 40
"""The role of a row's `Likeness`; None for hits by words."""
SAME, CLOSE, RELATED = 0.45, 0.3, 0.2
"""Centred cosines: paraphrases begin at 0.46, unrelated pairs end at 0.28, 0.2 to 0.3 is related but different (spec
01, similarity)."""
FULL: Final = 0.8
"""A bar is full here; more than this are copies."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """`centred` is the similarity that orders and cuts, `raw` the plain cosine."""

    centred: float
    raw: float

    @property
    def share(self) -> float:
        """How much of a bar is full, 0 to 1."""
        return min(1.0, max(0.0, self.centred / FULL))

    def words(self) -> str:
        """ "close · 0.38"."""
        word = (
            _("very close") if self.centred >= SAME
            else _("close") if self.centred >= CLOSE
            else _("related") if self.centred >= RELATED
            else _("distant")
        )  # fmt: skip
        return f"{word} · {self.centred:.2f}"

    def tip(self) -> str:
        """Both numbers, and how to read them."""
        return "\n".join(
            (
                _("Likeness in meaning: {centred} (raw {raw})").format(
                    centred=f"{self.centred:.2f}", raw=f"{self.raw:.2f}"
                ),
                _("The same in other words is mostly above 0.45, unrelated texts are mostly under 0.13."),
            )
        )
