"""The composition root: the only module that knows every package; builds the object graph and starts a front end."""

import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from biny_desktop.service.closed_work import ClosedWork
    from biny_desktop.service.product import Product
    from biny_desktop.service.recording import LiveRecording
    from biny_desktop.service.settings_store import SettingsStore
    from biny_desktop.storage.keys import Keyring


def open_product(home: Path | None = None, keyring: "Keyring | None" = None) -> "Product":
    """Open a home: folders, settings, key, database, and everything that reads and writes rows. Records nothing.

    Args:
        home: the folder for config, data and logs; None: `BINY_HOME`, else where this system keeps such things.
        keyring: where the key is kept; None: the system's.

    Raises:
        BinyError: a folder is not safe, the key is missing or wrong, the database is newer or cannot be used.
    """
    from biny_desktop.activity.deletes import Deletes
    from biny_desktop.activity.disk import DiskGuard
    from biny_desktop.activity.held import HeldGrabs
    from biny_desktop.activity.pins import Pins
    from biny_desktop.activity.read_queue import FrameReadQueue
    from biny_desktop.activity.relocate import PictureMove
    from biny_desktop.activity.retention import Retention
    from biny_desktop.activity.search import KeywordSearch
    from biny_desktop.activity.timeline import Timeline
    from biny_desktop.capture.rules_store import StoredTextRules
    from biny_desktop.core.clock import SystemClock
    from biny_desktop.core.events import EventBus
    from biny_desktop.models.chat_client import ChatClient
    from biny_desktop.models.client import ModelClient
    from biny_desktop.service.chat_parts import ChatNeeds, make_chat_parts
    from biny_desktop.service.control import RecordingControl
    from biny_desktop.service.data_care.opening import open_home
    from biny_desktop.service.day_parts import make_day_parts
    from biny_desktop.service.logs import start_logging
    from biny_desktop.service.models_care import ModelCare
    from biny_desktop.service.power import PowerProfile
    from biny_desktop.service.privacy import PrivacyCare
    from biny_desktop.service.product import Product
    from biny_desktop.service.redactors import CurrentRedactor
    from biny_desktop.service.settings_store import SettingsStore
    from biny_desktop.storage.folders import prepare, resolve
    from biny_desktop.storage.keys import SystemKeyring
    from biny_desktop.storage.model_keys import ModelKeys

    folders = prepare(resolve(home))
    start_logging(folders, debug=bool(os.environ.get("BINY_DEBUG")))
    events, clock = EventBus(), SystemClock()
    settings = SettingsStore(folders, events)
    ring = keyring or SystemKeyring()
    home_open = open_home(folders, ring, clock, encrypt_new=settings.current().storage.encryption == "on")
    database, files = home_open.database, home_open.files
    grabs = HeldGrabs(clock)
    power = PowerProfile(settings.current, clock)
    redactor = CurrentRedactor(settings.current, database, clock)
    keys = ModelKeys(folders, ring)
    client = ModelClient(database, settings.current, keys, clock)
    day = make_day_parts(folders, database, redactor, settings.current, clock, events, client)
    search = KeywordSearch(database, settings.current, clock)
    talk = make_chat_parts(
        ChatNeeds(
            folders=folders, db=database, secret=home_open.key.secret, redactor=redactor, settings=settings.current,
            clock=clock, events=events, client=client,
            model=ChatClient(database, settings.current, keys, clock), embedder=day.embedder.current, screens=search,
        )
    )  # fmt: skip
    indexes = (day.frame_vectors, day.segment_vectors, talk.message_vectors)
    return Product(
        folders=folders,
        settings=settings,
        database=database,
        files=files,
        key=home_open.key,
        presence=home_open.presence,
        clock=clock,
        events=events,
        redactor=redactor,
        power=power,
        privacy=PrivacyCare(database, clock, settings, events, redactor),
        client=client,
        models=ModelCare(database, settings, keys, client, clock, events, day.embedder, indexes),
        segments=day.segments,
        keeper=day.keeper,
        segment_edits=day.segment_edits,
        segment_search=day.segment_search,
        analysis=day.analysis,
        reports=day.reports,
        meaning=day.meaning,
        sweep=day.sweep,
        timeline=Timeline(database, files, settings.current, clock),
        search=search,
        chat=talk.chat,
        approvals=talk.approvals,
        imports=talk.imports,
        exports=talk.exports,
        projects=talk.projects,
        message_search=talk.message_search,
        message_sweep=talk.message_sweep,
        deletes=Deletes(database, files, settings.current, clock, events),
        retention=Retention(database, files, settings.current, clock, events),
        pins=Pins(database, redactor, clock, events),
        disk=DiskGuard(database, files, settings.current, clock, events),
        move=PictureMove(database, files, folders),
        read_queue=FrameReadQueue(
            database, files, redactor, power.settings, clock, events, grabs,
            StoredTextRules(database, clock),
        ),
        held=grabs,
        control=RecordingControl(database, settings, clock),
    )  # fmt: skip


