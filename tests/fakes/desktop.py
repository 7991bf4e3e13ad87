"""A real desktop for tests: X server, window manager, tray host and bus as child processes, and windows to look at."""

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
SCREEN = (1600, 1000)
READY_S = 20.0
END_S = 5.0

_BUS_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


def end(process: subprocess.Popen[Any]) -> None:
    """Ask a process of ours to end, then make it; its pipes are closed."""
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
    process.wait()


def read_line(stream: IO[bytes], timeout: float = READY_S) -> str:
    """One line of an unbuffered pipe, within a deadline; "" at its end."""
    deadline, line = time.monotonic() + timeout, b""
    while not line.endswith(b"\n"):
        ready, _, _ = select.select([stream], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"no answer within {timeout} s"
        char = os.read(stream.fileno(), 1)
        if not char:
            break
        line += char
    return line.decode().strip()


def need(program: str) -> str:
    """The path of a program the tests of real parts cannot do without."""
    found = shutil.which(program)
    assert found, f"{program} is not installed; the tests of real parts need it (see the README)"
    return found


@dataclass(frozen=True)
class XServer:
    """A running X server."""

    display: str
    process: subprocess.Popen[bytes]

    @contextlib.contextmanager
    def hanging(self) -> Iterator[None]:
        """Within this the server answers nothing."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)


@contextlib.contextmanager
def x_server(width: int = SCREEN[0], height: int = SCREEN[1], *extra: str) -> Iterator[XServer]:
    """An X server on a free display number."""
    reader, writer = os.pipe()
    command = [need("Xvfb"), "-displayfd", str(writer), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp",
               "-noreset", "+extension", "RANDR", "+extension", "XTEST", *extra]  # fmt: skip
    process = subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader, "rb", buffering=0) as pipe:
            number = read_line(pipe)
        assert number, "Xvfb did not start"
        yield XServer(f":{number}", process)
    finally:
        end(process)


@contextlib.contextmanager
def running(
    command: Sequence[str], env: Mapping[str, str], ready: Callable[[], object]
) -> Iterator[subprocess.Popen[bytes]]:
    """A quiet child process, given once `ready` is true."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([need(command[0]), *command[1:]], env=dict(env), stdin=quiet, stdout=quiet, stderr=quiet)
    try:
        wait_until(lambda: process.poll() is not None or ready(), READY_S, f"{command[0]} ready")
        assert process.poll() is None, f"{command[0]} ended at once"
        yield
    finally:
        end(process)


class PrivateBus:
    """A D-Bus daemon of our own with no services; `kill` and `start` again keep its address."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="biny-bus-"))
        self._socket = self._folder / "bus"
        self.address = f"unix:path={self._socket}"
        self._config = self._folder / "bus.conf"
        self._config.write_text(_BUS_CONFIG.format(socket=self._socket), encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [need("dbus-daemon"), f"--config-file={self._config}", "--nofork", "--nopidfile", "--print-address=1"]
        self._process = subprocess.Popen(
            command, bufsize=0, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self._process.stdout is not None
        assert read_line(self._process.stdout), "dbus-daemon did not start"

    def kill(self) -> None:
        """End the daemon; every client is cut off."""
        if self._process is not None:
            end(self._process)
            self._process = None
        self._socket.unlink(missing_ok=True)

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)


class Window:
    """A real window in a child process; `id` as xdotool and the recorder call it."""

    def __init__(self, env: Mapping[str, str], options: Mapping[str, object]) -> None:
        command = [sys.executable, "-m", "tests.fakes.windows", json.dumps(options)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=dict(env), bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self.process.stdout is not None
        self.id = read_line(self.process.stdout)
        assert self.id, "the window did not open"

    @property
    def pid(self) -> int:
        return self.process.pid

    def change(self, **options: object) -> None:
        """Change title, cls, text, color, geometry, or iconify; done and drawn when it returns."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(options).encode() + b"\n")
        assert read_line(self.process.stdout) == "ok"

    def close(self) -> None:
        end(self.process)


class Desktop:
    """A display with a window manager, and what a person can do on it."""

    def __init__(self, display: str) -> None:
        self.display = display
        self._windows: list[Window] = []

    def env(self, **more: str) -> dict[str, str]:
        """The environment of a program on this display."""
        return {**os.environ, "DISPLAY": self.display, **more}

    def xdotool(self, *args: object) -> str:
        """Real input and window commands; gives what it prints."""
        command = [need("xdotool"), *[str(arg) for arg in args]]
        done = subprocess.run(command, env=self.env(), capture_output=True, text=True, timeout=READY_S, check=False)
        assert done.returncode == 0, f"xdotool {args}: {done.stderr}"
        return done.stdout.strip()

    def xprop(self, *args: str) -> str:
        """What xprop prints, "" when it fails."""
        command = [need("xprop"), *args]
        return subprocess.run(command, env=self.env(), capture_output=True, text=True, check=False).stdout.strip()

    def xwininfo(self, window: Window) -> str:
        """What xwininfo prints about a window."""
        command = [need("xwininfo"), "-id", window.id]
        return subprocess.run(command, env=self.env(), capture_output=True, text=True, check=True).stdout

    def active(self) -> int:
        """The id of the active window; 0 for none (openbox goes on naming the last one when it is gone)."""
        words = self.xprop("-root", "_NET_ACTIVE_WINDOW").split()
        active = int(words[-1], 16) if words and words[-1].startswith("0x") else 0
        return active if active in self.listed() else 0

    def listed(self) -> list[int]:
        """Ids of the windows that the manager manages."""
        ids = self.xprop("-root", "_NET_CLIENT_LIST").partition("#")[2].split(",")
        return [int(each, 16) for each in ids if each.strip()]

    def open_window(
        self,
        title: str = "window",
        cls: str | None = "TestApp",
        geometry: tuple[int, int, int, int] = (100, 100, 640, 400),
        color: str = "#ffffff",
        text: Sequence[str] = (),
        **options: object,
    ) -> Window:
        """Open a window and wait until it is drawn and, if managed, active. See `tests.fakes.windows` for options."""
        named = {} if {"wm_name", "title_hex"} & set(options) else {"title": title}
        window = Window(
            self.env(), {**named, "cls": cls, "geometry": geometry, "color": color, "text": list(text), **options}
        )
        self._windows.append(window)
        if not options.get("unmanaged") and self.managed():
            wait_until(lambda: self.active() == int(window.id, 16), what="the new window is active")
        return window

    def managed(self) -> bool:
        """Whether a window manager runs."""
        return "window id" in self.xprop("-root", "_NET_SUPPORTING_WM_CHECK")

    def focus(self, window: Window) -> None:
        """Bring a window to the front as a person does; returns when it is active."""
        self.xdotool("windowactivate", window.id)
        wait_until(lambda: self.active() == int(window.id, 16), what="the window is active")

    def close(self) -> None:
        """Close every window that was opened here and wait until the display is bare again."""
        for window in self._windows:
            window.close()
        if self._windows and self.managed():
            ids = [hex(int(window.id, 16)) for window in self._windows]
            wait_until(
                lambda: not any(each in self.xprop("-root", "_NET_CLIENT_LIST") for each in ids),
                what="windows are gone",
            )
        self._windows.clear()
