"""Deleting: counts first, a receipt afterwards, errors with what was kept."""

from collections.abc import Iterator
from datetime import date

import pytest

from biny_desktop.activity.deletes import Selection
from biny_desktop.core.days import activity_range
from biny_desktop.core.errors import StorageError
from biny_desktop.core.i18n import use_language
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.delete import DeleteDialog
from biny_desktop.ui.dialogs.time_span import TimeSpan
from biny_desktop.ui.pages.activity.choices import choices
from tests.fakes.clock import START_MS
from tests.fakes.product_pages import FakeProduct

DAY = activity_range("2026-01-05", "UTC")


@pytest.fixture
def product() -> FakeProduct:
    return FakeProduct(20)


@pytest.fixture
def calls(qapp) -> Iterator[Calls]:
    use_language("en")
    made = Calls()
    yield made
    made.close()


@pytest.fixture
def dialog(product: FakeProduct, calls: Calls, qtbot) -> DeleteDialog:
    frame = product.timeline.frame(5).frame
    asked = choices(frame, (START_MS, START_MS + 600_000), DAY, date(2026, 1, 5))
    made = DeleteDialog(product.deletes, calls, asked, "UTC")
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(made.delete.isEnabled)
    return made


def last(product: FakeProduct) -> Selection:
    return product.deletes.previewed[-1]


def test_the_smallest_choice_comes_first_and_is_counted(dialog: DeleteDialog, product: FakeProduct) -> None:
    assert last(product) == Selection.of_frames(5)
    assert dialog.facts.texts()["Frames"] == "1"
    assert not product.deletes.ran


@pytest.mark.parametrize(
    ("key", "selection"),
    [
        ("app_day", Selection.of_app("org.gnome.terminal", DAY.start_ms, DAY.end_ms)),
        ("app", Selection.of_app("org.gnome.terminal")),
        ("day", Selection.of_day(DAY)),
        ("range", Selection.of_range(START_MS, START_MS + 600_000)),
    ],
)
def test_every_choice_is_counted_as_what_it_says(
    dialog: DeleteDialog, product: FakeProduct, qtbot, key: str, selection: Selection
) -> None:
    dialog.choose(key)
    qtbot.waitUntil(dialog.delete.isEnabled)
    assert last(product) == selection


def test_a_range_can_be_typed_and_a_wrong_one_cannot_be_deleted(
    dialog: DeleteDialog, product: FakeProduct, qtbot
) -> None:
    dialog.choose("range")
    dialog.span.end.clear()
    qtbot.keyClicks(dialog.span.end, "2026-01-05 01:0")
    assert "Write times as" not in dialog.note.text()
    dialog.span.end.clear()
    qtbot.keyClicks(dialog.span.end, "soon")
    assert "Write times as" in dialog.note.text()
    assert not dialog.delete.isEnabled()


def test_the_receipt_says_what_went_from_where(dialog: DeleteDialog, product: FakeProduct, qtbot) -> None:
    with qtbot.waitSignal(dialog.deleted):
        dialog.delete.click()
    assert product.deletes.ran == [Selection.of_frames(5)]
    assert dialog.heading.text() == "Deleted"
    assert dialog.facts.texts()["Search entries"] == "1"
    assert dialog.note.text().startswith("Counted again afterwards")
    assert dialog.cancel.text() == "Close"


def test_an_error_says_what_happened_and_leaves_the_dialog_usable(
    dialog: DeleteDialog, product: FakeProduct, qtbot
) -> None:
    product.deletes.error = StorageError("The disk is full", "Nothing was deleted.", "Make room.")
    dialog.delete.click()
    qtbot.waitUntil(lambda: "Make room." in dialog.note.text())
    assert dialog.cancel.isEnabled()
    dialog.reject()
    assert not dialog.isVisible()


def test_it_cannot_be_closed_in_the_middle(dialog: DeleteDialog, qtbot) -> None:
    with qtbot.waitSignal(dialog.deleted):
        dialog.delete.click()
        dialog.reject()
        assert dialog.isVisible()


def test_times_are_those_of_the_zone_of_the_rows(qtbot) -> None:
    span = TimeSpan("Asia/Kolkata")
    qtbot.addWidget(span)
    span.set_range(START_MS, START_MS + 60_000)
    assert span.start.text() == "2026-01-05 05:30"
    assert span.range() == (START_MS, START_MS + 60_000)
