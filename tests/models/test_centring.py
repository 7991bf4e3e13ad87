"""Script groups, means of two sides, and what centring does to vectors that are squeezed together."""

import json

import numpy as np
import pytest

from biny_desktop.models.centring import GROUPS, Calibration, from_json, script_of
from biny_desktop.models.means import with_own
from biny_desktop.models.quantise import unit


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("今天中午一起吃饭", "cjk"),
        ("ﾃｽﾄ", "cjk"),
        ("テスト", "cjk"),
        ("오늘 회의", "cjk"),
        ("The budget", "other"),
        ("Привет", "other"),
        ("วันนี้", "other"),
        ("", "other"),
        ("1234 :-)", "other"),
        ("PR 合并了三个分支", "cjk"),
        ("merged into 主 branch", "other"),
        ("Kubernetes 集群 upgrade 到 1.29", "cjk"),
        ("用户在 Visual Studio Code 里写 TypeScript", "cjk"),
        ("The user's friend 王小明 lives in Hangzhou", "other"),
        ("𠀀𠀁", "cjk"),
    ],
)
def test_a_text_belongs_to_the_script_of_most_of_its_words(text: str, script: str) -> None:
    assert script_of(text) == script


def means(seed: int, dims: int = 32) -> Calibration:
    chance = np.random.default_rng(seed)
    return Calibration({group: unit(chance.standard_normal((1, dims)).astype(np.float32))[0] / 2 for group in GROUPS})


def test_means_come_back_from_json_with_the_same_id() -> None:
    first = means(1)
    again = from_json(first.to_json())
    assert again is not None
    assert again.id == first.id
    assert again.own == frozenset()
    assert means(2).id != first.id


def test_centring_takes_squeezed_vectors_apart() -> None:
    chance = np.random.default_rng(4)
    own = unit(chance.standard_normal((200, 64)).astype(np.float32))
    raw = unit(own + 2 * unit(np.ones((1, 64), np.float32)))
    mean = raw.mean(axis=0)
    calibration = Calibration(dict.fromkeys(GROUPS, mean))
    centred = calibration.passages(raw, ["cjk", "other"] * 100)
    off = ~np.eye(200, dtype=bool)
    assert np.median((raw @ raw.T)[off]) > 0.75
    assert abs(np.median((centred @ centred.T)[off])) < 0.05


def test_each_side_and_group_is_centred_by_its_own_mean() -> None:
    calibration = means(6)
    raw = unit(np.random.default_rng(8).standard_normal((2, 32)).astype(np.float32))
    out = calibration.passages(raw, ["cjk", "other"])
    assert np.allclose(out[0], unit(raw[:1] - calibration.means["passage", "cjk"])[0], atol=1e-6)
    assert np.allclose(out[1], unit(raw[1:] - calibration.means["passage", "other"])[0], atol=1e-6)
    asked = calibration.questions(raw[:1], "other")
    assert np.allclose(asked, unit(raw[:1] - calibration.means["question", "other"]), atol=1e-6)


def test_a_vector_that_is_the_mean_gives_no_division_by_zero() -> None:
    calibration = means(6)
    raw = calibration.means["question", "cjk"][None, :]
    assert not calibration.questions(raw, "cjk").any()


def test_twenty_texts_of_a_group_have_a_mean_of_their_own() -> None:
    reference, mine = means(1), np.full(32, 0.1, np.float32)
    got = with_own(reference, "passage", {"cjk": (mine, 19), "other": (mine, 20)})
    assert got.own == {("passage", "other")}
    assert np.array_equal(got.means["passage", "cjk"], reference.means["passage", "cjk"])
    assert np.array_equal(got.means["passage", "other"], mine)


def test_a_side_has_moved_when_a_mean_went_far_or_became_the_stores_own() -> None:
    first = means(1)
    near = Calibration({g: m + np.float32(0.001) for g, m in first.means.items()}, first.own)
    assert not near.moved_from(first, "passage")
    far = Calibration({**first.means, ("passage", "cjk"): first.means["passage", "cjk"] + np.float32(0.01)})
    assert far.moved_from(first, "passage")
    assert not far.moved_from(first, "question")
    own = Calibration(first.means, frozenset({("question", "cjk")}))
    assert own.moved_from(first, "question")
    assert first.taking("passage", far).id == far.id
    assert first.taking("question", far).id == first.id


@pytest.mark.parametrize("damaged", ["", "{", "null", "[]", "{}", '{"passage/cjk": {"own": true, "mean": "AAA"}}'])
def test_damaged_means_are_none(damaged: str) -> None:
    assert from_json(damaged) is None


def test_means_of_different_lengths_are_damaged() -> None:
    long, short = json.loads(means(1).to_json()), json.loads(means(1, 16).to_json())
    assert from_json(json.dumps({**long, "question/cjk": short["question/cjk"]})) is None
