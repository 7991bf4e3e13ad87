"""What a person should be told at the next start: a rescued database, a crash, a change of encryption not ended."""

from dataclasses import dataclass
from typing import Literal

from biny_desktop.core.errors import StorageError
from biny_desktop.core.i18n import _
from biny_desktop.service.crash import acknowledge_crashes, crashes
from biny_desktop.storage import damage
from biny_desktop.storage.folders import Folders
from biny_desktop.storage.rekey import pending

NoticeKind = Literal["damage", "crash", "key_change"]


@dataclass(frozen=True, slots=True)
class Notice:
    """`text` for a banner, `hint` what to do, `at_ms` when (UTC; 0: unknown), `path` the file that tells more."""

    kind: NoticeKind
    at_ms: int
    text: str
    hint: str
    path: str = ""


def notices(folders: Folders) -> tuple[Notice, ...]:
    """All that was not acknowledged yet, most important first."""
    found = [_damage(report, folders) for report in damage.reports(folders) if not report.seen]
    try:
        change = pending(folders)
    except StorageError as error:
        found.append(Notice("key_change", 0, f"{error.title}: {error.message}", error.hint))
    else:
        if change is not None:
            text = _("A change of encryption is not finished: some pictures still have the former key.")
            found.append(Notice("key_change", 0, text, _("It goes on at the next start of the app.")))
    found += [
        Notice("crash", crash.at_ms, _("The app ended by a fault."), _("The file holds no text of yours."), crash.path)
        for crash in crashes(folders)
        if not crash.seen
    ]
    return tuple(found)


def acknowledge(folders: Folders, kind: NoticeKind) -> None:
    """The person has seen the notices of a kind; one about a change of encryption goes when it is finished.

    Raises:
        StorageError: it cannot be noted.
    """
    if kind == "damage":
        damage.acknowledge(folders)
    if kind == "crash":
        acknowledge_crashes(folders)


def _damage(report: damage.DamageReport, folders: Folders) -> Notice:
    if not report.complete:
        text = _("The database was damaged and could not be read; a new one was begun.")
    elif report.lost is None:
        text = _("The database was damaged: {n} rows were recovered, some are lost.").format(n=report.recovered)
    else:
        text = _("The database was damaged: {n} rows were recovered, {m} are lost.").format(
            n=report.recovered, m=report.lost
        )
    hint = _("The damaged file was set aside. A backup may hold the lost rows.")
    return Notice("damage", report.at_ms, text, hint, str(folders.data / report.aside))
