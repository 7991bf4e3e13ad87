"""Times, durations and sizes read as spec 09 says, in both languages."""

from datetime import UTC, date, datetime

import pytest

from biny_desktop.core.i18n import use_language
from biny_desktop.ui import formats

ZONE = "Asia/Shanghai"


@pytest.fixture(autouse=True)
def _english():
    use_language("en")
    yield
    use_language("en")


def ms(*parts: int) -> int:
    return int(datetime(*parts, tzinfo=UTC).timestamp() * 1000)


NOW = ms(2026, 3, 5, 6, 32)  # Thursday 14:32 in Shanghai


@pytest.mark.parametrize(
    ("at", "english", "chinese"),
    [
        (ms(2026, 3, 5, 6, 30), "14:30", "14:30"),
        (ms(2026, 3, 4, 16, 5), "00:05", "00:05"),
        (ms(2026, 3, 4, 15, 55), "Wed 23:55", "周三 23:55"),
        (ms(2026, 2, 27, 2, 0), "Fri 10:00", "周五 10:00"),
        (ms(2026, 2, 26, 2, 0), "26 February", "2月26日"),
        (ms(2025, 12, 31, 2, 0), "31 December 2025", "2025年12月31日"),
        (ms(2026, 3, 6, 6, 0), "6 March", "3月6日"),
    ],
)
def test_a_moment_is_as_short_as_it_can_be(at: int, english: str, chinese: str) -> None:
    assert formats.moment(at, ZONE, NOW) == english
    use_language("zh_CN")
    assert formats.moment(at, ZONE, NOW) == chinese


def test_the_full_moment_gives_local_and_utc() -> None:
    assert formats.full_moment(NOW, ZONE) == (
        "Thursday, 5 March 2026 14:32:00 (Asia/Shanghai)\nThursday, 5 March 2026 06:32:00 (UTC)"
    )
    use_language("zh_CN")
    assert formats.full_moment(NOW, ZONE).startswith("2026年3月5日 星期四 14:32:00 (Asia/Shanghai)")


@pytest.mark.parametrize(
    ("length", "english", "chinese"),
    [
        (400, "less than 1 s", "不到 1 秒"),
        (12_000, "12 s", "12 秒"),
        (41 * 60_000 + 30_000, "41 min", "41 分钟"),
        (161 * 60_000, "2 h 41 min", "2 小时 41 分钟"),
        (7_200_000, "2 h", "2 小时"),
        (76 * 3_600_000 + 60_000, "3 d 4 h", "3 天 4 小时"),
        (86_400_000 + 60_000, "1 d", "1 天"),
    ],
)
def test_a_duration_has_at_most_two_parts(length: int, english: str, chinese: str) -> None:
    assert formats.duration(length) == english
    use_language("zh_CN")
    assert formats.duration(length) == chinese


def test_days_close_by_have_names() -> None:
    today = date(2026, 3, 5)
    assert formats.day_title(today, today) == "Today"
    assert formats.day_title(date(2026, 3, 4), today) == "Yesterday"
    assert formats.day_title(date(2026, 3, 3), today) == "Tuesday, 3 March"
    use_language("zh_CN")
    assert formats.day_title(date(2026, 3, 3), today) == "3月3日 星期二"


def test_ranges_sizes_and_numbers() -> None:
    assert formats.time_range(NOW, NOW + 38 * 60_000, ZONE) == "14:32–15:10"
    assert formats.time_range(NOW, NOW + 1_000, ZONE) == "14:32"
    assert formats.clock_time(NOW, ZONE, seconds=True) == "14:32:00"
    sizes = [formats.bytes_size(n) for n in (0, 812, 14_000, 1_400_000, 999_600, 3_200_000_000, 2 * 10**12)]
    assert sizes == ["0 B", "812 B", "14 kB", "1.4 MB", "1.0 MB", "3.2 GB", "2.0 TB"]
    assert formats.number(12_345) == "12,345"
