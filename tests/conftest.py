"""Shared fixtures: a still environment, a real desktop started once a run, and a watch over what tests leave behind."""

import contextlib
import logging
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator

# Before anything of Qt, pynput or keyring is imported, here or in a child.
_HOME = tempfile.mkdtemp(prefix="biny-tests-")
for _name in [name for name in os.environ if name.startswith("BINY_")]:
    del os.environ[_name]
for _name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS",
              "XDG_SESSION_ID", "XAUTHORITY"):  # fmt: skip
    os.environ.pop(_name, None)  # no test touches the desktop of the person who runs it
os.environ.update(
    QT_QPA_PLATFORM="offscreen",
    PYNPUT_BACKEND="dummy",
    PYTHON_KEYRING_BACKEND="keyring.backends.fail.Keyring",
    LANGUAGE="C",
    LC_ALL="C.UTF-8",
    TZ="UTC",
    XDG_CONFIG_HOME=f"{_HOME}/config",
    XDG_DATA_HOME=f"{_HOME}/data",
    XDG_CACHE_HOME=f"{_HOME}/cache",
    XDG_STATE_HOME=f"{_HOME}/state",
    XDG_RUNTIME_DIR=_HOME,
)
time.tzset()

import psutil  # noqa: E402
import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

from tests.fakes.clock import FakeClock  # noqa: E402
from tests.fakes.desktop import Desktop, PrivateBus, running, x_server  # noqa: E402
from tests.fakes.model_server import ModelServer  # noqa: E402
from tests.waiting import wait_until  # noqa: E402

# Bounded for CI; by hand: `pytest --hypothesis-profile=long`.
settings.register_profile(
    "bounded", max_examples=40, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
settings.register_profile("long", max_examples=2_000, deadline=None)
settings.load_profile("bounded")

pytest_plugins = ["pytester"]

GRACE_S = 3.0
"""How long a thread or child that is already ending may take."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "logs_warning(*parts): log records of WARNING or above that contain one of these parts are expected"
    )


def pytest_unconfigure() -> None:
    shutil.rmtree(_HOME, ignore_errors=True)


class _Warnings(logging.Handler):
    """Keeps what was logged at WARNING or above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(f"{record.levelname} {record.name}: {record.getMessage()}")


def _live_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.is_alive() and not thread.daemon}


def _live_children() -> set[psutil.Process]:
    """Child processes but for the resource tracker, which multiprocessing keeps for the whole run."""
    found = set()
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.NoSuchProcess):
            if "resource_tracker" not in " ".join(child.cmdline()):
                found.add(child)
    return found


@pytest.fixture(autouse=True)
def leaves_nothing_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test after which a thread or child process lives on, or that logged a warning it did not announce."""
    threads, children = _live_threads(), _live_children()
    handler = _Warnings()
    logging.getLogger().addHandler(handler)
    yield
    logging.getLogger().removeHandler(handler)
    marker = request.node.get_closest_marker("logs_warning")
    expected = marker.args if marker else ()
    stray = [message for message in handler.messages if not any(part in message for part in expected)]
    deadline = time.monotonic() + GRACE_S
    while (_live_threads() - threads or _live_children() - children) and time.monotonic() < deadline:
        time.sleep(0.01)
    left = [f"thread {thread.name}" for thread in _live_threads() - threads]
    left += [f"process {child.pid} {child.name()}" for child in _live_children() - children if child.is_running()]
    assert not left, f"left behind: {left}"
    assert not stray, f"logged without being announced (pytest.mark.logs_warning): {stray}"


@pytest.fixture
def fake_clock() -> FakeClock:
    """A clock that stands still until the test moves it."""
    return FakeClock()


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A language-model server on the loopback that answers what the test scripts."""
    server = ModelServer()
    yield server
    server.close()


@pytest.fixture(scope="session")
def xvfb() -> Iterator[str]:
    """A real X server of 1600 × 1000; gives its display name."""
    with x_server() as server:
        yield server.display


@pytest.fixture(scope="session")
def openbox(xvfb: str) -> Iterator[str]:
    """A real window manager on it; gives the display name."""
    desktop = Desktop(xvfb)
    with running(["openbox", "--sm-disable"], desktop.env(), desktop.managed):
        yield xvfb


@pytest.fixture
def desktop(openbox: str) -> Iterator[Desktop]:
    """The display with its window manager; windows opened through it are closed after the test."""
    desktop = Desktop(openbox)
    desktop.xdotool("mousemove", 800, 500)
    yield desktop
    desktop.close()


@pytest.fixture
def tray_host(desktop: Desktop) -> Iterator[None]:
    """A tray at the lower edge that takes its place from the work area, and gives it back after the test."""

    def owned() -> bool:
        return any("DOCK" in desktop.xprop("-id", hex(each), "_NET_WM_WINDOW_TYPE") for each in desktop.listed())

    command = ["trayer", "--edge", "bottom", "--align", "right", "--SetDockType", "true", "--SetPartialStrut", "true",
               "--width", "200", "--widthtype", "pixel", "--height", "24"]  # fmt: skip
    with running(command, desktop.env(), owned):
        yield
    wait_until(lambda: not owned(), what="the tray is gone")


@pytest.fixture(scope="session")
def private_bus() -> Iterator[PrivateBus]:
    """A D-Bus daemon of our own, without services; its `address` is for both session and system bus."""
    bus = PrivateBus()
    bus.start()
    yield bus
    bus.close()
