"""How many tokens a request may take, how many stay raw, and how long a summary may be (spec 05 §3)."""

from fractions import Fraction
from typing import Final

from biny_desktop.conversation.ports import Budget
from biny_desktop.core.settings import CompactionSettings
from biny_desktop.models.model import ModelProfile

WINDOW_UNKNOWN: Final = 32_768
"""Tokens; the context window of a model of which nothing is known."""
RESERVE_MAX: Final = 16_384
RESERVE_MIN: Final = 16
RESERVE_SHARE: Final = Fraction(15, 100)
KEEP_MAX: Final = 20_000
KEEP_SHARE: Final = Fraction(55, 100)
"""Of B − reserve."""
FULL_SHARE: Final = Fraction(60, 100)
"""Of B: what a request should take at most right after a summary was made by itself."""
SUMMARY_SHARE: Final = Fraction(25, 100)
SUMMARY_MIN: Final = 64


def budget_of(profile: ModelProfile, settings: CompactionSettings) -> Budget:
    """The budget of a request to this model. A request is due for a summary when it takes more than `usable`.

    An answer longer than half of the window is not asked for: such a profile would leave nothing for the question.
    """
    window = WINDOW_UNKNOWN if profile.window is None else max(2, profile.window)
    output = max(1, min(profile.output, window // 2))
    whole = window - output
    return Budget(whole, reserve_of(whole, profile.reference_line, settings), output)


def reserve_of(whole: int, reference_line: int | None, settings: CompactionSettings) -> int:
    """Tokens that a request leaves free, 0 to B − 1: the first rule that applies.

    Args:
        whole: B, at least 1.
        reference_line: tokens from which on the model answers worse, if that is known.
    """
    if isinstance(settings.reserve_tokens, int):
        wanted = settings.reserve_tokens
    elif isinstance(settings.trigger_percent, float):
        wanted = whole - int(whole * Fraction(str(settings.trigger_percent)))  # 0.57 means 57/100, not 0.5699…
    elif reference_line is not None:
        wanted = whole - reference_line
    else:
        wanted = min(RESERVE_MAX, max(RESERVE_MIN, int(RESERVE_SHARE * whole)))
    return max(0, min(wanted, whole - 1))


def summary_tokens(budget: Budget, settings: CompactionSettings) -> int:
    """Longest summary as sent."""
    return min(settings.summary_tokens, max(SUMMARY_MIN, int(SUMMARY_SHARE * budget.whole)))


def keep_tokens(budget: Budget, settings: CompactionSettings, *, automatic: bool, fixed: int) -> int:
    """How many tokens of the newest messages stay as they are.

    Args:
        automatic: not by hand: there has to be room behind the fixed part of the prompt and the summary.
        fixed: tokens of the prompt that are not history.
    """
    free = budget.whole - budget.reserve
    if isinstance(settings.keep_recent_tokens, int):
        kept = settings.keep_recent_tokens
    else:
        kept = min(KEEP_MAX, max(1, int(KEEP_SHARE * free)))
    kept = min(kept, free)
    if automatic:
        kept = min(kept, max(1, int(FULL_SHARE * budget.whole) - fixed - summary_tokens(budget, settings)))
    return kept
