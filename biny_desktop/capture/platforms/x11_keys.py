"""Which keys are typing: the place of a key in the keyboard's table, looked at once, in memory only (spec 02 §1.6)."""

from collections.abc import Sequence

from biny_desktop.capture.platforms.x11_thread import Connection

_EDITING = frozenset({0xFF08, 0xFF0A, 0xFF0D, 0xFFFF, 0xFF80, 0xFF8D, 0xFFBD})
"""BackSpace, Linefeed, Return, Delete, and space, Enter, = of the keypad: they change text."""
_KEYPAD = range(0xFFAA, 0xFFBA)
_DEAD = range(0xFE50, 0xFEA0)
_LEGACY_CHARACTERS = range(0x20, 0x2100)
_UNICODE_CHARACTERS = range(0x0100_0100, 0x0111_0000)


def is_typing(keysym: int) -> bool:
    """Whether this key symbol writes or edits text; modifiers, navigation, function and media keys do not."""
    return (
        keysym in _LEGACY_CHARACTERS
        or keysym in _EDITING
        or keysym in _KEYPAD
        or keysym in _DEAD
        or keysym in _UNICODE_CHARACTERS
    )


def typing_keys(conn: Connection) -> frozenset[int]:
    """The key numbers that type in the present keyboard table."""
    low, high = conn.setup.min_keycode, conn.setup.max_keycode
    reply = conn.core.GetKeyboardMapping(low, high - low + 1).reply()
    return classify(low, reply.keysyms_per_keycode, list(reply.keysyms))


def classify(first: int, width: int, keysyms: Sequence[int]) -> frozenset[int]:
    """The key numbers, from `first` on, whose row of `width` symbols types.

    The first two symbols decide: a keypad digit stands second, behind its navigation key.
    """
    if width <= 0:
        return frozenset()
    rows = range(0, len(keysyms), width)
    return frozenset(
        first + place // width
        for place in rows
        if any(is_typing(key) for key in keysyms[place : place + min(width, 2)])
    )
