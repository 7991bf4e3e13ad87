"""Known faults of the world, each with what happened and what to do about it.

Anything that is not a `BinyError` is a bug and keeps its traceback. Front ends show errors in exactly one place. The
words of an error are English (they go to logs and to `--json`) and are translated where they are shown, by `said`.
"""

from biny_desktop.core.i18n import _, sentences


class BinyError(Exception):
    """A fault a person can understand: a title, what happened, and a remedy.

    Args:
        title: a few words, shown as the heading.
        message: one or two sentences: what happened and what was kept.
        hint: what to do now; may be empty.
    """

    kind = "error"

    def __init__(self, title: str, message: str = "", hint: str = "") -> None:
        super().__init__(f"{title}: {message}" if message else title)
        self.title = title
        self.message = message
        self.hint = hint


class StaleRevisionError(BinyError):
    """A row was changed by somebody else since it was read; nothing was written."""

    kind = "stale_revision"


class NotFoundError(BinyError):
    """The thing asked for does not exist, or was deleted."""

    kind = "not_found"


class InvalidInputError(BinyError):
    """Input from a person or a file is outside what is accepted; nothing was changed."""

    kind = "invalid_input"


class InvalidSettingError(InvalidInputError):
    """A setting is unknown, of the wrong type or out of range."""

    kind = "invalid_setting"


class UnsafePathError(BinyError):
    """A path is a link, leaves its folder, or belongs to somebody else."""

    kind = "unsafe_path"


class StorageError(BinyError):
    """The data folder or the database cannot be used as it is."""

    kind = "storage"


class WrongKeyError(StorageError):
    """The database is encrypted with another key than the one found, or no key was found."""

    kind = "wrong_key"


class NewerDatabaseError(StorageError):
    """The database was written by a newer version of the app."""

    kind = "newer_database"


class DiskFullError(StorageError):
    """A write failed for want of space; the half-written file was removed."""

    kind = "disk_full"


class UnavailableError(BinyError):
    """Something the operation needs is missing here (a display, a model, a running app)."""

    kind = "unavailable"


def said(error: BinyError) -> tuple[str, str, str]:
    """Title, message and hint in the language spoken now; words with values in them stay as they were made."""
    title, message, hint = (_(part) if part else "" for part in (error.title, error.message, error.hint))
    return title, message, hint


def said_in_line(error: BinyError) -> str:
    """The error as running text in the language spoken now: the title as a sentence, what happened, what to do."""
    title, message, hint = said(error)
    return sentences(_("{why}.").format(why=title), message, hint)
