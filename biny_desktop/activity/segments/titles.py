"""The title of a segment without a model: `<main app> – <most seen title>` (spec 03 §2)."""

from collections.abc import Sequence

from biny_desktop.activity.segments.model import AppTime, SegmentKind, TitleTime
from biny_desktop.core.text import clean_title


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
    title = clean_title(f"{name} – {seen.title}" if seen and seen.title.strip() else name)
    return title or kind
