"""One child process behind two pipes: asked from any thread, ended and collected without leaving a zombie."""

import contextlib
import os
import queue
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from biny_desktop.reading.ports import Picture
from biny_desktop.reading.wire import WireError, receive, send

_GRACE = 2.0  # s for the talking thread to let go of the pipes of a dead child


class Process:
    """One child process with the two threads that talk to it and collect it when it ends."""

    def __init__(self, command: list[str], idle_s: float) -> None:
        self.answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._requests: queue.Queue[tuple[dict[str, Any], Sequence[Picture]] | None] = queue.Queue()
        self._idle_s = idle_s
        self._popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self.pid = self._popen.pid
        self._talker = threading.Thread(target=self._talk, name="ocr-talk", daemon=True)
        self._talker.start()
        threading.Thread(target=self._popen.wait, name="ocr-collect", daemon=True).start()

    def ask(self, meta: dict[str, Any], pictures: Sequence[Picture]) -> "queue.Queue[dict[str, Any] | None]":
        """Send one unit; the answer, or None at the end of the child, comes into the queue."""
        self._requests.put((meta, pictures))
        return self.answers

    def ended(self) -> bool:
        """Whether no more units can be sent."""
        return self._popen.returncode is not None or not self._talker.is_alive()

    def memory(self) -> int:
        """Resident bytes now; 0 when it has ended."""
        import psutil  # type: ignore[import-untyped, unused-ignore]

        try:
            return int(psutil.Process(self.pid).memory_info().rss)
        except psutil.Error:
            return 0

    def end(self) -> None:
        """Kill and collect it; done when this returns."""
        self._popen.kill()
        self._requests.put(None)
        self._popen.wait()
        self._talker.join(_GRACE)

    def _talk(self) -> None:
        """Owns both pipes: one request, one answer; lets go of the child after a while without work."""
        stdin, stdout = self._popen.stdin, self._popen.stdout
        assert stdin is not None
        assert stdout is not None
        with contextlib.suppress(OSError, WireError):
            self._converse(stdin, stdout)
        self.answers.put(None)
        with contextlib.suppress(OSError):
            stdin.close()
        with contextlib.suppress(OSError):
            stdout.close()

    def _converse(self, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        while True:
            said = receive(stdout)
            if said is None:
                return
            self.answers.put(said[0])
            try:
                request = self._requests.get(timeout=self._idle_s)
            except queue.Empty:
                self.answers.put({"let_go": True})
                return
            if request is None:
                return
            send(stdin, *request)


def _environment() -> dict[str, str]:
    """This process's environment, with our own package found first and no search in the current folder."""
    home = str(Path(__file__).resolve().parents[2])
    paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
