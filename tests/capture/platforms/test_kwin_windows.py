"""Windows and monitors from a KWin on a private bus, and the script that is put into it."""

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from biny_desktop.capture.platforms import kwin_windows
from biny_desktop.capture.platforms.kwin_windows import OWN_NAME, PLUGIN, KwinWindows
from biny_desktop.capture.platforms.outputs import Layout, Output
from biny_desktop.capture.ports import Unknown, WindowInfo
from biny_desktop.core.geometry import Rect
from biny_desktop.core.resources import resource
from tests.fakes.dbus_services import BusService
from tests.fakes.desktop import PrivateBus
from tests.fakes.desktop_services import FakeKwin
from tests.fakes.layouts import NoLayout
from tests.waiting import wait_until


def window(name: str, **more: Any) -> dict[str, Any]:
    rect = {"x": 10, "y": 20, "width": 300, "height": 200}
    return {"id": f"{{{name}}}", "class": name, "app": "", "title": f"title of {name}", "pid": 4_000_000, "rect": rect,
            "dialog": False, "seen": True, **more}  # fmt: skip


STATE: dict[str, Any] = {
    "front": "{Konsole}",
    "windows": [window("plasmashell"), window("hidden", seen=False), window("", title="bare"), window("Konsole")],
    "screens": [
        {"name": "DP-1", "rect": {"x": 0, "y": 0, "width": 1920, "height": 1080}, "scale": 2,
         "work": {"x": 0, "y": 0, "width": 1920, "height": 1040}},
        {"name": "HDMI-1", "rect": {"x": 1920, "y": 0, "width": 1280, "height": 1024}, "scale": 1},
    ],
}  # fmt: skip
Start = Callable[[], KwinWindows]


@pytest.fixture
def kwin(private_bus: PrivateBus) -> Iterator[FakeKwin]:
    service = FakeKwin(private_bus.address, STATE)
    yield service
    service.close()


@pytest.fixture
def start(private_bus: PrivateBus) -> Iterator[Start]:
    made: list[KwinWindows] = []

    def begin() -> KwinWindows:
        source = KwinWindows(private_bus.address, NoLayout(), own_pids={1}, retry_s=(0.05,))
        source.start(lambda: None)
        made.append(source)
        return source

    yield begin
    for source in made:
        source.stop()


def known(source: KwinWindows) -> WindowInfo:
    def info() -> WindowInfo | None:
        front = source.front()
        return front if isinstance(front, WindowInfo) else None

    found = wait_until(info)
    assert found is not None
    return found


@pytest.mark.parametrize("plasma", [5, 6])
def test_the_script_is_loaded_and_tells_the_front_window(private_bus: PrivateBus, start: Start, plasma: int) -> None:
    service = FakeKwin(private_bus.address, STATE, plasma=plasma)
    source = start()

    assert known(source) == WindowInfo(
        "kwin:{Konsole}", "konsole", "Konsole", 4_000_000, "title of Konsole", Rect(20, 40, 600, 400)
    )
    assert service.loaded[PLUGIN] == str(resource("desktop", "kwin-windows.js"))
    service.close()


def test_visible_windows_come_lowest_first_with_unknown_ones(kwin: FakeKwin, start: Start) -> None:
    source = start()
    known(source)
    found = source.visible()

    assert found is not None
    assert [each.app_id for each in found] == ["plasmashell", "", "konsole"]
    assert found[1].rect == Rect(20, 40, 600, 400)


def test_monitors_come_with_the_windows(kwin: FakeKwin, start: Start) -> None:
    source = start()
    layout = wait_until(source.layout)

    assert layout is not None
    left, right = layout.monitors()
    assert (left.rect, left.work_area) == (Rect(0, 0, 3840, 2160), Rect(0, 0, 3840, 2080))
    assert (right.rect, right.work_area) == (Rect(3840, 0, 2560, 2048), Rect(3840, 0, 2560, 2048))


def test_a_change_is_told_and_seen(kwin: FakeKwin, private_bus: PrivateBus) -> None:
    told = threading.Event()
    source = KwinWindows(private_bus.address, NoLayout())
    source.start(told.set)
    known(source)
    told.clear()
    kwin.state = {**STATE, "front": "{plasmashell}"}
    kwin.tell()
    assert told.wait(5)
    assert known(source).app_id == "plasmashell"
    source.stop()


