"""What every command shares: the session of this invocation, the opened product, the `--json` option."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from biny_desktop.cli.output import Session

if TYPE_CHECKING:
    from biny_desktop.service.product import Product

AsJson = Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")]


def session_of(ctx: typer.Context) -> Session:
    """The session that `main` put into the context."""
    session = ctx.find_object(Session)
    assert session is not None
    return session


@contextmanager
def opened(ctx: typer.Context) -> "Iterator[Product]":
    """The home's product, closed with the block; nothing records.

    Raises:
        BinyError: the home cannot be opened.
    """
    session = session_of(ctx)
    product = session.backend.open(session.home)
    try:
        yield product
    finally:
        product.close()
