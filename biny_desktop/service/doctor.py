"""Doctor: everything the app needs, looked at one by one, with what was chosen and why. Holds no captured text."""

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from biny_desktop import __version__
from biny_desktop.activity import event_store
from biny_desktop.activity.disk import space_of, stop_bytes
from biny_desktop.activity.model import Totals
from biny_desktop.capture.platforms.pick import Platform, pick
from biny_desktop.core.clock import local_zone, to_local
from biny_desktop.core.errors import BinyError, said
from biny_desktop.core.i18n import _
from biny_desktop.core.resources import resource
from biny_desktop.service.data_care.notices import notices
from biny_desktop.service.doctor_day import day_lines
from biny_desktop.service.product import Product
from biny_desktop.storage.rows import JsonValue

ADVICE_MS = 7 * 86_400_000
"""Advice about pictures is told for a week (ms)."""
SELF_TEST_WORDS = ("lighthouse", "2026")
"""What the test picture says; wording made for this project."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: `hint` says what to do, empty when nothing has to be done."""

    name: str
    state: Literal["ok", "warn", "bad"]
    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """All checks; `healthy` when none is bad."""

    checks: tuple[Check, ...]

    @property
    def healthy(self) -> bool:
        return all(check.state != "bad" for check in self.checks)

    def as_json(self) -> dict[str, JsonValue]:
        """A plain object for `--json`; the home folder is written as `~`."""
        return {"healthy": self.healthy, "checks": [dict(asdict(check)) for check in self.checks]}


def examine(product: Product, *, self_test: bool = False) -> Report:
    """Look at everything. With `self_test` a picture is read with the real OCR models (some seconds)."""
    checks = [
        Check(_("version"), "ok", f"Biny Desktop {__version__}, Python {sys.version.split()[0]}, {sys.platform}"),
        *_folders(product),
        *_database(product),
        *_settings(product),
        *_platform(product),
        *_recording(product),
        *_power(product),
        *_light(product),
        *_rows(product),
        *(Check(*line) for line in day_lines(product)),
        *_notices(product),
    ]
    if self_test:
        checks.append(_ocr(product))
    return Report(tuple(checks))


def _folders(product: Product) -> Iterator[Check]:
    data = product.folders.data
    yield _space(product, _("data folder"), data)
    pictures = product.folders.pictures
    if not pictures.is_dir():
        yield Check(_("pictures folder"), "bad", _("It is gone."), _("Connect its disk; it is not made anew."))
    elif pictures.parent != data:
        yield _space(product, _("pictures folder"), pictures)


def _space(product: Product, name: str, folder: Path) -> Check:
    space = space_of(folder)
    if space is None:
        return Check(name, "warn", _short(folder), _("Its free space cannot be told."))
    stop = stop_bytes(space.total, product.settings.current().pictures.disk_stop_mb)
    text = _("{folder}, {free} GB free").format(folder=_short(folder), free=f"{space.free / 1e9:.1f}")
    if space.free >= stop:
        return Check(name, "ok", text)
    return Check(name, "warn", text, _("Free some space; recording stops below {n} GB.").format(n=f"{stop / 1e9:.1f}"))


def _database(product: Product) -> Iterator[Check]:
    with product.database.read() as r:
        row = r.one("SELECT sqlite_version() AS sqlite, vec_version() AS vec")
        version = r.one("PRAGMA user_version")
    assert row is not None
    assert version is not None
    words = f"SQLite {row.text('sqlite')}, sqlite-vec {row.text('vec')}, schema {version.int('user_version')}"
    yield Check(_("database"), "ok", words)
    if product.key.place == "keyring":
        yield Check(_("encryption"), "ok", _("On; the key is in the system keyring."))
    elif product.key.place == "file":
        hint = _("Start a keyring service, or keep the config folder on an encrypted disk.")
        yield Check(_("encryption"), "warn", _("On, but the key is in a file: no keyring works here."), hint)
    else:
        yield Check(_("encryption"), "warn", _("Off by your setting."), "biny data encrypt on")


