"""Turns faults of SQLite and the file system into errors a person can understand, in one place."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from biny_desktop.core.errors import DiskFullError, StorageError

_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@contextmanager
def explained(what: str) -> Iterator[None]:
    """Run a block that touches disk; faults of the world come out as StorageError children.

    Args:
        what: what was being done, for the message ("writing a picture").

    Raises:
        DiskFullError: no space, quota or size limit reached.
        StorageError: any other fault of the file system or of the database file.
    """
    try:
        yield
    except (apsw.FullError, apsw.TooBigError) as error:
        raise DiskFullError("The disk is full", f"{what} failed; nothing was half written.", _SPACE_HINT) from error
    except apsw.BusyError as error:
        raise StorageError("The database is busy", f"{what} had to wait too long.", "Try again in a moment.") from error
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise StorageError("The database is damaged", f"{what} failed: {error}", "Run `biny doctor`.") from error
    except (apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError) as error:
        raise StorageError("The database cannot be used", f"{what} failed: {error}", _FOLDER_HINT) from error
    except OSError as error:
        if error.errno in _NO_SPACE:
            raise DiskFullError("The disk is full", f"{what} failed; nothing was half written.", _SPACE_HINT) from error
        raise StorageError("A file cannot be used", f"{what} failed: {error.strerror}", _FOLDER_HINT) from error


_SPACE_HINT = "Free some space; recording goes on by itself."
_FOLDER_HINT = "Check that the data folder exists and belongs to you."
