"""The file of a portal screenshot: read into memory and unlinked at once, whatever it holds."""

import contextlib
import os
import stat
from urllib.parse import unquote, urlsplit

import numpy as np

from biny_desktop.capture.ports import Pixels
from biny_desktop.core.errors import UnavailableError

BYTES_MAX = 512_000_000
"""Largest file that is read; PNG of the largest picture that capture handles is far smaller (bytes)."""


def read_once(uri: str) -> Pixels:
    """The pixels of the picture at a `file:` URI as BGRA; the file is gone afterwards, also when it was no picture.

    Raises:
        UnavailableError: no plain local file of ours, or no picture.
    """
    import cv2

    path = local_path(uri)
    try:
        data = _take(path)
    except OSError as error:
        raise UnavailableError("No picture", f"The file of the screenshot is not readable ({error.errno}).") from error
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if picture is None:
        raise UnavailableError("No picture", "The desktop gave a file that is no picture.")
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA), np.uint8)


def drop(uri: str) -> None:
    """Remove the file of a picture that nobody wants any more (it came too late)."""
    with contextlib.suppress(UnavailableError, OSError):
        _take(local_path(uri), read=False)


def local_path(uri: str) -> str:
    """The path of a `file:` URI on this machine.

    Raises:
        UnavailableError: another kind of URI, or a path that is not absolute.
    """
    try:
        parts = urlsplit(uri)
        path = unquote(parts.path, errors="surrogateescape")
    except ValueError:
        parts, path = urlsplit(""), ""
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or not path.startswith("/") or "\0" in path:
        raise UnavailableError("No picture", "The desktop gave no local file.")
    return path


def _take(path: str, *, read: bool = True) -> bytes:
    """Open without following a link, unlink, then read: a crash while reading leaves no picture behind."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.getuid():
            raise OSError(1, "not a file of ours")
        os.unlink(path)  # noqa: PTH108 - the very path that was opened
        return file.read() if read and facts.st_size <= BYTES_MAX else b""
