"""Times of other programs."""

import pytest

from biny_desktop.conversation.importers.times import Instant, missing, raw_time, read_time
from biny_desktop.storage.rows import JsonValue

AT = 1_741_600_001_250


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (1741600001.25, Instant(AT)),
        (1741600001250, Instant(AT)),
        (1741600001250000, Instant(AT)),
        ("1741600001.25", Instant(AT)),
        ("2025-03-10T09:46:41.250Z", Instant(AT)),
        ("2025-03-10T09:46:41.250000+00:00", Instant(AT)),
        ("2025-03-10T17:46:41.250+08:00", Instant(AT, "Etc/GMT-8")),
        ("2025-03-10T05:46:41.250-04:00", Instant(AT, "Etc/GMT+4")),
        ("2025-03-10T15:16:41.250+05:30", Instant(AT)),
        ("2025-03-10T09:46:41.250", Instant(AT)),
        ("2025-03-10 09:46", Instant(AT - 41_250)),
        ("2025/3/10 9:46", Instant(AT - 41_250)),
    ],
)
def test_every_way_to_write_a_moment(value: JsonValue, found: Instant) -> None:
    assert read_time(value) == found


@pytest.mark.parametrize(
    "value", ["yesterday", True, [], {}, 0, -5, 1e300, float("nan"), "2025-13-45", "9999-01-01", "1e400", "--"]
)
def test_what_is_no_moment(value: JsonValue) -> None:
    assert read_time(value) is None


def test_a_missing_time_is_no_bad_one() -> None:
    assert missing(None)
    assert missing(" ")
    assert not missing("soon")
    assert raw_time("x" * 500) == "x" * 64
    assert raw_time(None) == ""
