"""`biny approvals`: what waits for the person, looked at and answered."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from biny_desktop.cli.chat_rows import clock
from biny_desktop.cli.context import AsJson, opened
from biny_desktop.cli.output import confirm, put, put_json, put_table
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.i18n import _

if TYPE_CHECKING:
    from biny_desktop.service.approvals import ApprovalItem, Cursor

app = typer.Typer(name="approvals", help="What waits for you: exact calls of tools.", no_args_is_help=True)
Id = Annotated[str, typer.Argument(metavar="ID", help="The id, as `list` names it.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


@app.command("list")
def list_all(
    ctx: typer.Context,
    which: Annotated[Literal["open", "answered", "all"], typer.Option("--which", help="Which ones.")] = "open",
    limit: Annotated[int, typer.Option(min=1, max=200, help="Rows a page.")] = 50,
    before: Annotated[str | None, typer.Option(help="Go on from here (`next` of the page before).")] = None,
    as_json: AsJson = False,
) -> None:
    """List them, newest first."""
    with opened(ctx) as product:
        page = product.approvals.page(None, which, limit, _cursor(before))
    if as_json:
        following = None if page.next is None else f"{page.next[0]}/{page.next[1]}"
        put_json({"items": [_json(each) for each in page.items], "next": following, "open": page.open})
        return
    rows = [(each.id, clock(each.asked_at_ms, each.time_zone), each.status, each.title) for each in page.items]
    put_table((_("id"), _("asked"), _("state"), _("what")), rows)


@app.command("show")
def show(ctx: typer.Context, item_id: Id, as_json: AsJson = False) -> None:
    """Show one with all there is to read before it is answered."""
    with opened(ctx) as product:
        item = product.approvals.show(item_id)
    if as_json:
        put_json({**_json(item), "evidence": item.evidence})
        return
    for line in (item.title, item.comes_from, item.why, item.effect, "", item.evidence):
        put(line)


@app.command("accept")
def accept(ctx: typer.Context, item_id: Id, yes: Yes = False, as_json: AsJson = False) -> None:
    """Allow it; the answer in its chat goes on, here until it ends."""
    with opened(ctx) as product:
        item = product.approvals.show(item_id)
        put(item.evidence) if not as_json and not yes else None
        confirm(_("{title}: allow it?").format(title=item.title), yes=yes)
        done = product.approvals.accept(item_id, item.revision)
        if item.turn_id is not None:
            product.chat.wait(item.turn_id, _TURN_S)
    _say(_("Allowed."), done, as_json=as_json)


@app.command("refuse")
def refuse(
    ctx: typer.Context,
    item_id: Id,
    never: Annotated[bool, typer.Option("--never", help="And never ask again, where that can be.")] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Refuse it; the model in the chat is told so."""
    with opened(ctx) as product:
        item = product.approvals.show(item_id)
        confirm(_("{title}: refuse it?").format(title=item.title), yes=yes)
        act = product.approvals.never if never else product.approvals.refuse
        done = act(item_id, item.revision)
        if item.turn_id is not None:
            product.chat.wait(item.turn_id, _TURN_S)
    _say(_("Refused."), done, as_json=as_json)


_TURN_S = 1_800.0
"""The turn that goes on after an answer may take so long (spec 05 §8.3)."""


def _json(item: "ApprovalItem") -> dict[str, object]:
    return {
        "id": item.id, "kind": item.kind, "title": item.title, "status": item.status, "why": item.why,
        "comes_from": item.comes_from, "effect": item.effect, "asked_at_ms": item.asked_at_ms,
        "expires_at_ms": item.expires_at_ms, "answered_at_ms": item.answered_at_ms, "revision": item.revision,
    }  # fmt: skip


def _cursor(text: str | None) -> "Cursor | None":
    if text is None:
        return None
    at, _slash, item_id = text.partition("/")
    if not at.isdecimal() or not item_id:
        raise InvalidInputError(_("No such page"), text, _("Take it from `next` of the page before."))
    return int(at), item_id


def _say(line: str, item: "ApprovalItem", *, as_json: bool) -> None:
    put_json(_json(item)) if as_json else put(line)
