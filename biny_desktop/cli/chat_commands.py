"""`biny chat`: conversations: list, show, ask, other versions, and what a person may change of them."""

from typing import TYPE_CHECKING, Annotated

import typer

from biny_desktop.cli.chat_asking import answered
from biny_desktop.cli.chat_rows import checkpoint_json, clock, receipt_json, session_json, shown, todo_json, view_json
from biny_desktop.cli.context import AsJson, opened
from biny_desktop.cli.output import confirm, put, put_json, put_table
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.i18n import _

if TYPE_CHECKING:
    from biny_desktop.conversation.drafts import Draft
    from biny_desktop.conversation.model import Session, TodoList
    from biny_desktop.service.chat.desk import Chat

app = typer.Typer(name="chat", help="Conversations with the model.", no_args_is_help=True)
Id = Annotated[str, typer.Argument(metavar="SESSION", help="The id of the chat.")]
MessageId = Annotated[str, typer.Argument(metavar="MESSAGE", help="The id of a message.")]
Words = Annotated[list[str], typer.Argument(metavar="TEXT", help="What to say; - reads it from standard input.")]
Revision = Annotated[
    int | None, typer.Option("--revision", help="Change it only if it is still at this revision; else as it is now.")
]


@app.command("sessions")
def sessions(
    ctx: typer.Context,
    limit: Annotated[int, typer.Option(min=1, max=500, help="Rows a page.")] = 20,
    before: Annotated[str | None, typer.Option(help="Go on from here (`next` of the page before).")] = None,
    project: Annotated[str | None, typer.Option("--project", help="Only chats of the project with this id.")] = None,
    as_json: AsJson = False,
) -> None:
    """List chats, last used first."""
    with opened(ctx) as product:
        page = product.chat.page(limit, _cursor(before), project)
    if as_json:
        following = None if page.next is None else f"{page.next[0]}:{page.next[1]}"
        put_json({"items": [session_json(each) for each in page.sessions], "next": following})
        return
    rows = [
        (each.id, clock(each.updated_at_ms, each.time_zone), str(each.message_count), each.title, each.project or "")
        for each in page.sessions
    ]
    put_table((_("id"), _("last used"), _("messages"), _("title"), _("project")), rows)


@app.command("show")
def show(ctx: typer.Context, session_id: Id, as_json: AsJson = False) -> None:
    """Show a chat as it reads now, with its to-dos and what it waits for."""
    with opened(ctx) as product:
        view = product.chat.view(session_id)
    if as_json:
        put_json(view_json(view))
        return
    for line in shown(view):
        put(line)


