"""`biny data`: back up, verify, restore, rehearse, encryption and the recovery key."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from biny_desktop.cli.context import AsJson, opened, session_of
from biny_desktop.cli.output import confirm, put, put_json
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.i18n import _

if TYPE_CHECKING:
    from biny_desktop.service.data_care.care import Care
    from biny_desktop.service.data_care.encryption import Mode
    from biny_desktop.storage.check_backup import CheckReceipt
    from biny_desktop.storage.progress import Progress, Watch

app = typer.Typer(name="data", help="Back up, verify, restore, encrypt.", no_args_is_help=True)
key_app = typer.Typer(name="key", help="The recovery key.", no_args_is_help=True)
encrypt_app = typer.Typer(name="encrypt", help="Encryption of the database and the pictures.", no_args_is_help=True)
app.add_typer(key_app, name="key")
app.add_typer(encrypt_app, name="encrypt")
Yes = Annotated[bool, typer.Option("--yes", help="Do it without being asked.")]
Backup = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a backup.")]
AskKey = Annotated[
    bool,
    typer.Option("--recovery-key", help="Type the recovery key of the backup (or pipe it in): for another machine."),
]


@app.command("backup")
def backup(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder for the backup.")],
    as_json: AsJson = False,
) -> None:
    """Copy database, pictures, settings and memory files into a new folder; works beside a running app."""
    from biny_desktop.service.data_care.backups import back_up

    with opened(ctx) as product, _watching(as_json=as_json) as watch:
        done = back_up(product, folder, watch)
    if as_json:
        put_json(asdict(done))
        return
    size = f"{done.bytes / 1e6:.1f}"
    put(_("Backed up to {folder}: {files} files, {size} MB.").format(folder=done.folder, files=done.files, size=size))
    if done.missing:
        put(_("{n} pictures were gone already.").format(n=done.missing))
    if done.encrypted:
        put(_("It is encrypted with the key of this home; keep the recovery key: biny data key export"))


@app.command("verify")
def verify(ctx: typer.Context, folder: Backup, recovery_key: AskKey = False, as_json: AsJson = False) -> None:
    """Prove that a backup is whole: every file against its hash, the database under its key."""
    from biny_desktop.service.data_care.backups import verify as prove

    care, typed = _care(ctx), _typed_key(wanted=recovery_key)
    with _watching(as_json=as_json) as watch:
        receipt = prove(care.folders, care.keyring, folder, watch, recovery=typed)
    _tell_check(receipt, as_json=as_json, ok=receipt.ok)


@app.command("drill")
def drill(ctx: typer.Context, folder: Backup, recovery_key: AskKey = False, as_json: AsJson = False) -> None:
    """Rehearse a restore: into a temporary folder, opened, every picture looked at, thrown away."""
    from biny_desktop.service.data_care.backups import drill as rehearse

    care, typed = _care(ctx), _typed_key(wanted=recovery_key)
    with _watching(as_json=as_json) as watch:
        done = rehearse(care.folders, care.keyring, care.clock, folder, watch, recovery=typed)
    _tell_check(done.check, as_json=as_json, ok=done.ok, ms=done.ms)


@app.command("restore")
def restore(
    ctx: typer.Context, folder: Backup, recovery_key: AskKey = False, yes: Yes = False, as_json: AsJson = False
) -> None:
    """Put a backup in the place of this home; what is there now is set aside, not deleted."""
    from biny_desktop.service.data_care.backups import restore as put_back

    care = _care(ctx)
    confirm(_("Restore this backup? What is there now is set aside."), yes=yes)
    typed = _typed_key(wanted=recovery_key)
    with _watching(as_json=as_json) as watch:
        done = put_back(care.folders, care.keyring, care.clock, folder, watch, recovery=typed)
    if as_json:
        put_json(asdict(done))
        return
    put(_("Restored {files} files, {size} MB.").format(files=done.files, size=f"{done.bytes / 1e6:.1f}"))
    for path in done.aside:
        put(_("What was there before: {path}").format(path=path))
    if not done.key_here:
        put(_("Its key is not on this machine. Type the recovery key: biny data key import"))


@key_app.command("export")
def export_key(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Show the recovery key; whoever has it can read the data."""
    from biny_desktop.service.data_care.recovery import export_key as export

    care = _care(ctx)
    text = export(care.folders, care.keyring)
    put_json({"recovery_key": text}) if as_json else put(text)


