"""What is refused of archives before anything of them is read (spec 05 §10); nothing is ever written to disk."""

import stat
import zipfile
from pathlib import PurePosixPath, PureWindowsPath
from typing import Final

from biny_desktop.core.errors import InvalidInputError, UnsafePathError
from biny_desktop.core.i18n import mark

MEMBER_MAX: Final = 2 * 1024**3
"""Bytes of a member, unpacked (spec 05 §10)."""
RATIO_MAX: Final = 200
"""Unpacked bytes for one packed byte (spec 05 §10)."""
MEMBERS_MAX: Final = 200_000
"""Members of an archive (own): a list longer than that is a bomb of names."""
_ENCRYPTED: Final = 0x1


def check_archive(archive: zipfile.ZipFile) -> None:
    """Refuse an archive that points outside itself.

    Raises:
        UnsafePathError: a member has a path outside, or is a link. InvalidInputError: it has too many members.
    """
    members = archive.infolist()
    if len(members) > MEMBERS_MAX:
        raise InvalidInputError(mark("This archive is not read"), mark("It has more than 200,000 members."))
    for member in members:
        if _outside(member.orig_filename) or _outside(member.filename):
            raise UnsafePathError(
                mark("This archive is not read"), mark("One of its members has a path outside of it."),
                mark("Take the file that the other tool gave you, as it is."),
            )  # fmt: skip
        if stat.S_ISLNK(member.external_attr >> 16):
            raise UnsafePathError(mark("This archive is not read"), mark("One of its members is a link."))


def check_member(member: zipfile.ZipInfo) -> None:
    """Refuse a member that would be too much to read.

    Raises:
        InvalidInputError: it is larger than 2 GiB, packed more than 200 to 1, or encrypted.
    """
    if member.flag_bits & _ENCRYPTED:
        raise InvalidInputError(
            mark("This archive is not read"), mark("It is encrypted."), mark("Unpack it first, then import the folder.")
        )
    if member.file_size > MEMBER_MAX:
        raise InvalidInputError(mark("This archive is not read"), mark("One of its members is larger than 2 GiB."))
    if member.file_size > RATIO_MAX * max(1, member.compress_size):
        raise InvalidInputError(
            mark("This archive is not read"), mark("One of its members is packed more than 200 to 1: that is no chat.")
        )


def _outside(name: str) -> bool:
    windows = PureWindowsPath(name)
    if windows.drive or windows.root or PurePosixPath(name).is_absolute() or "\0" in name:
        return True
    return ".." in windows.parts or ".." in PurePosixPath(name).parts
