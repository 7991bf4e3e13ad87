"""`python -m biny_desktop`, `biny` and `biny-desktop`."""

import sys

from biny_desktop.app import run_cli


def main() -> int:
    """The command line with this process's arguments."""
    return run_cli(sys.argv[1:])


def main_gui() -> int:
    """`biny-desktop`: the tray app, as a desktop file starts it."""
    return run_cli(["run", "--window"])


if __name__ == "__main__":
    sys.exit(main())