def _settings(product: Product) -> Iterator[Check]:
    product.settings.current()
    problem = product.settings.problem
    if problem is not None:
        yield Check(_("settings"), "bad", *said(problem)[1:])


def _platform(product: Product) -> Iterator[Check]:
    platform: Platform = product.recording.platform if product.recording else pick(product.clock)
    name = _("session")
    if platform.name == "null":
        why = platform.reasons[0].why if platform.reasons else ""
        yield Check(name, "warn", why, _("Recording needs a desktop session; all else works."))
    else:
        yield Check(name, "ok", platform.name)
    for choice in platform.reasons:
        refused = "; ".join(f"{other}: {why}" for other, why in choice.refused)
        missing = choice.chosen == "null" and platform.name != "null"
        words = f"{choice.chosen}: {choice.why}" + (f" ({refused})" if refused else "")
        yield Check(choice.port, "warn" if missing else "ok", words)
    if product.recording is None and platform.name != "null":
        try:
            sizes = ", ".join(f"{m.rect.w}×{m.rect.h} ×{m.scale:g}" for m in platform.screen.monitors())
            yield Check(_("monitors"), "ok" if sizes else "warn", sizes or _("None."))
        except BinyError as error:
            yield Check(_("monitors"), "warn", *_said(error))
        finally:
            for screen in platform.screens:
                screen.close()


def _recording(product: Product) -> Iterator[Check]:
    status = product.status()
    words = f"{status.state}" + (f" ({status.reason})" if status.reason else "")
    bad = status.state == "stalled"
    yield Check(_("recording"), "bad" if bad else "ok", words, status.advice)
    live = product.health()
    if live is not None:
        yield from _threads(live)
        yield from _jobs(live)
        source = status.input_source or "-"
        words = _("input by {input}, {dropped} dropped").format(input=source, dropped=status.dropped)
        yield Check(_("input"), "ok", words)
    if status.reduced_input:
        yield Check(_("input"), "warn", _("Reduced: only idle time and window changes are seen."))


def _power(product: Product) -> Iterator[Check]:
    """What the battery changes (spec 02 §10: shown)."""
    if not product.power.on_battery():
        return
    changed = [f"{each.key} {each.now} ({each.value})" for each in product.power.overlaid()]
    words = _("On battery; for now: {changes}").format(changes=", ".join(changed)) if changed else _("On battery.")
    yield Check(_("power"), "ok", words, _("Set them yourself to have them always.") if changed else "")


def _light(product: Product) -> Iterator[Check]:
    """The advice that ten almost white pictures in a row leave (spec 02 §2.6)."""
    now = product.clock.now_ms()
    with product.database.read() as r:
        advised = event_store.newest_of(r, "source", "over_exposed")
    if advised is not None and now - advised < ADVICE_MS:
        words = _("Pictures were almost white, with nothing to read on them.")
        yield Check(_("pictures"), "warn", words, _("Is this an HDR desktop? Switch HDR off while recording."))


def _threads(live: dict[str, JsonValue]) -> Iterator[Check]:
    threads, reader = live.get("threads"), live.get("reader")
    for item in threads if isinstance(threads, list) else []:
        if isinstance(item, dict):
            words = _("{restarts} restarts, last: {error}").format(
                restarts=item.get("restarts"), error=item.get("last_error") or "-"
            )
            yield Check(_("thread {name}").format(name=item.get("name")), "ok" if item.get("alive") else "bad", words)
    if isinstance(reader, dict):
        words = _("{n} pictures read, {restarts} restarts of the OCR process, last: {error}").format(
            n=reader.get("pictures_read"), restarts=reader.get("restarts"), error=reader.get("last_error") or "-"
        )
        resting = reader.get("resting_until_mono_ms") is not None
        yield Check(
            _("OCR process"), "warn" if resting else "ok", words, _("It rests for ten minutes.") if resting else ""
        )


