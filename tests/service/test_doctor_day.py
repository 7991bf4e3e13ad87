"""What Doctor says of models, accounts and vectors: all is well without a model, and what is wrong has a remedy."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.app import open_product
from biny_desktop.conversation.log.session_log import SessionLog
from biny_desktop.conversation.search import index
from biny_desktop.service.doctor_day import Line, day_lines
from biny_desktop.service.product import Product
from biny_desktop.storage.progress import UNWATCHED
from tests.fakes.clock import FakeClock
from tests.fakes.conversations import talk
from tests.fakes.homes import MemoryKeyring


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    made = open_product(tmp_path / "home", MemoryKeyring())
    yield made
    made.close()


def lines(product: Product) -> dict[str, Line]:
    return {line[0]: line for line in day_lines(product)}


def test_without_a_model_all_is_well(product: Product) -> None:
    found = lines(product)
    assert {line[1] for line in found.values()} == {"ok"}
    assert "None is connected" in found["language models"][2]
    assert "e5" in found["embedder"][2]
    assert found["vectors: Screen texts"][2] == "empty: 0 of 0 rows, 0 waiting, 0 out of date"


def test_messages_are_counted_against_their_index(product: Product) -> None:
    assert lines(product)["messages"][1:3] == ("ok", "0 with indexed words, 0 without, 0 rows of none")
    made = talk(SessionLog(product.database, product.clock, product.events), FakeClock())
    made.user("the northern ferry")
    made.step("", [("c", "look", "{}", "what a tool said")])
    assert lines(product)["messages"][1:3] == ("ok", "1 with indexed words, 0 without, 0 rows of none")
    with product.database.write() as w:
        index.remove(w, 1, "the northern ferry")
    assert lines(product)["messages"][1:] == (
        "warn", "0 with indexed words, 1 without, 0 rows of none", "The index is built at the next start."
    )  # fmt: skip


def test_a_slot_that_cannot_be_used_and_a_missing_embedder_are_said(product: Product) -> None:
    product.settings.set("models.small_url", "https://models.example/v1")
    product.settings.set("models.embedder", "off")
    found = lines(product)
    assert found["language models"][1] == "warn"
    assert "small" in found["language models"][3]
    assert found["embedder"][1] == "warn"
    assert found["vectors: Screen texts"][2].startswith("no embedder")


def test_vectors_of_another_embedder_name_the_remedy(product: Product) -> None:
    product.models.rebuild("frame", UNWATCHED)
    with product.database.write() as w:
        w.run("UPDATE vector_indexes SET fingerprint = 'ffffffffffffffff'")
        w.run(
            "INSERT INTO frame_vectors SELECT 1, 0, generation, 1, 'other', zeroblob(384), 1.0, zeroblob(48), "
            "fingerprint, 1 FROM vector_indexes WHERE kind = 'frame'"
        )
    line = lines(product)["vectors: Screen texts"]
    assert (line[1], line[3]) == ("warn", "Rebuild it on the page Models.")
