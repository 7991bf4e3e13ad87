"""Photographs what a person sees when something went wrong: key lost, database damaged, disk full, after a restore.

`python -m tests.e2e.trouble_screenshots --out DIR`
"""

import argparse
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tests.e2e.screenshots import LANGUAGES, SIZES, THEMES, StillRecording, filled_home, settle, shown
from tests.fakes.desktop import x_server
from tests.fakes.homes import MemoryKeyring

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget

    from biny_desktop.service.product import Product
    from biny_desktop.service.status import Status
PAGE_BYTES = 4_096


class FullDisk(StillRecording):
    """A recorder that the disk guard stopped."""

    def status(self) -> "Status":
        from biny_desktop.core.i18n import _
        from biny_desktop.service.recording import ADVICE

        return replace(super().status(), state="stalled", reason="disk_low", advice=_(ADVICE["disk_low"]))


def main() -> int:
    """Take all pictures; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    with x_server() as server, filled_home(None) as home:
        os.environ.update(DISPLAY=server.display, QT_QPA_PLATFORM="xcb")
        from biny_desktop.ui.application import make_application

        app = make_application()
        for theme in THEMES:
            for language in LANGUAGES:
                photograph_all(app, home, out, theme, language)
    return 0


def photograph_all(app: "QApplication", home: Path, out: Path, theme: str, language: str) -> None:
    """Every trouble in one theme and language, each on a copy of the home."""
    name = f"{theme}-{language}"
    with opened(home, theme, language) as product:
        product.recording = FullDisk(product)
        with shown(app, product) as shell:
            shell.window.resize(*SIZES[""])
            settle(app, lambda: shell.watch.last is not None and not shell.calls.busy())
            shell.window.grab().save(str(out / f"trouble-disk-{name}.png"))
    with opened(home, theme, language, damage=True) as product:
        product.recording = StillRecording(product)
        with shown(app, product) as shell:
            shell.window.resize(*SIZES[""])
            settle(app, lambda: not shell.calls.busy())
            shell.window.grab().save(str(out / f"trouble-database-{name}.png"))
    photograph_dialogs(app, home, out, name)


def photograph_dialogs(app: "QApplication", home: Path, out: Path, name: str) -> None:
    """The lost key, and a restore that was done."""
    from biny_desktop.core.clock import SystemClock
    from biny_desktop.core.errors import WrongKeyError
    from biny_desktop.core.i18n import _
    from biny_desktop.service.closed_work import ClosedWork
    from biny_desktop.service.data_care.care import Care
    from biny_desktop.storage.folders import resolve
    from biny_desktop.storage.keys import read_identity, stored_key
    from biny_desktop.ui.calls import Calls
    from biny_desktop.ui.closed_work import ClosedWorkWindow
    from biny_desktop.ui.start_trouble import StartTrouble

    care = Care(resolve(home), MemoryKeyring(), SystemClock())
    calls = Calls()
    identity = replace(read_identity(care.folders.identity_file), place="keyring")
    try:
        stored_key(care.folders, care.keyring, identity)
    except WrongKeyError as error:
        take(app, StartTrouble(error, care, calls), out / f"trouble-key-{name}.png")
    words = " ".join(
        (
            _("Restored {n} files, {size}.").format(n=302, size="2.1 MB"),
            _("What was there before: {path}").format(path="~/.local/share/biny/before-restore-20260301"),
        )
    )
    work = ClosedWorkWindow(ClosedWork(_("Restoring"), lambda watch: words), calls)
    settle(app, lambda: not calls.busy())
    take(app, work, out / f"trouble-restored-{name}.png")
    calls.close()


def take(app: "QApplication", window: "QWidget", path: Path) -> None:
    """Show, photograph and close a window."""
    window.show()
    settle(app, lambda: True)
    window.grab().save(str(path))
    window.close()
    window.deleteLater()


@contextlib.contextmanager
def opened(home: Path, theme: str, language: str, *, damage: bool = False) -> Iterator["Product"]:
    """A copy of the home, opened; with `damage` some pages of its database are zeroed first."""
    from biny_desktop.app import open_product
    from biny_desktop.storage.database import suspicion_of
    from biny_desktop.storage.folders import resolve

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "home"
        shutil.copytree(home, copy)
        database = resolve(copy).database_file
        if damage:
            with database.open("r+b") as file:
                file.seek(database.stat().st_size // PAGE_BYTES // 2 * PAGE_BYTES)
                file.write(bytes(PAGE_BYTES))
            suspicion_of(database).touch()
        with contextlib.closing(open_product(copy)) as product:
            product.set_setting("capture.enabled", "true")
            product.set_setting("ui.theme", theme)
            product.set_setting("ui.language", language)
            yield product


if __name__ == "__main__":
    sys.exit(main())
