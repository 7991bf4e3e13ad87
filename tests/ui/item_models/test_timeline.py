"""The list of frames and gaps: pages, news, deletes; no window."""

import threading

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from PySide6.QtTest import QAbstractItemModelTester

from biny_desktop.activity.model import Frame, Gap
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.item_models.timeline import ITEM, PICTURE, Range, TimelineModel
from tests.fakes.product_pages import FakeProduct

ROOT = QModelIndex()
ALL = Range(0, 2**53)


@pytest.fixture
def calls(qapp):
    made = Calls()
    yield made
    made.close()


@pytest.fixture
def product() -> FakeProduct:
    return FakeProduct(250)


@pytest.fixture
def model(product: FakeProduct, calls: Calls, qtbot) -> TimelineModel:
    made = TimelineModel(product.timeline, calls)
    with qtbot.waitSignal(made.loaded):
        made.show(ALL)
    return made


def ids(model: TimelineModel) -> list[int]:
    items = [model.item(row) for row in range(model.rowCount())]
    return [item.id for item in items if isinstance(item, Frame)]


def gap_rows(model: TimelineModel) -> list[int]:
    return [row for row in range(model.rowCount()) if isinstance(model.item(row), Gap)]


def test_the_first_page_is_the_newest_and_more_come_on_demand(model: TimelineModel, qtbot) -> None:
    assert ids(model) == list(range(250, 150, -1))
    while model.canFetchMore(ROOT):
        before = model.rowCount()
        model.fetchMore(ROOT)
        assert not model.canFetchMore(ROOT)
        qtbot.waitUntil(lambda before=before: model.rowCount() > before)
    assert ids(model) == list(range(250, 0, -1))


def test_nothing_is_asked_in_the_gui_thread(model: TimelineModel, product: FakeProduct, qtbot) -> None:
    model.index(0).data(PICTURE)
    qtbot.waitUntil(lambda: model.index(0).data(PICTURE) is not None)
    assert threading.get_ident() not in product.timeline.threads


def test_thumbnails_are_fetched_for_the_rows_that_were_painted_only(
    model: TimelineModel, product: FakeProduct, qtbot
) -> None:
    for row in (3, 4, 5):
        assert model.index(row).data(PICTURE) is None
    qtbot.waitUntil(lambda: model.index(4).data(PICTURE) is not None)
    assert product.timeline.calls.count("thumbs") == 1
    assert model.thumbs.knows(model.item(3).id)
    assert not model.thumbs.knows(model.item(6).id)


def test_a_new_frame_comes_in_front_and_a_selection_stays_on_its_frame(
    model: TimelineModel, product: FakeProduct, qtbot
) -> None:
    held = QPersistentModelIndex(model.index(7))
    frame_id = held.data(ITEM).id
    product.keep_frame()
    product.keep_frame()
    assert model.add_new()
    qtbot.waitUntil(lambda: model.item(0).id == 252)
    assert ids(model)[:4] == [252, 251, 250, 249]
    assert held.data(ITEM).id == frame_id


def test_a_frame_that_was_read_is_shown_as_read(model: TimelineModel, product: FakeProduct, qtbot) -> None:
    row = model.row_of(249)
    assert model.item(row).read_state == "not_due"
    product.timeline.read_state[249] = "done"
    model.update_frames([249, 9])
    qtbot.waitUntil(lambda: model.item(row).read_state == "done")


def test_deleted_frames_go_and_the_gap_they_leave_is_shown(model: TimelineModel, product: FakeProduct, qtbot) -> None:
    timeline = product.timeline
    timeline.deleted.update((245, 246))
    timeline.gap_list = [
        Gap(timeline.start_ms + 244 * timeline.step_ms, timeline.start_ms + 247 * timeline.step_ms, "deleted")
    ]
    model.remove_frames([245, 246])
    qtbot.waitUntil(lambda: bool(gap_rows(model)))
    row = gap_rows(model)[0]
    assert model.item(row - 1).id == 247
    assert model.item(row + 1).id == 244
    assert model.row_of(245) is None


def test_a_gap_that_goes_on_until_now_is_replaced_not_doubled(
    model: TimelineModel, product: FakeProduct, qtbot
) -> None:
    timeline = product.timeline
    newest = timeline.start_ms + 250 * timeline.step_ms
    for length in (400_000, 500_000):
        timeline.gap_list = [Gap(newest, newest + length, "away")]
        assert model.add_new()
        qtbot.waitUntil(lambda length=length: gap_rows(model) == [0] and model.item(0).end_ms == newest + length)


def test_an_app_filter_shows_its_frames_and_no_gaps(model: TimelineModel, product: FakeProduct, qtbot) -> None:
    product.timeline.gap_list = [Gap(product.timeline.start_ms, product.timeline.start_ms + 10**7, "away")]
    with qtbot.waitSignal(model.loaded):
        model.show(Range(0, 2**53, "firefox"))
    assert {model.item(row).app_id for row in range(model.rowCount())} == {"firefox"}


def test_older_pages_are_fetched_until_a_wanted_frame_is_there(model: TimelineModel, qtbot) -> None:
    done: list[int | None] = []
    model.fetch_until(3, lambda: done.append(model.row_of(3)))
    qtbot.waitUntil(lambda: bool(done))
    assert model.item(done[0]).id == 3


def test_an_answer_for_a_range_no_longer_shown_is_dropped(model: TimelineModel, product: FakeProduct, qtbot) -> None:
    start = product.timeline.start_ms
    model.show(Range(start, start + 10 * product.timeline.step_ms))
    with qtbot.waitSignal(model.loaded):
        model.show(Range(start, start + 5 * product.timeline.step_ms))
    assert ids(model) == [4, 3, 2, 1]


def test_qt_finds_no_fault_in_what_the_model_tells_views(product: FakeProduct, calls: Calls, qtbot) -> None:
    model = TimelineModel(product.timeline, calls)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show(ALL)
    qtbot.waitUntil(lambda: model.row_of(1) is not None)  # the tester fetches all by itself
    product.timeline.gap_list = [Gap(product.timeline.start_ms, product.timeline.start_ms + 900_000, "away")]
    product.timeline.deleted.update(range(2, 30))
    model.remove_frames(list(range(2, 30)))
    product.keep_frame()
    qtbot.waitUntil(model.add_new)
    qtbot.waitUntil(lambda: model.row_of(251) == 0 and bool(gap_rows(model)))
    assert tester.model() is model


def test_one_of_a_hundred_thousand_frames_costs_one_page(calls: Calls, qtbot) -> None:
    product = FakeProduct(100_000, step_ms=1000)
    model = TimelineModel(product.timeline, calls)
    with qtbot.waitSignal(model.loaded):
        model.show(ALL)
    assert product.timeline.calls == ["frames", "gaps"]
    assert model.rowCount() == 100


def test_looking_again_takes_out_what_was_deleted_elsewhere(model: TimelineModel, product: FakeProduct, qtbot) -> None:
    held = QPersistentModelIndex(model.index(50))
    product.timeline.deleted.update((249, 240))
    assert model.add_new()
    qtbot.waitUntil(lambda: model.row_of(240) is None)
    assert ids(model)[:3] == [250, 248, 247]
    assert held.data(ITEM).id == 200
