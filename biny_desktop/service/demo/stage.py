"""Where the demo plays: the display (an own virtual one when there is none), its windows and its hands (xdotool)."""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import UnavailableError

SCREEN = "1600x1000x24"
COMMAND_S = 10.0


@dataclass(frozen=True, slots=True)
class Stage:
    """A display that is ready; `env` is for every child, `virtual` says whether it is our own."""

    env: Mapping[str, str]
    virtual: bool


@contextlib.contextmanager
def stage(clock: Clock, env: Mapping[str, str] = os.environ) -> Iterator[Stage]:
    """The current X display, or an own Xvfb; with a window manager if none runs there. Ended with the block.

    Raises:
        UnavailableError: there is no display and no Xvfb, or no xdotool to use the windows with.
    """
    if not shutil.which("xdotool"):
        raise UnavailableError("The demo needs xdotool", "It moves the pointer and types.", "Install xdotool.")
    with contextlib.ExitStack() as stack:
        virtual = not env.get("DISPLAY")
        number = stack.enter_context(_xvfb()) if virtual else env["DISPLAY"]
        child_env = {**env, "DISPLAY": number, "QT_QPA_PLATFORM": "xcb"}
        child_env.pop("WAYLAND_DISPLAY", None)
        if shutil.which("openbox"):  # ends by itself where a window manager runs already
            stack.enter_context(_process(["openbox"], child_env))
            _wait_for_manager(child_env, clock)
        yield Stage(child_env, virtual)


def _wait_for_manager(env: Mapping[str, str], clock: Clock) -> None:
    """Until a window manager answers; a window opened before that would not come to the front."""
    deadline = clock.mono_ms() + COMMAND_S * 1000
    while clock.mono_ms() < deadline:
        done = subprocess.run(["xdotool", "get_desktop"], env=dict(env), capture_output=True, check=False)
        if done.returncode == 0:
            return
        clock.wait(0.1)


@contextlib.contextmanager
def _xvfb() -> Iterator[str]:
    if not shutil.which("Xvfb"):
        raise UnavailableError(
            "There is no display", "And no Xvfb to make a virtual one.", "Install xvfb, or start it in a session."
        )
    read_end, write_end = os.pipe()
    command = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(command, pass_fds=[write_end], stdout=quiet, stderr=quiet)
    os.close(write_end)
    try:
        with os.fdopen(read_end) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise UnavailableError("The virtual display did not start", "Xvfb ended.", "Run Xvfb by hand to see why.")
        yield f":{number}"
    finally:
        _end(server)


@contextlib.contextmanager
def _process(command: list[str], env: Mapping[str, str]) -> Iterator[None]:
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, env=dict(env), stdout=quiet, stderr=quiet, stdin=quiet)
    try:
        yield
    finally:
        _end(process)


class DemoWindow:
    """One window of the demo in its own process; `close` ends it."""

    def __init__(self, kind: str, env: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "biny_desktop.ui.demo_window", kind],
            env=dict(env), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        words = self._process.stdout.readline().split()
        if len(words) != 2 or words[0] != "window":
            self.close()
            raise UnavailableError("A demo window did not open", f"The {kind} window ended.", "Run `biny doctor`.")
        self.window_id = words[1]

    def close(self) -> None:
        """End the process; may be called twice."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        _end(self._process)


class Hands:
    """Real input through xdotool, only ever into the window meant."""

    def __init__(self, stage: Stage, clock: Clock) -> None:
        self._env = dict(stage.env)
        self._clock = clock

    def front(self, window: DemoWindow) -> None:
        """Bring a window to the front and wait until it is there."""
        self._do("windowactivate", "--sync", window.window_id)

    def type(self, window: DemoWindow, text: str) -> None:
        """Type into a window that is in front; nothing is typed when another one is."""
        if self._do("getactivewindow").strip() == window.window_id:
            self._do("type", "--delay", "40", "--", text)

    def click(self, window: DemoWindow, x: int, y: int) -> None:
        """Click at a place inside a window (pixels)."""
        self._do("mousemove", "--window", window.window_id, str(x), str(y), "click", "1")

    def rest(self, seconds: float) -> None:
        """Look at the screen for a while."""
        self._clock.wait(seconds)

    def _do(self, *words: str) -> str:
        done = subprocess.run(
            ["xdotool", *words], env=self._env, capture_output=True, text=True, timeout=COMMAND_S, check=False
        )
        if done.returncode != 0:
            raise UnavailableError("The demo cannot use its windows", done.stderr.strip()[:200], "Leave them open.")
        return done.stdout


def _end(process: "subprocess.Popen[str] | subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