def test_what_was_sent_before_the_question_is_seen_at_once(kwin: FakeKwin, start: Start) -> None:
    source = start()
    known(source)
    for app in ("plasmashell", "Konsole") * 20:
        kwin.state = {**STATE, "front": f"{{{app}}}"}
        kwin.tell()
        front = source.front()
        assert isinstance(front, WindowInfo)
        assert front.app_id == app.lower()


def test_the_script_is_taken_out_again(kwin: FakeKwin, start: Start) -> None:
    source = start()
    known(source)
    source.stop()
    source.stop()

    assert kwin.loaded == {}


def test_a_second_process_leaves_the_script_of_the_first_alone(kwin: FakeKwin, start: Start) -> None:
    first = start()
    known(first)
    second = start()
    wait_until(lambda: second.front() == Unknown("name_taken"))
    second.stop()

    assert PLUGIN in kwin.loaded
    assert known(first).app_id == "konsole"


def test_a_script_left_behind_is_replaced(private_bus: PrivateBus, start: Start) -> None:
    service = FakeKwin(private_bus.address, STATE)
    service.loaded[PLUGIN] = "/gone.js"

    assert known(start()).app_id == "konsole"
    service.close()


def test_a_script_that_somebody_took_out_is_put_in_again(
    kwin: FakeKwin, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kwin_windows, "RELOAD_S", 0.0)
    source = start()
    known(source)
    kwin.loaded.clear()
    kwin.state = {**STATE, "front": "{plasmashell}"}

    assert known(source).app_id == "plasmashell"
    assert kwin.runs >= 2


def test_without_screens_places_come_from_the_other_layout_or_are_unknown(
    kwin: FakeKwin, private_bus: PrivateBus, start: Start
) -> None:
    class Doubled(NoLayout):
        def layout(self) -> Layout:
            return Layout.logical([Output("a", Rect(0, 0, 100, 100), 2.0)])

    kwin.state = {**STATE, "screens": []}
    blind = start()
    assert known(blind).rect is None
    assert blind.visible() is None
    blind.stop()
    source = KwinWindows(private_bus.address, Doubled())
    source.start(lambda: None)
    assert known(source).rect == Rect(20, 40, 600, 400)
    assert source.visible()
    source.stop()


def test_a_script_that_was_loaded_but_never_ran_is_put_in_anew(
    kwin: FakeKwin, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kwin_windows, "RELOAD_S", 0.0)
    kwin.mute = True
    source = start()
    wait_until(lambda: kwin.runs)
    assert isinstance(source.front(), Unknown)
    kwin.mute = False

    assert known(source).app_id == "konsole"


def test_a_new_kwin_gets_the_script_anew(private_bus: PrivateBus, start: Start) -> None:
    first = FakeKwin(private_bus.address, STATE)
    source = start()
    known(source)
    first.close()
    wait_until(lambda: source.front() == Unknown("no_kwin"))
    assert source.visible() is None
    second = FakeKwin(private_bus.address, STATE)

    assert known(source).app_id == "konsole"
    assert second.runs == 1
    second.close()


def test_a_kwin_that_hangs_is_a_timeout_whatever_it_said_before(kwin: FakeKwin, start: Start) -> None:
    source = start()
    known(source)
    kwin.silent = True
    assert source.front() == Unknown("timeout")
    kwin.silent = False
    known(source)


def test_a_refused_script_and_a_taken_name_are_told(private_bus: PrivateBus, start: Start) -> None:
    service = FakeKwin(private_bus.address, STATE)
    service.refuses = True
    source = start()
    wait_until(lambda: source.front() == Unknown("kwin_refused"))
    source.stop()
    other = BusService(private_bus.address, OWN_NAME, {})
    second = start()
    wait_until(lambda: second.front() == Unknown("name_taken"))
    other.close()
    service.close()


@pytest.mark.parametrize("text", ["nonsense", "[]", "{}", '{"front": 3}', '{"front": "{Konsole}", "windows": [1]}'])
def test_nonsense_is_unknown(kwin: FakeKwin, start: Start, text: str) -> None:
    source = start()
    known(source)
    kwin.tell(text)

    assert source.front() == Unknown("no_front_window")
    assert source.visible() is None
    assert source.layout() is None