@app.command("ask")
def ask(
    ctx: typer.Context,
    words: Words,
    session: Annotated[str | None, typer.Option("--session", help="Go on with this chat; else a new one.")] = None,
    project: Annotated[str | None, typer.Option("--project", help="Of a new chat: the id of its project.")] = None,
    incognito: Annotated[bool, typer.Option("--incognito", help="A chat of one answer that leaves no trace.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say something and stay until it is answered; Ctrl-C stops the answer."""
    from biny_desktop.service.chat.reasons import refused

    if session is not None and (incognito or project is not None):
        raise InvalidInputError(_("That goes with a new chat only"), "--session", _("Leave the other option out."))
    with opened(ctx) as product:
        chat, draft = product.chat, _draft(words)
        why = chat.ready()
        if why is not None:
            raise refused(why)
        session_id = session or chat.create(incognito=incognito, project_id=project).id
        try:
            answered(chat, session_id, lambda: chat.send(session_id, draft), as_json=as_json)
        finally:
            if incognito:
                chat.close_incognito(session_id)


@app.command("edit")
def edit(ctx: typer.Context, session_id: Id, message_id: MessageId, words: Words, as_json: AsJson = False) -> None:
    """Put another version beside a message of yours and have it answered; the old one stays."""
    with opened(ctx) as product:
        chat, draft = product.chat, _draft(words)
        answered(chat, session_id, lambda: chat.edit(session_id, message_id, draft), as_json=as_json)


@app.command("retry")
def retry(
    ctx: typer.Context,
    session_id: Id,
    message_id: Annotated[str | None, typer.Argument(metavar="MESSAGE", help="An answer; else the last one.")] = None,
    as_json: AsJson = False,
) -> None:
    """Have a message answered anew; the old answer stays as another version."""
    with opened(ctx) as product:
        chat = product.chat
        wanted = message_id or chat.view(session_id).session.leaf_id or ""
        answered(chat, session_id, lambda: chat.retry(session_id, wanted), as_json=as_json)


@app.command("resume")
def resume(ctx: typer.Context, session_id: Id, as_json: AsJson = False) -> None:
    """Go on with a turn that was interrupted; nothing that was done is done again."""
    with opened(ctx) as product:
        chat = product.chat
        answered(chat, session_id, lambda: chat.resume(session_id), as_json=as_json)


@app.command("stop")
def stop(ctx: typer.Context, session_id: Id, as_json: AsJson = False) -> None:
    """End an interrupted turn for good instead of going on with it."""
    with opened(ctx) as product:
        product.chat.stop(session_id)
        view = product.chat.view(session_id)
    _say(_("It is ended."), {"session": session_id, "status": view.turn_status}, as_json=as_json)


@app.command("settle")
def settle(
    ctx: typer.Context,
    session_id: Id,
    operation: Annotated[str, typer.Argument(metavar="STEP", help="The id of the step, as `show` names it.")],
    done: Annotated[bool, typer.Option("--done/--not-done", help="Whether it was done.")],
    as_json: AsJson = False,
) -> None:
    """Say whether a step was done that nobody knows of; then `resume` goes on."""
    with opened(ctx) as product:
        product.chat.settle(session_id, operation, done=done)
    _say(_("Noted."), {"session": session_id, "step": operation, "done": done}, as_json=as_json)


@app.command("select")
def select(ctx: typer.Context, session_id: Id, message_id: MessageId, as_json: AsJson = False) -> None:
    """Switch to another version of a message."""
    with opened(ctx) as product:
        product.chat.select(session_id, message_id)
        view = product.chat.view(session_id)
    _say(_("It is selected."), session_json(view.session), as_json=as_json)


@app.command("fork")
def fork(ctx: typer.Context, session_id: Id, message_id: MessageId, as_json: AsJson = False) -> None:
    """Begin a new chat with copies of everything up to a message."""
    with opened(ctx) as product:
        new = product.chat.fork(session_id, message_id)
    _say(new.id, session_json(new), as_json=as_json)


@app.command("rename")
def rename(
    ctx: typer.Context, session_id: Id, title: Annotated[str, typer.Argument(help="Empty: the title by rule again.")],
    revision: Revision = None, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Give a chat a title."""
    with opened(ctx) as product:
        at = _session(product.chat, session_id).revision if revision is None else revision
        new = product.chat.rename(session_id, title, at)
    _say(new.title, session_json(new), as_json=as_json)


@app.command("delete")
def delete(
    ctx: typer.Context,
    session_id: Id,
    message: Annotated[str | None, typer.Option("--message", help="Only this message and all below it.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete a chat, or a message with all that hangs on it, for good."""
    with opened(ctx) as product:
        title = _session(product.chat, session_id).title
        what = _("a message and all below it") if message else _("the whole chat")
        confirm(_("{title}: delete {what} for good?").format(title=title or session_id, what=what), yes=yes)
        if message is None:
            receipt = product.chat.delete_session(session_id)
        else:
            receipt = product.chat.delete_message(session_id, message)
    _say(_("{n} messages deleted").format(n=receipt.messages), receipt_json(receipt), as_json=as_json)


@app.command("compact")
def compact(ctx: typer.Context, session_id: Id, as_json: AsJson = False) -> None:
    """Sum up the older part of a chat now; the messages themselves stay."""
    with opened(ctx) as product:
        made = product.chat.compact(session_id)
    if as_json:
        put_json({"checkpoint": None if made is None else checkpoint_json(made)})
    elif made is None:
        put(_("There is nothing to sum up."))
    else:
        saved = made.tokens_before - made.tokens_after
        put(_("{n} messages summed up, {tokens} tokens saved").format(n=made.covered, tokens=saved))


@app.command("todos")
def todos(
    ctx: typer.Context,
    session_id: Id,
    add: Annotated[list[str] | None, typer.Option("--add", help="Add this at the end.")] = None,
    begin: Annotated[int | None, typer.Option("--begin", min=1, help="Mark the n-th as under way.")] = None,
    done: Annotated[list[int] | None, typer.Option("--done", min=1, help="Mark the n-th as done.")] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Take all items out first.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the to-dos of a chat, and change them."""
    with opened(ctx) as product:
        listed = product.chat.view(session_id).todos
        if add or begin or done or clear:
            listed = _changed(product.chat, session_id, listed, (tuple(add or ()), begin, tuple(done or ()), clear))
    if as_json:
        put_json({"items": [todo_json(each) for each in listed.items], "revision": listed.revision, "next": None})
        return
    signs = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}
    for n, each in enumerate(listed.items, 1):
        put(f"{n:>3} {signs[each.status]} {each.content}")


def _changed(
    chat: "Chat", session_id: str, listed: "TodoList", how: tuple[tuple[str, ...], int | None, tuple[int, ...], bool]
) -> "TodoList":  # fmt: skip
    from dataclasses import replace

    from biny_desktop.conversation.model import Todo

    add, begin, done, clear = how
    items = [] if clear else list(listed.items)
    items += [Todo(text) for text in add]
    for n in (*done, *([begin] if begin else ())):
        if n > len(items):
            raise InvalidInputError(_("There is no such item"), str(n), _("`biny chat todos` numbers them."))
    for n in done:
        items[n - 1] = replace(items[n - 1], status="completed")
    if begin is not None:
        items[begin - 1] = replace(items[begin - 1], status="in_progress")
    return chat.save_todos(session_id, items, listed.revision)


def _session(chat: "Chat", session_id: str) -> "Session":
    return chat.view(session_id).session


def _draft(words: list[str]) -> "Draft":
    import sys

    from biny_desktop.conversation.drafts import Draft

    text = sys.stdin.read() if words == ["-"] else " ".join(words)
    return Draft(text)


def _cursor(text: str | None) -> tuple[int, str] | None:
    if text is None:
        return None
    at, _colon, session_id = text.partition(":")
    if not at.isdecimal() or not session_id:
        raise InvalidInputError(_("No such page"), text, _("Take it from `next` of the page before."))
    return int(at), session_id


def _say(line: str, body: dict[str, object], *, as_json: bool) -> None:
    put_json(body) if as_json else put(line)