def make_recording(product: "Product", env: Mapping[str, str] = os.environ) -> "LiveRecording":
    """Recorder and reader of a home, for the display of `env`; not started. Sweeps what a killed run left.

    Raises:
        StorageError: the database cannot be used.
    """
    from biny_desktop.activity.frames import FrameWriter
    from biny_desktop.activity.recover import recover
    from biny_desktop.activity.screening import Screener
    from biny_desktop.activity.text_keeping import TextKeeping
    from biny_desktop.capture.platforms.pick import pick
    from biny_desktop.capture.recorder import Recorder
    from biny_desktop.capture.rules_store import StoredRules, StoredTextRules
    from biny_desktop.reading.child import OcrChild
    from biny_desktop.reading.reader import Reader
    from biny_desktop.service.jobs import day_jobs, keeping_jobs
    from biny_desktop.service.quiet import Quiet
    from biny_desktop.service.recording import LiveRecording, reading_allowed
    from biny_desktop.service.schedule import Schedule

    product.move.settle()
    recover(product.database, product.files, product.deletes, product.clock)
    platform = pick(product.clock, env)
    rules, text_rules = StoredRules(product.database, product.clock), StoredTextRules(product.database, product.clock)
    writer = FrameWriter(
        product.database, product.files, product.redactor, product.settings.current, product.clock, product.events,
        screen=text_rules, held=product.held, disk=product.disk,
    )  # fmt: skip
    screener = Screener(
        writer, product.read_queue, product.redactor, product.settings.current, text_rules, product.events
    )
    recorder = Recorder(
        platform, writer, product.control, rules.book, product.power.settings, product.clock, product.events,
        hit=rules.hit, screening=screener,
    )  # fmt: skip
    read = product.settings.current().read
    allowed = reading_allowed(product.clock.mono_ms, lambda: recorder.health().input_ms, product.power.on_battery)
    reader = Reader(
        screener,
        OcrChild(read.engine, read.threads, product.clock),
        product.clock,
        idle_ok=allowed,
    )
    schedule = Schedule(product.clock)
    quiet = Quiet(product.clock.mono_ms, lambda: recorder.health().input_ms, product.power.on_battery)
    for job in (
        *keeping_jobs(
            product.retention, product.deletes, product.move, product.disk, product.database, product.clock, allowed
        ),
        *day_jobs(
            product.keeper, product.analysis, product.reports, product.sweep, product.message_sweep,
            TextKeeping(product.database, product.settings.current, product.clock), product.settings.current, quiet,
        ),
    ):  # fmt: skip
        schedule.add(job)
    return LiveRecording(product, platform, recorder, reader, schedule, held=screener.waiting)


def _before_opening(home: Path | None) -> Callable[[], None]:
    """What the starting app does while the home is still closed: crash files on, encryption as the setting says."""
    from biny_desktop.core.clock import SystemClock
    from biny_desktop.core.events import EventBus
    from biny_desktop.service.crash import watch_for_crashes
    from biny_desktop.service.data_care.encryption import follow_setting
    from biny_desktop.service.logs import start_logging
    from biny_desktop.service.settings_store import SettingsStore
    from biny_desktop.storage.folders import prepare, resolve
    from biny_desktop.storage.keys import SystemKeyring

    folders, clock = prepare(resolve(home)), SystemClock()
    start_logging(folders, debug=bool(os.environ.get("BINY_DEBUG")))
    wanted = SettingsStore(folders, EventBus()).current().storage.encryption == "on"
    follow_setting(folders, SystemKeyring(), clock, wanted=wanted)
    return watch_for_crashes(folders, clock)


def _settle_heap() -> None:
    """Have the garbage collector leave what is loaded until now alone: it stays, and a look through all of it stops
    every thread for 25 ms and more, some times a minute."""
    gc.unfreeze()  # of the run before, where a home was closed and opened again
    gc.collect()
    gc.freeze()


