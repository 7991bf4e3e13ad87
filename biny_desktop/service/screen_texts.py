"""The search of the screen as the agent's tool asks for it (`conversation` and `activity` do not know each other)."""

from datetime import UTC, datetime

from biny_desktop.activity.model import Hit
from biny_desktop.activity.search import KeywordSearch
from biny_desktop.conversation.tools.activity_search import ScreenText, ScreenTextPage
from biny_desktop.redaction.pieces import from_row


class KeywordScreenTexts:
    """Implements `ScreenTexts` over the keyword search: newest first."""

    def __init__(self, search: KeywordSearch) -> None:
        self._search = search

    def search(
        self, query: str, *, after_ms: int | None, before_ms: int | None, app: str, limit: int
    ) -> ScreenTextPage:  # fmt: skip
        """See `ScreenTexts`."""
        words = [f"after:{_written(after_ms)}"] if after_ms is not None else []
        words += [f"before:{_written(before_ms)}"] if before_ms is not None else []
        words += [f'app:"{app.replace(chr(34), " ").strip()}"'] if app.strip(' "') else []
        page = self._search.search(" ".join([*words, query]), limit=limit, order="newest")
        return ScreenTextPage(tuple(_text(hit) for hit in page.hits), page.total, page.more)


def _text(hit: Hit) -> ScreenText:
    """Titles, names and texts of frames were redacted before they were kept."""
    frame = hit.frame
    return ScreenText(
        frame.id, frame.at_ms, frame.zone, from_row(frame.app_name or frame.app_id), from_row(frame.title),
        from_row(hit.snippet),
    )  # fmt: skip


def _written(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat()