def test_what_somebody_else_sends_does_not_count(kwin: FakeKwin, start: Start, private_bus: PrivateBus) -> None:
    source = start()
    known(source)
    forger = FakeKwin.__new__(FakeKwin)
    forger.state, forger.plasma, forger.loaded = {"front": ""}, 6, {}
    forger.refuses = forger.silent = forger.mute = False
    super(FakeKwin, forger).__init__(private_bus.address, "org.example.Forger")
    forger.tell()
    forger.close()

    assert known(source).app_id == "konsole"


def test_without_kwin_the_reason_is_kwin(start: Start) -> None:
    assert start().front() == Unknown("no_kwin")


def test_without_a_bus_nothing_is_known() -> None:
    source = KwinWindows("unix:path=/nowhere/bus", NoLayout(), retry_s=(0.05,))
    source.start(lambda: None)
    assert source.front() == Unknown("no_bus")
    source.stop()


WORLD = """
const sent = [];
function signal() {
    const slots = [];
    return { connect: (slot) => slots.push(slot), fire: (...args) => slots.forEach((slot) => slot(...args)) };
}
function client(id, more) {
    return Object.assign({ internalId: id, resourceClass: id, caption: "t " + id, pid: 5, desktops: [{ id: "d1" }],
        desktop: 1, activities: [], minimized: false, hidden: false, onAllDesktops: false, captionChanged: signal(),
        frameGeometry: { x: 1, y: 2, width: 30.5, height: 40 } }, more);
}
const a = client("a"), b = client("b", { minimized: true }), c = client("c", { desktops: [{ id: "d2" }], desktop: 2 });
function callDBus(...args) { sent.push(args); }
const KWin = { MaximizeArea: 2 };
const common = { currentActivity: "x", screensChanged: signal(), stackingOrder: [c, b, a] };
const screen = { name: "DP-1", geometry: { x: 0, y: 0, width: 1920, height: 1080 }, devicePixelRatio: 1.5 };
const workspace = PLASMA === 6
    ? Object.assign(common, { windowList: () => [a, b, c], activeWindow: a, currentDesktop: { id: "d1" },
          clientArea: () => ({ x: 0, y: 0, width: 1920, height: 1040 }), screens: [screen],
          windowActivated: signal(), windowAdded: signal() })
    : Object.assign(common, { clientList: () => [a, b, c], activeClient: a, currentDesktop: 1,
          clientActivated: signal(), clientAdded: signal() });
"""
AFTER = """
a.caption = "new"; a.captionChanged.fire();
const d = client("d"); common.stackingOrder.push(d);
(workspace.windowAdded || workspace.clientAdded).fire(d);
d.caption = "late"; d.captionChanged.fire();
var result = JSON.stringify(sent);
"""


@pytest.mark.parametrize("plasma", [5, 6])
def test_the_script_itself_tells_windows_and_changes(qapp: object, plasma: int) -> None:
    from PySide6.QtQml import QJSEngine  # the very engine that KWin runs scripts in

    script = resource("desktop", "kwin-windows.js").read_text(encoding="utf-8")
    engine = QJSEngine()
    done = engine.evaluate(f"const PLASMA = {plasma};{WORLD}{script}{AFTER}")
    assert not done.isError(), done.toString()
    sent = json.loads(engine.globalObject().property("result").toString())

    assert {tuple(each[:4]) for each in sent} == {
        ("org.biny_desktop.Windows", "/org/biny_desktop/Windows", "org.biny_desktop.Windows", "Update")
    }
    states = [json.loads(each[4]) for each in sent]
    assert [each["front"] for each in states] == ["a"] * 4
    assert [(each["id"], each["seen"]) for each in states[0]["windows"]] == [("c", False), ("b", False), ("a", True)]
    assert [each["windows"][-1]["title"] for each in states] == ["t a", "new", "t d", "late"]
    expected = [{"name": "DP-1", "rect": {"x": 0, "y": 0, "width": 1920, "height": 1080}, "scale": 1.5,
                 "work": {"x": 0, "y": 0, "width": 1920, "height": 1040}}]  # fmt: skip
    assert states[0]["screens"] == (expected if plasma == 6 else [])
