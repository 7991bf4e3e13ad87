"""The recorder on a Wayland desktop: windows by a real socket, pictures by a portal on a private bus."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from biny_desktop.capture.platforms.null import PollInput
from biny_desktop.capture.platforms.outputs import KeptLayout
from biny_desktop.capture.platforms.portal_screen import PortalScreen
from biny_desktop.capture.platforms.sway_windows import GET_OUTPUTS, GET_TREE, GET_WORKSPACES, SwayLayout, SwayWindows
from biny_desktop.capture.recorder import Recorder
from tests.capture.platforms.test_sway_windows import rect, tree, view
from tests.capture.rig import FakePlatform, Rig
from tests.fakes.compositor_sockets import FakeSway
from tests.fakes.desktop import PrivateBus
from tests.fakes.desktop_services import FakePortal

EDITOR = view(5, "editor", focused=True, rect=rect(0, 0, 400, 300))
SECRETS = view(6, "org.keepassxc.KeePassXC", type="floating_con", rect=rect(200, 100, 100, 50))
SPACE = rect(0, 0, 400, 300)
pytestmark = pytest.mark.logs_warning("input cannot be listened to", "a grab failed")


class WaylandRig(Rig):
    """A `Rig` whose windows and screen are those of Sway with one monitor of 400 × 300 units at scale 2."""

    def __init__(self, bus: PrivateBus, folder: Path) -> None:
        super().__init__()
        pictures = folder / "pictures"
        pictures.mkdir()
        outputs = [{"name": "DP-1", "active": True, "scale": 2.0, "rect": SPACE}]
        spaces = [{"output": "DP-1", "visible": True, "rect": SPACE}]
        self.sway = FakeSway(
            folder / "sway.sock", {GET_TREE: tree([EDITOR]), GET_OUTPUTS: outputs, GET_WORKSPACES: spaces}
        )
        self.portal = FakePortal(bus.address, pictures, np.full((600, 800, 3), 255, np.uint8))
        layout = KeptLayout(SwayLayout(str(self.sway.path)), self.clock)
        self.source = SwayWindows(str(self.sway.path), layout, own_pids={1})
        self.shots = PortalScreen(bus.address, self.clock, layout, prompt_s=2.0)
        platform = FakePlatform(self.source, PollInput(), self.presence, self.shots, [])
        self.recorder = Recorder(
            platform, self.sink, self.control, lambda: self.book, lambda: self.settings, self.clock, self.bus
        )
        self.presence.idle = 60_000

    def picture(self) -> np.ndarray[Any, Any]:
        kept = self.sink.frames[-1].picture
        assert kept is not None
        found = cv2.imdecode(np.frombuffer(kept.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
        assert found is not None
        return np.asarray(found)

    def close(self) -> None:
        self.source.stop()
        self.shots.close()
        self.portal.close()
        self.sway.close()


@pytest.fixture
def rig(private_bus: PrivateBus, tmp_path: Path) -> Iterator[WaylandRig]:
    made = WaylandRig(private_bus, tmp_path)
    yield made
    made.close()


def test_the_desktop_is_recorded_and_no_file_stays_behind(rig: WaylandRig) -> None:
    rig.begin()

    assert rig.triggers() == ["start"]
    frame = rig.sink.frames[0]
    assert (frame.window.app_id, frame.scale, frame.monitor_key) == ("editor", 2.0, "DP-1 800x600px +0+0")
    assert rig.picture().shape == (600, 800)
    assert rig.portal.files() == []


def test_a_private_window_beside_the_front_one_is_painted_at_its_place_in_pixels(rig: WaylandRig) -> None:
    rig.sway.answers[GET_TREE] = tree([EDITOR], [SECRETS])
    rig.begin()
    picture = rig.picture()

    assert picture[200:300, 400:600].max() < 250
    assert picture[:180].min() > 250
    assert picture[:, :380].min() > 250


def test_input_that_cannot_be_seen_is_polled_by_idle_time(rig: WaylandRig) -> None:
    rig.begin()
    rig.portal.picture = np.zeros((600, 800, 3), np.uint8)
    rig.portal.picture[:300] = 200
    rig.presence.idle = 200
    rig.run(2_000)
    rig.presence.idle = 60_000
    rig.run(6_000)

    assert rig.triggers() == ["start", "typing_pause"]


def test_a_refusal_is_no_permission_until_it_is_lifted(rig: WaylandRig) -> None:
    rig.portal.mode = "refuse"
    rig.begin()
    rig.run(20_000, 500)

    assert rig.sink.frames == []
    assert set(rig.skips()) == {"no_permission"}
    assert len(rig.portal.handles) == 1


def test_a_compositor_that_dies_means_unknown_and_nothing_is_recorded(rig: WaylandRig) -> None:
    rig.begin()
    rig.sway.close()
    rig.recorder.request_capture()
    rig.run(3_000)

    assert rig.triggers() == ["start"]
    assert "unknown_window" in rig.skips()