def _jobs(live: dict[str, JsonValue]) -> Iterator[Check]:
    """What comes round by itself: what came of it last, and how long ago that was."""
    jobs = live.get("jobs")
    for item in jobs if isinstance(jobs, list) else []:
        if isinstance(item, dict):
            words = _("{outcome}: {result}; last success {done}, next {next}, {failures} failures").format(
                outcome=item.get("outcome"), result=item.get("result") or "-", done=_moment(item.get("done_at_ms")),
                next=_moment(item.get("next_at_ms")), failures=item.get("failures"),
            )  # fmt: skip
            state: Literal["ok", "warn"] = "warn" if item.get("outcome") == "failed" else "ok"
            yield Check(_("job {name}").format(name=_(str(item.get("name")))), state, words)


def _moment(at_ms: JsonValue) -> str:
    return f"{to_local(at_ms, local_zone()):%m-%d %H:%M}" if isinstance(at_ms, int) else "-"


def _rows(product: Product) -> Iterator[Check]:
    totals: Totals = product.timeline.totals()
    text = _("{frames} frames, {indexed} indexed, {texts} with text, {events} events").format(
        frames=totals.rows.frames, indexed=totals.indexed, texts=totals.texts, events=totals.events
    )
    whole = totals.rows.frames == totals.indexed
    yield Check(_("rows"), "ok" if whole else "warn", text, "" if whole else _("The index is built at the next start."))
    try:
        files = len(product.files.listed())
    except BinyError as error:
        yield Check(_("pictures"), "bad", *_said(error))
        return
    expected = totals.pictures_live + totals.pictures_pending
    text = _("{rows} in rows, {files} files, {size} MB").format(
        rows=totals.pictures_live, files=files, size=f"{totals.picture_bytes / 1e6:.1f}"
    )
    yield Check(_("pictures"), "ok" if files == expected else "warn", text)
    text = _("{queued} waiting, {parked} parked, {dropped} not read").format(
        queued=totals.rows.queued, parked=totals.rows.parked, dropped=totals.rows.not_read
    )
    yield Check(_("reading"), "warn" if totals.rows.parked else "ok", text)


def _notices(product: Product) -> Iterator[Check]:
    names = {"damage": _("damage"), "crash": _("crash"), "key_change": _("encryption")}
    for notice in notices(product.folders):
        text = f"{notice.text} ({_short(Path(notice.path))})" if notice.path else notice.text
        yield Check(names[notice.kind], "warn", text, notice.hint)


def _ocr(product: Product) -> Check:
    import numpy as np
    from PIL import Image

    from biny_desktop.reading.child import OcrChild
    from biny_desktop.reading.lines import read_picture
    from biny_desktop.reading.memory import LineMemory

    with Image.open(resource("selftest", "page.png")) as image:
        picture = np.ascontiguousarray(np.asarray(image.convert("RGB"))[:, :, ::-1])
    read = product.settings.current().read
    child = OcrChild(read.engine, read.threads, product.clock)
    try:
        reading = read_picture(picture, child, LineMemory(), None, monitor="self-test", frame_id=0, clock=product.clock)
    except BinyError as error:
        return Check(_("OCR self-test"), "bad", *_said(error))
    finally:
        child.close()
    missed = [word for word in SELF_TEST_WORDS if word not in reading.text.lower()]
    if missed:
        return Check(_("OCR self-test"), "bad", _("The test picture was not read."), _("Install the app anew."))
    return Check(_("OCR self-test"), "ok", _("Read a test picture in {ms} ms.").format(ms=reading.ms))


def _said(error: BinyError) -> tuple[str, str]:
    title, message, hint = said(error)
    return f"{title}: {message}", hint


def _short(path: Path) -> str:
    home = str(Path.home())
    text = str(path)
    return "~" + text[len(home) :] if text.startswith(home) and home != "/" else text
