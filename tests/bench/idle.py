"""What recording costs while nothing happens: the real app on a real X server, CPU and memory of the process.

Run as `python -m tests.bench.idle --minutes 10 --json`; one JSON object on stdout, progress on stderr. Keys:
`cpu_percent` of one core over the time, `rss_mb` of the app at the end without the OCR child, `rss_start_mb`,
`minutes`, `frames`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from tests.fakes.desktop import Desktop, running, x_server
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
SETTLE_S = 20.0
"""Start-up work (imports, first frame, first reading) ends within this time."""


def measure(minutes: float, say: bool = True) -> dict[str, float | int]:
    """Run the app with one still window in front and look at its process."""
    with x_server() as server, tempfile.TemporaryDirectory(prefix="biny-idle-") as folder:
        desktop = Desktop(server.display)
        with running(["openbox", "--sm-disable"], desktop.env(), desktop.managed):
            env = desktop.env(QT_QPA_PLATFORM="xcb", XDG_RUNTIME_DIR=folder, BINY_CAPTURE__ENABLED="true")
            page = desktop.open_window("A still page", "still", text=["nothing changes here"])
            command = [sys.executable, "-m", "biny_desktop", "--home", f"{folder}/home"]
            app = subprocess.Popen([*command, "run", "--window"], cwd=ROOT, env=env)
            try:
                wait_until(lambda: _status(command, env)["running"], 60, "the app runs")
                desktop.focus(page)  # without a tray the app's own window came to the front
                return _watch(app, minutes, say) | {"frames": _status(command, env)["frames"]}
            finally:
                app.terminate()
                app.wait(30)
                desktop.close()


def _watch(app: "subprocess.Popen[bytes]", minutes: float, say: bool) -> dict[str, float | int]:
    time.sleep(SETTLE_S)
    process = psutil.Process(app.pid)
    before, begun = sum(process.cpu_times()[:2]), time.monotonic()
    start_mb = process.memory_info().rss / 1e6
    while time.monotonic() - begun < minutes * 60:
        time.sleep(min(30.0, minutes * 60))
        if say:
            print(f"{(time.monotonic() - begun) / 60:.1f} min", file=sys.stderr)
    spent, wall = sum(process.cpu_times()[:2]) - before, time.monotonic() - begun
    return {
        "cpu_percent": round(100 * spent / wall, 2),
        "rss_mb": round(process.memory_info().rss / 1e6, 1),
        "rss_start_mb": round(start_mb, 1),
        "minutes": minutes,
    }


def _status(command: list[str], env: dict[str, str]) -> dict[str, int]:
    done = subprocess.run([*command, "status", "--json"], cwd=ROOT, env=env, capture_output=True, check=True)
    return dict(json.loads(done.stdout))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    for name in [name for name in os.environ if name.startswith("BINY_")]:
        del os.environ[name]
    result = measure(asked.minutes)
    if asked.json:
        print(json.dumps(result))
    else:
        print("\n".join(f"{key:14} {value}" for key, value in result.items()))


if __name__ == "__main__":
    main()
