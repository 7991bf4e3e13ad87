"""Text as Markdown that says nothing but that text, links to segments and frames, and what becomes of dead ones.

Titles come from any window. Nothing in one may become a link, an image, HTML, a table cell, a list or a heading, in
CommonMark or in the dialect of GitHub (which makes links of bare addresses).
"""

import re
from collections.abc import Callable
from typing import Final, Literal

from biny_desktop.core.i18n import _
from biny_desktop.core.text import clean_title

LinkKind = Literal["segment", "frame", "report"]
_LONGEST: Final = 2_000
"""Characters of one piece of text, far above every limit of spec 03."""
_SPECIAL: Final = re.compile(r"[\\`*\[\]<>|~$^]")
_UNDERSCORE: Final = re.compile(r"(?<![^\W_])_|_(?![^\W_])")  # between letters it never begins emphasis
_ENTITY: Final = re.compile(r"&(?=[#\w])")
_ADDRESS: Final = re.compile(r":(?=//)|(?<=[Ww])\.(?=\S)|@(?=\S)|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)
_BLOCK_START: Final = re.compile(r"^(?:#+|[-+=]+|\d+(?=[.)])|:)")
_LINK: Final = re.compile(r"\[((?:\\.|[^\\\[\]\n])*)\]\(biny://(segment|frame)/(\d+)\)")


def inline(text: str) -> str:
    """The text on one line, as Markdown that shows exactly it (white space apart); not for the start of a line."""
    line = clean_title(text, _LONGEST)
    line = _SPECIAL.sub(lambda m: "\\" + m.group(), line)
    line = _UNDERSCORE.sub(r"\\_", line)
    line = _ENTITY.sub(r"\\&", line)
    return _ADDRESS.sub(lambda m: "\\" + m.group(), line)


def escaped(text: str) -> str:
    """As `inline`, also at the start of a line: it begins no list, heading or rule."""
    return _BLOCK_START.sub(_guarded, inline(text))


def _guarded(match: re.Match[str]) -> str:
    marks = match.group()
    return marks + "\\" if marks.isdigit() else "\\" + marks


def link(text: str, kind: LinkKind, ref: str) -> str:
    """A link to a segment, a frame or a report; the text is escaped."""
    return f"[{inline(text) or '…'}](biny://{kind}/{ref})"


def linked_ids(markdown: str) -> dict[str, frozenset[int]]:
    """Ids of the segments and frames a text links to, by kind."""
    found: dict[str, set[int]] = {"segment": set(), "frame": set()}
    for match in _LINK.finditer(markdown):
        found[match[2]].add(int(match[3]))
    return {kind: frozenset(ids) for kind, ids in found.items()}


def without_dead_links(markdown: str, exists: Callable[[str, int], bool]) -> str:
    """The text with "deleted" instead of each link to something that is gone, its words included (spec 03 §5.1)."""
    return _LINK.sub(lambda m: m.group() if exists(m[2], int(m[3])) else _("deleted"), markdown)
