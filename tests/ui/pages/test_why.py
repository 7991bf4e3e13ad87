"""The tables of why and why not, in words."""

from dataclasses import replace

from biny_desktop.activity.model import ReasonCount
from biny_desktop.ui.item_models.table import Row, TableModel
from biny_desktop.ui.pages.activity.why import kept_rows, missed_rows
from tests.fakes.product_pages import FakeTimeline

TIMELINE = FakeTimeline(10)


def cells(rows: list[Row]) -> dict[str, str]:
    return {row.cells[0]: row.cells[1] for row in rows if not row.heading}


def test_a_kept_frame_says_occasion_change_size_reading_and_hidden_secrets() -> None:
    said = cells(kept_rows(TIMELINE.frame(5)))
    assert said["Occasion"] == "Mouse click"
    assert said["Change"] == "Parts of the picture changed"
    assert said["Also"] == "Pause after typing × 2"
    assert said["On disk"] == "182 kB"
    assert said["Mail address"] == "1"
    assert said["Comparing"] == "3.4 ms"
    assert said["State"] == "Read"
    assert said["Changed tiles"].startswith("28 of 576")


def test_a_frame_whose_picture_went_says_so_and_keeps_the_rest() -> None:
    detail = TIMELINE.frame(5)
    gone = replace(detail, frame=replace(detail.frame, picture_state="gone"), picture_bytes=0)
    said = cells(kept_rows(gone))
    assert said["Size"] == "Picture gone"
    assert "On disk" not in said
    assert said["State"] == "Read"


def test_unknown_codes_and_values_are_shown_as_they_are() -> None:
    detail = replace(
        TIMELINE.frame(5), change_reason="later_idea", why={"new_thing": [1, 2], "flag": True, "empty": "", "n": 0}
    )
    said = cells(kept_rows(detail))
    assert said["Change"] == "later idea"
    assert said["New thing"] == "1, 2"
    assert said["Flag"] == "yes"
    assert "Empty" not in said


def test_reasons_come_with_counts_most_frequent_first() -> None:
    rows = missed_rows(
        [ReasonCount("skip", "same_tiny", 2, 0), ReasonCount("skip", "same_caret", 1_234, 60_000)], "UTC"
    )
    assert [row.cells for row in rows] == [
        ("Only the text cursor blinked", "1,234", "00:01"),
        ("Only something tiny ticked", "2", "00:00"),
    ]
    assert "1970" in rows[0].tip


def test_equal_rows_do_not_reset_a_table(qtbot) -> None:
    model = TableModel(("a", "b"))
    model.fill([Row(("1", "2"))])
    with qtbot.assertNotEmitted(model.modelReset):
        model.fill([Row(("1", "2"))])