@key_app.command("import")
def import_key(
    ctx: typer.Context,
    recovery_key: Annotated[
        str, typer.Argument(metavar="[KEY]", help="Better left out: a command line is seen by other programs.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Type the recovery key (or pipe it in) where the key was lost; it is kept after it has opened the database."""
    from biny_desktop.service.data_care.recovery import import_key as take

    care = _care(ctx)
    done = take(care.folders, care.keyring, recovery_key or _typed_key(wanted=True))
    if as_json:
        put_json(asdict(done))
    else:
        place = _("in the system keyring") if done.key_place == "keyring" else _("in a file: no keyring works here")
        put(_("The key fits and is kept {place}.").format(place=place))


@encrypt_app.command("on")
def encrypt_on(ctx: typer.Context, yes: Yes = False, as_json: AsJson = False) -> None:
    """Encrypt database and pictures; quit the app first."""
    from biny_desktop.service.data_care.encryption import plain_leftovers

    question = _("Encrypt the database and all pictures?")
    names = ", ".join(path.name for path in plain_leftovers(_care(ctx).folders))
    if names:
        question += " " + _("These set-aside copies are not encrypted and will be removed: {names}.").format(
            names=names
        )
    _encrypt(ctx, "on", question, yes=yes, as_json=as_json)


@encrypt_app.command("off")
def encrypt_off(ctx: typer.Context, yes: Yes = False, as_json: AsJson = False) -> None:
    """Decrypt database and pictures; quit the app first."""
    question = _("Decrypt everything? Every program of yours can read it then.")
    _encrypt(ctx, "off", question, yes=yes, as_json=as_json)


@encrypt_app.command("rekey")
def encrypt_rekey(ctx: typer.Context, yes: Yes = False, as_json: AsJson = False) -> None:
    """Change the key; quit the app first. Old backups keep the old key, which stays where it is."""
    question = _("Change the key? The recovery key changes too; export it again.")
    _encrypt(ctx, "rekey", question, yes=yes, as_json=as_json)


def _encrypt(ctx: typer.Context, mode: "Mode", question: str, *, yes: bool, as_json: bool) -> None:
    from biny_desktop.service.data_care.encryption import change_encryption

    care = _care(ctx)
    confirm(question, yes=yes)
    with _watching(as_json=as_json) as watch:
        done = change_encryption(care.folders, care.keyring, care.clock, mode, watch)
    if as_json:
        put_json(asdict(done))
        return
    places = {"keyring": _("in the system keyring"), "file": _("in a file: no keyring works here")}
    state = _("Encryption is off.")
    if done.encrypted:
        state = _("Encryption is on; the key is {place}.").format(place=places.get(done.key_place, ""))
    put(state)
    if done.changed:
        put(_("{n} pictures were written again.").format(n=done.pictures))
    if done.pictures_failed:
        put(_("{n} pictures could not be opened and were left as they are.").format(n=done.pictures_failed))
    for name in done.removed:
        put(_("Removed: {name}").format(name=name))


def _tell_check(receipt: "CheckReceipt", *, as_json: bool, ok: bool, ms: int | None = None) -> None:
    if as_json:
        put_json({"ok": ok, **asdict(receipt), **({} if ms is None else {"ms": ms})})
    else:
        put(_("{files} files, {size} MB looked at.").format(files=receipt.files, size=f"{receipt.bytes / 1e6:.1f}"))
        if receipt.opened:
            put(_("The database opens: {rows} rows.").format(rows=receipt.rows))
            if receipt.pictures_opened:
                put(_("{n} pictures were opened.").format(n=receipt.pictures_opened))
        else:
            put(_("The database was not opened: its key is not here (--recovery-key)."))
        for line in receipt.problems:
            put(line)
        put(_("The backup is good.") if ok else _("The backup is not good."))
    if not ok:
        raise typer.Exit(1)


@contextmanager
def _watching(*, as_json: bool) -> Iterator["Watch"]:
    """Progress on a terminal's last line; Ctrl-C stops at the next safe place, a second one at once."""
    import signal

    from biny_desktop.storage.progress import Watch

    stopped = False
    shown = not as_json and sys.stderr.isatty()

    def stop(_number: int, _frame: object) -> None:
        nonlocal stopped
        if stopped:
            raise KeyboardInterrupt
        stopped = True

    def tell(progress: "Progress") -> None:
        percent = 100 * progress.done // max(1, progress.total)
        if shown:
            sys.stderr.write(f"\r{progress.step} {percent} %  ")
            sys.stderr.flush()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield Watch(tell, lambda: stopped)
    finally:
        signal.signal(signal.SIGINT, before)
        if shown:
            sys.stderr.write("\n")


def _typed_key(*, wanted: bool) -> str:
    """The recovery key from a terminal (not shown) or from a pipe; never an argument, those are seen by everyone."""
    if not wanted:
        return ""
    if sys.stdin.isatty():
        import getpass

        return getpass.getpass(_("Recovery key: "))
    text = sys.stdin.readline().strip()
    if not text:
        raise InvalidInputError(_("No key was typed"), _("Pipe the recovery key in, or type it on a terminal."))
    return text


def _care(ctx: typer.Context) -> "Care":
    from biny_desktop.service.data_care.care import care_of

    return care_of(session_of(ctx).home)
