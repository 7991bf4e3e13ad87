"""Tokens of a passage: told by the embedder, or estimated."""

from biny_desktop.models.passage_tokens import counter, estimate_tokens
from tests.fakes.embedder import FakeEmbedder


def test_the_estimate_counts_cjk_characters_one_by_one() -> None:
    assert estimate_tokens("预算会议") == 5
    assert estimate_tokens("budget meeting") == 6


def test_the_embedder_counts_where_there_is_one() -> None:
    assert counter(lambda: None) is estimate_tokens
    assert counter(FakeEmbedder)("two words") == 2
