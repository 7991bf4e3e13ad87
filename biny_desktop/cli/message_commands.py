"""`biny chat search`: messages by words, by meaning, or both."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from biny_desktop.cli.chat_commands import app
from biny_desktop.cli.chat_rows import clock
from biny_desktop.cli.context import AsJson, opened
from biny_desktop.cli.output import put, put_json
from biny_desktop.core.i18n import _

__all__ = ["app"]

if TYPE_CHECKING:
    from biny_desktop.conversation.search.model import MessageHit


@app.command("search")
def search(
    ctx: typer.Context,
    words: Annotated[list[str], typer.Argument(help='Words, "phrases", or a question.')],
    mode: Annotated[
        Literal["both", "keyword", "meaning"], typer.Option("--mode", help="By words, by meaning, or both.")
    ] = "both",
    session: Annotated[str | None, typer.Option("--session", help="Only the chat with this id.")] = None,
    project: Annotated[
        str | None, typer.Option("--project", help="Only chats of the project with this name or id.")
    ] = None,
    role: Annotated[Literal["user", "assistant"] | None, typer.Option("--role", help="Only of one side.")] = None,
    source: Annotated[str | None, typer.Option("--source", help="chat, fork, import, import:chatgpt, …")] = None,
    since: Annotated[
        str | None, typer.Option("--from", help="Said from this day or time on (2026-03-12, 7d, today).")
    ] = None,
    until: Annotated[str | None, typer.Option("--to", help="Said until this day, or before this time.")] = None,
    every: Annotated[bool, typer.Option("--all-versions", help="Also versions that are not shown.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Rows a page.")] = 20,
    offset: Annotated[int, typer.Option(min=0, help="Go on from here (`next` of the page before).")] = 0,
    as_json: AsJson = False,
) -> None:
    """Find messages of all chats; those of versions that are not shown only if asked for."""
    from biny_desktop.conversation.search.model import MessageFilters
    from biny_desktop.service.message_filters import message_filters

    pairs = [(key, value) for key, value in (("chat", session), ("role", role), ("source", source)) if value]
    with opened(ctx) as product:
        now, start = product.clock.stamp(), product.settings.current().day.start
        pairs += [("project", project)] if project else []
        pairs += [("after", since)] if since else []
        filters = message_filters(pairs, now, start, product.projects.all(), MessageFilters(all_versions=every))
        if until:  # the day itself counts
            filters = replace(filters, to_ms=message_filters([("on", until)], now, start).to_ms)
        page = product.message_search.search(" ".join(words), mode, filters, limit, offset)
    if as_json:
        items = [_json(hit) for hit in page.hits]
        put_json({"items": items, "next": page.next, "mode": page.mode, "notice": page.notice})
        return
    if page.notice:
        put(_(page.notice))
    for hit in page.hits:
        put(f"{hit.message_id}  {clock(hit.sent_at_ms, hit.time_zone)}  {hit.role}  {hit.session_title}")
        put(f"    {' '.join(hit.snippet.split())}")


def _json(hit: "MessageHit") -> dict[str, object]:
    return {
        "message": hit.message_id, "session": hit.session_id, "title": hit.session_title, "role": hit.role,
        "sent_at_ms": hit.sent_at_ms, "time_zone": hit.time_zone, "snippet": hit.snippet,
        "marks": [list(each) for each in hit.marks], "active": hit.active, "words": hit.words,
        "similarity": hit.centred, "raw_similarity": hit.raw,
    }  # fmt: skip
