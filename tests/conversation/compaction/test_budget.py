"""How many tokens a request may take and how many stay raw: the first rule that is set counts."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.conversation.compaction.budget import budget_of, keep_tokens, reserve_of, summary_tokens
from biny_desktop.core.settings import CompactionSettings
from biny_desktop.models.model import ModelProfile

PART = st.one_of(st.just("auto"), st.sampled_from([0.5, 0.57, 0.8, 0.95]))
TOKENS = st.one_of(st.just("auto"), st.integers(256, 262_144))


@given(whole=st.integers(1, 200_000), reserve=TOKENS, part=PART, line=st.one_of(st.none(), st.integers(1, 300_000)))
def test_the_first_reserve_that_is_set_counts_and_something_is_always_left(
    whole: int, reserve: Any, part: Any, line: int | None
) -> None:
    settings = CompactionSettings(reserve_tokens=reserve, trigger_percent=part)
    got = reserve_of(whole, line, settings)
    assert 0 <= got <= whole - 1
    if reserve != "auto":
        assert got == min(reserve, whole - 1)
    elif part != "auto":
        assert got == min(whole - int(whole * part + 1e-9), whole - 1)
    elif line is not None:
        assert got == max(0, min(whole - line, whole - 1))


def test_a_model_of_which_nothing_is_known_has_32768_tokens() -> None:
    made = budget_of(ModelProfile(None, 4_096, None), CompactionSettings())
    assert (made.whole, made.output, made.reserve) == (28_672, 4_096, 4_300)
    assert summary_tokens(made, CompactionSettings()) == 4_096
    assert keep_tokens(made, CompactionSettings(), automatic=False, fixed=0) == int(0.55 * (28_672 - 4_300))


@given(
    window=st.integers(1_024, 500_000),
    output=st.integers(256, 131_072),
    fixed=st.integers(0, 300_000),
    auto=st.booleans(),
)
def test_what_stays_raw_fits_what_is_free(window: int, output: int, fixed: int, auto: bool) -> None:
    settings = CompactionSettings()
    made = budget_of(ModelProfile(window, output, None), settings)
    kept = keep_tokens(made, settings, automatic=auto, fixed=fixed)
    assert made.whole + made.output == window
    assert 1 <= kept <= made.whole - made.reserve
    assert made.usable == made.whole - made.reserve
    if auto and kept > 1:
        assert fixed + kept + summary_tokens(made, settings) <= made.whole * 0.6


def test_more_can_be_kept_by_the_settings_but_never_more_than_is_free() -> None:
    settings = CompactionSettings(keep_recent_tokens=50_000)
    made = budget_of(ModelProfile(20_000, 4_000, None), settings)
    assert keep_tokens(made, settings, automatic=False, fixed=0) == 16_000 - 2_400
