"""The program as a user starts it: a process with a home of its own, and the command line beside it."""

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.fakes.desktop import Desktop
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (sys.executable, "-m", "biny_desktop")
SLOW_S = 90.0
"""Reading a page takes up to 20 s on a slow machine."""


class App:
    """A home with the tray app running in it, and the command line beside it."""

    def __init__(self, home: Path, desktop: Desktop, program: Sequence[str] = PROGRAM) -> None:
        """`program`: what is started instead of the usual one."""
        self.home = home
        self.env = desktop.env(QT_QPA_PLATFORM="xcb", XDG_RUNTIME_DIR=str(home.parent), BINY_DEBUG="1")
        for key, value in {"capture.enabled": "true", "capture.merge_ms": "3000", "read.every": "1",
                           "storage.encryption": "off"}.items():  # fmt: skip
            self.ask("config", "set", key, value)
        self.process = subprocess.Popen(
            [*program, *self._command("run")[len(PROGRAM) :]],
            cwd=ROOT,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        wait_until(lambda: self.process.poll() is not None or self.status()["running"], SLOW_S, "the app runs")
        if self.process.poll() is not None:
            raise AssertionError(self.process.communicate()[1])

    def _command(self, *words: str) -> list[str]:
        return [*PROGRAM, "--home", str(self.home), *words]

    def ask(self, *words: str) -> dict:
        done = subprocess.run(
            self._command(*words, "--json"), cwd=ROOT, env=self.env, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    def status(self) -> dict:
        return self.ask("status")

    def frames(self) -> list[dict]:
        return self.ask("activity", "list", "--limit", "100")["items"]

    def events(self) -> list[dict]:
        return self.ask("activity", "list", "--events", "--limit", "500")["items"]

    def start_again(self) -> int:
        return subprocess.run(self._command("run"), cwd=ROOT, env=self.env, timeout=60, check=False).returncode

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=60)
        return self.process.returncode
