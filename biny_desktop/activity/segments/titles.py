"""The title of a segment without a model: `<main app> – <most seen title>` (spec 03 §2)."""

import re
from collections.abc import Sequence
from typing import Final

from biny_desktop.activity.segments.model import AppTime, SegmentKind, TitleTime
from biny_desktop.core.text import clean_title, normalise

_SEPARATORS: Final = re.compile(r"\s+[-–—|·]\s+")


def rule_title(kind: SegmentKind, apps: Sequence[AppTime], titles: Sequence[TitleTime]) -> str:
    """Never empty; a private segment has the word `private` only, one without any app the word of its kind.

    The most seen title is that of the main app, if it has one.
    """
    if kind == "private" or not apps:
        return kind
    main = max(apps, key=lambda app: app.ms)
    own = [each for each in titles if each.app_id == main.app_id and each.title.strip()]
    seen = max(own or titles, key=lambda each: each.ms, default=None)
    name = main.app_name or main.app_id
    shown = without_app(seen.title, name) if seen else ""
    return clean_title(f"{name} – {shown}" if shown else name) or kind


def without_app(title: str, app_name: str) -> str:
    """A window's title without its last part if that names the app: "notes.txt – Editor" of the Editor is
    "notes.txt"; empty when nothing else is in it."""
    parts = _SEPARATORS.split(title.strip())
    if app_name and normalise(app_name) in normalise(parts[-1]):
        return title.strip()[: title.strip().rindex(parts[-1])].rstrip(" -–—|·") if len(parts) > 1 else ""
    return title.strip()
