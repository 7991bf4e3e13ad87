"""Search hits page by page; no window."""

import pytest
from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QAbstractItemModelTester

from biny_desktop.ui.calls import Calls
from biny_desktop.ui.item_models.hits import HitsModel
from tests.fakes.product_pages import FakeProduct

ROOT = QModelIndex()


@pytest.fixture
def calls(qapp):
    made = Calls()
    yield made
    made.close()


@pytest.fixture
def product() -> FakeProduct:
    return FakeProduct(200, hits=57)


@pytest.fixture
def model(product: FakeProduct, calls: Calls) -> HitsModel:
    return HitsModel(product.search, product.timeline, calls)


def ask(model: HitsModel, qtbot, text: str, order: str = "newest") -> None:
    with qtbot.waitSignal(model.answered):
        model.ask(text, order)


def test_57_hits_come_in_pages_of_20_without_double_or_miss(model: HitsModel, product: FakeProduct, qtbot) -> None:
    ask(model, qtbot, "packing")
    assert model.rowCount() == 20
    while model.canFetchMore(ROOT):
        before = model.rowCount()
        model.fetchMore(ROOT)
        qtbot.waitUntil(lambda before=before: model.rowCount() > before)
    assert [model.hit(row).frame.id for row in range(model.rowCount())] == list(range(57, 0, -1))


def test_only_the_answer_to_the_last_question_is_shown(model: HitsModel, qtbot) -> None:
    model.ask("packing", "newest")
    ask(model, qtbot, "nothing")
    assert model.rowCount() == 0


def test_the_order_is_asked_for_every_page(model: HitsModel, product: FakeProduct, qtbot) -> None:
    ask(model, qtbot, "packing", "best")
    model.fetchMore(ROOT)
    qtbot.waitUntil(lambda: model.rowCount() == 40)
    assert product.search.asked == [("packing", "best", None), ("packing", "best", 38)]


def test_hits_of_deleted_frames_go(model: HitsModel, qtbot) -> None:
    ask(model, qtbot, "packing")
    model.remove_frames([57, 40])
    assert model.row_of(57) is None
    assert model.rowCount() == 18


def test_a_row_reads_as_one_sentence(model: HitsModel, qtbot) -> None:
    ask(model, qtbot, "packing")
    words = model.index(0).data()
    assert "Firefox" in words or "Terminal" in words or "Code" in words
    assert "packing 57" in words


def test_qt_finds_no_fault_in_what_the_model_tells_views(model: HitsModel, qtbot) -> None:
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.ask("packing", "newest")
    qtbot.waitUntil(lambda: model.rowCount() == 57)
    model.remove_frames([57, 30])
    model.clear()
    assert tester.model() is model
