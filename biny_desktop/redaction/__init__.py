"""Text that may hold secrets comes in, `RedactedText` goes out; the only maker of that type.

In: raw OCR lines, titles, names, addresses, event details, messages. Out: the same text with `[hidden: <type>]` where a
secret stood, the places and counts of what was hidden, never the words. It touches no file, clock or network. One
module holds one kind of secret; `view` makes the copy they read, `redact` joins what they find.
"""

from biny_desktop.redaction.custom import check_custom
from biny_desktop.redaction.pieces import cut, from_row, joined, replaced
from biny_desktop.redaction.redact import Redactor
from biny_desktop.redaction.result import RULES_VERSION, Redaction, RedactionOptions, Span, safe_constant

__all__ = [
    "RULES_VERSION",
    "Redaction",
    "RedactionOptions",
    "Redactor",
    "Span",
    "check_custom",
    "cut",
    "from_row",
    "joined",
    "replaced",
    "safe_constant",
]
