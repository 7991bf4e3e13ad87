"""Identifiers: sortable by time, random enough never to meet, made by an injected source."""

import secrets
from collections.abc import Callable

RandomHex = Callable[[int], str]


def new_id(now_ms: int, random_hex: RandomHex = secrets.token_hex) -> str:
    """A file-name-safe id: 11 hex digits of milliseconds, then 12 random ones.

    Args:
        now_ms: UTC milliseconds.
        random_hex: gives 2·n hex digits for n bytes (`secrets.token_hex`, or a fake).
    """
    return f"{now_ms:011x}{random_hex(6)}"
