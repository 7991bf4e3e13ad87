#!/usr/bin/env python3
"""One command from a fresh clone to the running app (`run`) or to a passed test suite (`test`).

Standard library only. Makes `.venv`, installs the app into it, checks the system libraries that Qt needs: as root they
are installed with apt, else the exact command is printed. Safe to run twice; exits non-zero when something failed.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"

QT_PACKAGES = [
    "libegl1", "libgl1", "libxkbcommon-x11-0", "libxcb-cursor0", "libxcb-icccm4", "libxcb-keysyms1", "libxcb-shape0",
    "libxcb-xinerama0", "libxcb-randr0", "libxcb-render-util0", "libxcb-image0", "libdbus-1-3", "libfontconfig1",
    "libglib2.0-0",
]  # fmt: skip
"""What the xcb platform plugin of PySide6 links to on Debian and Ubuntu."""
DISPLAY_PACKAGES = ["xvfb", "openbox", "xdotool", "fonts-dejavu-core", "fonts-noto-cjk"]
TEST_PACKAGES = [*DISPLAY_PACKAGES, "dbus", "trayer", "x11-utils", "x11-xserver-utils"]
BUILD_PACKAGES = ["gcc", "libc6-dev", "linux-libc-dev"]
"""`pynput` needs `evdev` on Linux, which is built from source."""


def say(text: str) -> None:
    print(f"bootstrap: {text}", flush=True)


def fail(text: str) -> "SystemExit":
    print(f"bootstrap: {text}", file=sys.stderr, flush=True)
    return SystemExit(1)


def venv_python() -> Path:
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def run(*command: str | Path, env: dict[str, str] | None = None) -> None:
    """Run a step; its failure ends the bootstrap with the same status."""
    done = subprocess.run([str(part) for part in command], cwd=ROOT, env=env, check=False)
    if done.returncode != 0:
        print(f"bootstrap: failed: {' '.join(str(part) for part in command)}", file=sys.stderr, flush=True)
        raise SystemExit(done.returncode if done.returncode > 0 else 1)


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def missing_packages(names: list[str]) -> list[str]:
    """Debian packages of the list that are not installed."""
    if not shutil.which("dpkg-query"):
        return []
    known = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *names],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    there = {line.split()[0] for line in known.splitlines() if line.endswith(" installed")}
    return [name for name in names if name not in there]


def ensure_packages(names: list[str], why: str) -> None:
    """Install system packages with apt as root, else print the command; a system without apt is left alone."""
    missing = missing_packages(names)
    if not missing:
        return
    command = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    if not is_root():
        say(f"{why} needs system packages; please run:\n  sudo {' '.join(command)}")
        return
    say(f"installing for {why}: {' '.join(missing)}")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for attempt in (1, 2):
        subprocess.run(["apt-get", "update", "-qq"], env=env, check=False)
        done = subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=False)
        if done.returncode == 0:
            return
        say(f"apt failed (try {attempt} of 2)")
        time.sleep(5)
    raise fail("the system packages could not be installed")


def ensure_compiler() -> None:
    """A C compiler and Python's headers, only where a package has to be built."""
    if not sys.platform.startswith("linux"):
        return
    if not (shutil.which("gcc") or shutil.which("cc")):
        ensure_packages(BUILD_PACKAGES, "building one small Python package")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        ensure_packages([f"python{sys.version_info.major}.{sys.version_info.minor}-dev"], "Python's headers")


def make_venv() -> None:
    if venv_python().exists():
        return
    say("making .venv")
    done = subprocess.run([sys.executable, "-m", "venv", str(VENV)], capture_output=True, text=True, check=False)
    if done.returncode != 0:  # Debian keeps venv in a package of its own
        shutil.rmtree(VENV, ignore_errors=True)
        ensure_packages(["python3-venv"], "the virtual environment")
        run(sys.executable, "-m", "venv", VENV)


def install(dev: bool) -> None:
    """Install the app (and the development packages) unless that was done for these very files already."""
    make_venv()
    pyproject = (ROOT / "pyproject.toml").read_bytes()
    pins = CONSTRAINTS.read_bytes() if CONSTRAINTS.exists() else b""
    wanted = hashlib.sha256(pyproject + pins + bytes([dev])).hexdigest()
    stamp = VENV / f"biny-installed-{'dev' if dev else 'run'}"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    ensure_compiler()
    say("installing the app and its packages (a few minutes the first time)")
    pip = [venv_python(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pinned = ["-c", CONSTRAINTS] if pins and sys.version_info[:2] == (3, 11) else []
    import tomllib  # here, so that an old Python still reaches the message that says it is too old

    extra = tomllib.loads(pyproject.decode())["dependency-groups"]["dev"] if dev else []
    run(*pip, *pinned, "-e", ".", *extra)
    stamp.write_text(wanted)


def check_qt() -> None:
    if sys.platform.startswith("linux"):
        ensure_packages(QT_PACKAGES, "the window (Qt)")
    probe = "import PySide6.QtWidgets"
    done = subprocess.run([venv_python(), "-c", probe], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise fail(f"Qt cannot be loaded: {done.stderr.strip().splitlines()[-1]}")


def has_display() -> bool:
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def command_run() -> int:
    install(dev=False)
    check_qt()
    if has_display():
        say("starting the tray app")
        return subprocess.run([venv_python(), "-m", "biny_desktop", "run"], cwd=ROOT, check=False).returncode
    say("no display: showing the demo on a virtual one")
    ensure_packages(DISPLAY_PACKAGES, "a virtual display")
    return subprocess.run([venv_python(), "-m", "biny_desktop", "demo"], cwd=ROOT, check=False).returncode


def command_test(rest: list[str]) -> int:
    install(dev=True)
    if sys.platform.startswith("linux"):
        ensure_packages(TEST_PACKAGES, "the tests")
    check_qt()
    tool = venv_python().parent
    for name, command in (
        ("ruff", [tool / "ruff", "check", "."]),
        ("ruff format", [tool / "ruff", "format", "--check", "--quiet", "."]),
        ("mypy", [tool / "mypy"]),
        ("import-linter", [tool / "lint-imports"]),
        ("deptry", [tool / "deptry", "."]),
        ("vulture", [tool / "vulture"]),
    ):
        say(name)
        run(*command)
    say("pytest")
    with tempfile.TemporaryDirectory(prefix="biny-test-") as home:
        env = {**os.environ, "BINY_HOME": home}
        return subprocess.run([tool / "pytest", *rest], cwd=ROOT, env=env, check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description="Set up Biny Desktop and start it, or test it.")
    parser.add_argument("what", choices=["run", "test"])
    known, rest = parser.parse_known_args()
    if sys.version_info < (3, 11):  # noqa: UP036  (said in words, for whoever starts it with an old one)
        raise fail(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}")
    return command_run() if known.what == "run" else command_test(rest)


if __name__ == "__main__":
    sys.exit(main())
