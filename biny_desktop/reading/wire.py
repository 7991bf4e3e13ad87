"""Frames between the app and the OCR child: a small JSON part and raw pixels, each with its length in front."""

import json
import struct
from collections.abc import Sequence
from typing import IO, Any

import numpy as np

from biny_desktop.reading.ports import Picture

_HEAD = struct.Struct(">II")
MAX_PART = 1 << 29  # bytes; a longer part means the stream is out of step


class WireError(Exception):
    """The other side sent something that is no frame."""


def send(stream: IO[bytes], meta: dict[str, Any], pictures: Sequence[Picture] = ()) -> None:
    """Write one frame; the shapes of the pictures travel in `meta`.

    Raises:
        OSError: the other side is gone.
    """
    whole = dict(meta, shapes=[list(picture.shape) for picture in pictures])
    text = json.dumps(whole).encode()
    blob = b"".join(np.ascontiguousarray(picture).tobytes() for picture in pictures)
    stream.write(_HEAD.pack(len(text), len(blob)) + text)
    stream.write(blob)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], list[Picture]] | None:
    """Read one frame; None at the end of the stream.

    Raises:
        WireError: the bytes are no frame.
    """
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    text_size, blob_size = _HEAD.unpack(head)
    if text_size > MAX_PART or blob_size > MAX_PART:
        raise WireError("a frame of impossible size")
    text, blob = stream.read(text_size), stream.read(blob_size)
    if len(text) < text_size or len(blob) < blob_size:
        return None
    try:
        meta = json.loads(text)
        return meta, _pictures(meta["shapes"], blob)
    except (ValueError, KeyError, TypeError) as fault:
        raise WireError("a frame that cannot be read") from fault


def _pictures(shapes: Sequence[Sequence[int]], blob: bytes) -> list[Picture]:
    out: list[Picture] = []
    start = 0
    for height, width, channels in shapes:
        size = height * width * channels
        out.append(np.frombuffer(blob, np.uint8, size, start).reshape(height, width, channels))
        start += size
    return out
