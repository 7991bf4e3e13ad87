"""Fusing by ranks: what may never happen to a hit, and the weight of words for short and long questions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.core.text import is_cjk
from biny_desktop.models.model import VectorHit
from biny_desktop.models.ranking import (
    DEPTH,
    LONG_WEIGHT,
    SHORT_WEIGHT,
    Scored,
    any_of,
    best_parts,
    function_words,
    fuse,
    in_order,
    lexical_weight,
    question_terms,
    ranked,
)

scores = st.floats(0.001, 50, allow_nan=False)
lists = st.dictionaries(st.integers(1, 60), scores, max_size=40).map(
    lambda each: in_order(Scored(row, score) for row, score in each.items())
)
weights = st.floats(0, 3, allow_nan=False)


def ids(hits: list[Scored]) -> list[int]:
    return [hit.id for hit in hits]


@given(lists, lists, weights, st.booleans())
def test_every_hit_comes_once_best_first_and_ties_by_id(
    vector: list[Scored], lexical: list[Scored], weight: float, strength: bool
) -> None:
    fused = fuse(vector, lexical, weight, by_strength=strength)
    assert sorted(ids(fused)) == sorted({*ids(vector), *ids(lexical)})
    keys = [(-hit.score, hit.id) for hit in fused]
    assert keys == sorted(keys)


@given(lists, lists, weights, st.booleans(), st.data())
def test_hit_of_both_lists_never_ranks_below_the_same_hit_of_one(
    vector: list[Scored], lexical: list[Scored], weight: float, strength: bool, data: st.DataObject
) -> None:
    both = sorted({*ids(vector)} & {*ids(lexical)})
    if both:
        row = data.draw(st.sampled_from(both))
        fused = fuse(vector, lexical, weight, by_strength=strength)
        alone = next(hit.score for hit in fuse(vector, [], weight) if hit.id == row)
        better = [hit for hit in fused if hit.id != row and (-hit.score, hit.id) < (-alone, row)]
        assert next(hit.score for hit in fused if hit.id == row) >= alone
        assert ids(fused).index(row) <= len(better)


@given(lists, lists)
def test_weight_zero_leaves_the_order_of_the_vectors(vector: list[Scored], lexical: list[Scored]) -> None:
    fused = ids(fuse(vector, lexical, 0.0))
    assert fused[: len(vector)] == ids(vector)


@given(lists)
def test_equal_lists_keep_their_order_at_equal_weights(hits: list[Scored]) -> None:
    assert ids(fuse(hits, hits, 1.0, by_strength=False)) == ids(hits)
    assert ids(fuse(hits, hits, 1.0)) == ids(hits)


@given(lists, weights)
def test_one_list_alone_keeps_its_order(hits: list[Scored], weight: float) -> None:
    assert ids(fuse(hits, [], weight)) == ids(hits)
    assert ids(fuse([], hits, weight + 0.1)) == ids(hits)


def test_only_the_first_of_each_list_are_read() -> None:
    many = [Scored(row, 1000.0 - row) for row in range(DEPTH + 5)]
    assert len(fuse(many, [], 1.0)) == DEPTH
    assert len(fuse([], many, 1.0)) == DEPTH


def test_weak_hit_by_words_counts_less_than_the_best() -> None:
    vector = [Scored(1, 0.5), Scored(2, 0.4), Scored(3, 0.3)]
    words = [Scored(9, 10.0), Scored(8, 0.5)]
    assert ids(fuse(vector, words, 1.0)).index(8) > ids(fuse(vector, words, 1.0, by_strength=False)).index(8)


@given(st.lists(st.sampled_from(["bluebird", "router", "年会", "主题", "茶"]), max_size=30))
def test_weight_of_words_lies_between_its_limits(terms: list[str]) -> None:
    assert LONG_WEIGHT <= lexical_weight(terms) <= SHORT_WEIGHT
    assert lexical_weight([*terms, "more"]) <= lexical_weight(terms)


def test_short_questions_trust_words_and_conversations_do_not() -> None:
    turns = (
        "昨天老师在班上表扬我了，我特别想再参加一次科学展览。\n"
        "太棒了，你上次做的生态球就得了一等奖。\n"
        "对啊，大家围过来看，爸爸夸我做得细心，妈妈给我拍了照片。"
    )
    for short in ("Which port does the staging server listen on?", "青鸟项目什么时候交付？", "茶？"):
        assert lexical_weight(question_terms(short)) == SHORT_WEIGHT
    assert lexical_weight(question_terms(turns)) == LONG_WEIGHT
    assert lexical_weight(()) == SHORT_WEIGHT


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What was the name of our DOG?", ("name", "dog")),
        ("我们年会的主题是什么", ("们年", "年会", "会的", "的主", "主题", "题是")),
        ("who are you?", ("who", "are", "you")),
        ("茶", ("茶",)),
        ("Kinder-Café, C++ and zoom.us", ("kinder", "café", "c", "zoom")),
        ("?!", ()),
    ],
)
def test_terms_of_a_question(question: str, terms: tuple[str, ...]) -> None:
    assert question_terms(question) == terms


@given(st.text(max_size=80))
def test_terms_of_anything_are_prepared_words_each_once(question: str) -> None:
    terms = question_terms(question)
    assert len(set(terms)) == len(terms)
    assert all(term and not term.isspace() for term in terms)
    content = [term for term in terms if term not in function_words() and not (len(term) == 1 and is_cjk(term))]
    assert len(content) in (0, len(terms))


def test_query_quotes_its_terms() -> None:
    assert any_of(("and", 'a"b')) == '"and" OR "a""b"'
    assert any_of(()) == ""


def hit(row: int, part: int, centred: float, raw: float) -> VectorHit:
    return VectorHit(row, part, centred, raw)


def test_row_is_as_near_as_its_nearest_part() -> None:
    hits = [hit(1, 0, 0.1, 0.9), hit(2, 0, 0.3, 0.7), hit(1, 1, 0.4, 0.2)]
    assert best_parts(hits) == [Scored(1, 0.4), Scored(2, 0.3)]
    assert best_parts(hits, raw=True) == [Scored(1, 0.9), Scored(2, 0.7)]


def test_each_route_orders_by_its_own_measure() -> None:
    hits = [hit(1, 0, 0.5, 0.80), hit(2, 0, 0.4, 0.90), hit(3, 0, 0.1, 0.85)]
    lexical = [Scored(4, 1.0), Scored(3, 9.0)]
    terms = ("bluebird",)
    assert ids(ranked("vector", terms, hits, lexical)) == [1, 2, 3]
    assert ids(ranked("vector_raw", terms, hits, lexical)) == [2, 3, 1]
    assert ids(ranked("lexical", terms, hits, lexical)) == [3, 4]
    assert ids(ranked("fused", terms, hits, lexical)) == [3, 1, 2, 4]
    assert ids(ranked("default", terms, hits, lexical))[0] == 3
    assert ids(ranked("default", terms, [], lexical)) == [3, 4]
    assert ids(ranked("default", terms * 40, hits, lexical))[0] in (1, 3)
