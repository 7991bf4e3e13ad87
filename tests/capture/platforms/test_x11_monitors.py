"""Work areas cut by docks, without a server."""

import pytest

from biny_desktop.capture.platforms.x11_monitors import without_struts
from biny_desktop.core.geometry import Rect

BOUNDS = Rect(0, 0, 3520, 1080)
LARGE, SMALL = Rect(0, 0, 1920, 1080), Rect(1920, 0, 1600, 900)


def strut(**sides: tuple[int, int, int]) -> tuple[int, ...]:
    """EWMH numbers from (size, span start, span end) by side."""
    given = [sides.get(side, (0, 0, 0)) for side in ("left", "right", "top", "bottom")]
    return (*[size for size, _, _ in given], *[end for _, start, stop in given for end in (start, stop)])


@pytest.mark.parametrize(
    ("dock", "large", "small"),
    [
        (strut(top=(28, 0, 1919)), Rect(0, 28, 1920, 1052), SMALL),
        (strut(bottom=(220, 1920, 3519)), LARGE, Rect(1920, 0, 1600, 860)),
        (strut(left=(64, 0, 1079)), Rect(64, 0, 1856, 1080), SMALL),
        (strut(right=(48, 0, 899)), LARGE, Rect(1920, 0, 1552, 900)),
        (strut(left=(5000, 0, 1079)), LARGE, SMALL),
        (strut(), LARGE, SMALL),
    ],
    ids=["top of one", "bottom of the shorter one", "left", "right", "broken", "none"],
)
def test_a_dock_takes_its_place_from_its_own_monitor_only(dock: tuple[int, ...], large: Rect, small: Rect) -> None:
    assert without_struts(LARGE, BOUNDS, [dock]) == large
    assert without_struts(SMALL, BOUNDS, [dock]) == small


def test_two_docks_add_up() -> None:
    docks = [strut(top=(30, 0, 1919)), strut(bottom=(40, 0, 1919))]

    assert without_struts(LARGE, BOUNDS, docks) == Rect(0, 30, 1920, 1010)
