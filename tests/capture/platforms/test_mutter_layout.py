"""GNOME's monitors, from a DisplayConfig on a private bus."""

from typing import Any

import pytest

from biny_desktop.capture.platforms.mutter_layout import MutterLayout, layout_of
from biny_desktop.core.geometry import Rect
from tests.fakes.desktop import PrivateBus
from tests.fakes.desktop_services import FakeMutter


def test_logical_places_become_pixels_of_the_largest_scale(private_bus: PrivateBus) -> None:
    service, source = FakeMutter(private_bus.address), MutterLayout(private_bus.address)
    layout = source.layout()
    service.close()
    source.close()

    assert layout is not None
    assert [each.rect for each in layout.outputs] == [Rect(0, 0, 1920, 1080), Rect(1920, 0, 1080, 1920)]
    assert [each.rect for each in layout.monitors()] == [Rect(0, 0, 3840, 2160), Rect(3840, 0, 2160, 3840)]
    assert [each.key for each in layout.monitors()] == ["DP-1 600x340mm +0+0", "HDMI-1 2160x3840px +3840+0"]
    assert [each.scale for each in layout.monitors()] == [2.0, 2.0]


def test_physical_places_stay_as_they_are(private_bus: PrivateBus) -> None:
    service, source = FakeMutter(private_bus.address, physical=True), MutterLayout(private_bus.address)
    layout = source.layout()
    service.close()
    source.close()

    assert layout is not None
    assert [each.rect for each in layout.monitors()] == [Rect(0, 0, 3840, 2160), Rect(3840, 0, 1080, 1920)]
    assert [each.scale for each in layout.monitors()] == [2.0, 1.0]


def test_without_mutter_nothing_is_known(private_bus: PrivateBus) -> None:
    source = MutterLayout(private_bus.address)
    assert source.layout() is None
    source.close()


@pytest.mark.parametrize("state", [(), (1,), (1, [], [(0,)], {}), (1, [], [], None), ("x", 1, 2, 3)])
def test_an_answer_of_another_shape_is_no_layout(state: tuple[Any, ...]) -> None:
    assert layout_of(state) is None


def test_no_monitor_is_an_empty_layout() -> None:
    layout = layout_of((1, [], [], {}))
    assert layout is not None
    assert layout.monitors() == []