def _open_or_ask(home: Path | None) -> "Product":
    """Open the home; where a window can be shown a fault is shown in one, and the person may type a lost key.

    Raises:
        BinyError: as `open_product`, when there is no window or the person quits.
    """
    from biny_desktop.core.errors import BinyError
    from biny_desktop.service.data_care.care import care_of
    from biny_desktop.service.headless import has_display

    while True:
        try:
            return open_product(home)
        except BinyError as error:
            if not has_display():
                raise
            from biny_desktop.ui.start_trouble import ask_again

            if not ask_again(error, care_of(home)):
                raise


class AppBackend:
    """Implements `cli.output.Backend`."""

    def open(self, home: Path | None) -> "Product":
        """Open the home's product; nothing starts to record."""
        return open_product(home)

    def settings(self, home: Path | None) -> "SettingsStore":
        """The settings of a home, without opening its database."""
        from biny_desktop.core.events import EventBus
        from biny_desktop.service.settings_store import SettingsStore
        from biny_desktop.storage.folders import private_folder, resolve

        folders = resolve(home)
        private_folder(folders.config)
        return SettingsStore(folders, EventBus())

    def run(self, home: Path | None, *, window: bool) -> int:
        """Start the tray app and stay; a second start brings the first one's window to the front."""
        from biny_desktop.core.errors import UnavailableError
        from biny_desktop.service.local_server import ask
        from biny_desktop.service.single import InstanceLock
        from biny_desktop.storage.folders import prepare, resolve

        lock = InstanceLock(prepare(resolve(home)))
        if not lock.take():
            answer = ask(resolve(home), {"do": "show"})
            if "error" in answer:
                raise UnavailableError("Biny is already running", "But it does not answer.", "Try again.")
            return 0
        try:
            return self._run_locked(home, window=window)
        finally:
            lock.release()

    def _run_locked(self, home: Path | None, *, window: bool) -> int:
        while True:
            status, work = self._run_open(home, window=window)
            if work is None:
                return status
            from biny_desktop.ui.closed_work import run_closed

            run_closed(work)  # asked for in the window, which is gone and comes back
            window = True

    def _run_open(self, home: Path | None, *, window: bool) -> "tuple[int, ClosedWork | None]":
        from biny_desktop.service.headless import has_display, stay
        from biny_desktop.service.supervisor import log_unfinished

        end_crash_watch = _before_opening(home)
        product = _open_or_ask(home)
        try:
            recording = make_recording(product)
            if has_display():
                # Before any thread starts: Qt's binding walks all loaded modules while it is imported, and a module
                # that another thread loads meanwhile ends the process (seen once, in a test run).
                from biny_desktop.ui.application import run_gui
            _settle_heap()
            recording.start()
            product.chat.start()
            if not has_display():
                sys.stderr.write(
                    "There is no display: nothing is recorded and no window is shown. See `biny doctor`.\n"
                )
                stay()
                log_unfinished(recording.stop())
                return 0, None
            show = window or not product.control.enabled()
            status = run_gui(product, on_quit=lambda: log_unfinished(recording.stop()), show=show)
            return status, product.closed_work
        finally:
            product.close()
            end_crash_watch()

    def demo(self, home: Path | None, *, say: bool) -> Mapping[str, object]:
        """Drive the demo in its own home; returns its account."""
        import tempfile

        from biny_desktop.core.clock import SystemClock
        from biny_desktop.service.demo import account, play
        from biny_desktop.service.demo.stage import stage
        from biny_desktop.service.single import InstanceLock
        from biny_desktop.storage.folders import prepare, resolve

        chosen = home or Path(os.environ.get("BINY_HOME") or tempfile.mkdtemp(prefix="biny-demo-"))

        def tell(text: str) -> None:
            sys.stderr.write(f"demo: {text}\n")
            sys.stderr.flush()

        with InstanceLock(prepare(resolve(chosen))), stage(SystemClock()) as scene:
            product = open_product(chosen)
            try:
                play.claim_home(product)
                recording = make_recording(product, scene.env)
                recording.start()
                try:
                    play.play(scene, product, tell)
                    play.drain(product, tell)
                finally:
                    recording.stop()
                    product.resume()
                play.understand(product, tell)
                story = account.account(product)
            finally:
                product.close()
        if say:
            for line in account.in_words(story):
                sys.stdout.write(line + "\n")
        return story


def run_cli(arguments: Sequence[str]) -> int:
    """The command line; returns the exit status."""
    from biny_desktop.cli.main import main

    return main(AppBackend(), arguments)
