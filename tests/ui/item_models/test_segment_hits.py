"""Activities that were found, as rows: pages, both ways of asking, marks in titles."""

import pytest
from PySide6.QtCore import QModelIndex, Qt

from biny_desktop.core.errors import StorageError
from biny_desktop.core.i18n import use_language
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.item_models.likeness import LIKENESS
from biny_desktop.ui.item_models.segment_hits import PAGE, TITLE_MARKS, SegmentHitsModel
from tests.fakes.product_pages import FakeProduct


@pytest.fixture
def calls(qapp):
    use_language("en")
    made = Calls()
    yield made
    made.close()


@pytest.fixture
def product() -> FakeProduct:
    return FakeProduct(1_000)


@pytest.fixture
def model(product: FakeProduct, calls: Calls) -> SegmentHitsModel:
    return SegmentHitsModel(product, calls)


def ask(model: SegmentHitsModel, qtbot, text: str, *, by_meaning: bool = False) -> None:
    with qtbot.waitSignal(model.answered):
        model.ask(text, by_meaning=by_meaning)


def test_pages_follow_each_other_without_double_or_miss(model: SegmentHitsModel, qtbot) -> None:
    ask(model, qtbot, "work")
    assert model.rowCount() == PAGE
    while model.canFetchMore(QModelIndex()):
        before = model.rowCount()
        model.fetchMore(QModelIndex())
        qtbot.waitUntil(lambda before=before: model.rowCount() > before)
    ids = [model.hit(row).segment.id for row in range(model.rowCount())]
    assert ids == list(range(40, 0, -1))
    assert model.row_of(40) == 0


def test_words_found_in_a_title_are_marked(model: SegmentHitsModel, qtbot) -> None:
    ask(model, qtbot, "work kind:active")
    first = model.index(0)
    title = model.hit(0).segment.title
    assert [title[start:end] for start, end in first.data(TITLE_MARKS)] == ["Work"]
    assert first.data(LIKENESS) is None
    assert title in first.data(Qt.ItemDataRole.AccessibleTextRole)


def test_by_meaning_there_are_no_pages_but_a_likeness(model: SegmentHitsModel, qtbot) -> None:
    ask(model, qtbot, "work", by_meaning=True)
    assert not model.canFetchMore(QModelIndex())
    assert model.index(0).data(LIKENESS).centred == 0.5
    assert "raw" in model.index(0).data(Qt.ItemDataRole.ToolTipRole)
    model.clear()
    assert model.rowCount() == 0


def test_a_fault_is_told(model: SegmentHitsModel, product: FakeProduct, qtbot) -> None:
    def fail(*_asked: object) -> None:
        raise StorageError("The database cannot be read", "The disk went away.", "")

    product.segment_search.search = fail
    with qtbot.waitSignal(model.failed):
        model.ask("work", by_meaning=False)
