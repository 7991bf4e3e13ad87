"""What Doctor says of the parts that understand a day: model slots, accounts, embedder, vectors."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal

from biny_desktop.core.i18n import _, mark
from biny_desktop.models.model import IndexState

if TYPE_CHECKING:
    from biny_desktop.service.product import Product

Line = tuple[str, Literal["ok", "warn"], str, str]
"""Name, state, text, hint."""
_STATES: Final[dict[IndexState, str]] = {
    "ready": mark("ready"), "empty": mark("empty"), "no_embedder": mark("no embedder"),
    "mismatch": mark("made by another embedder"), "rebuilding": mark("being rebuilt"),
}  # fmt: skip


def day_lines(product: "Product") -> Iterator[Line]:
    """One line a part; without a model all is well, it only says so."""
    slots = {each.slot: each for each in product.models.slots()}
    ready = [f"{name}: {each.model}" for name, each in slots.items() if each.state == "ready"]
    broken = [name for name, each in slots.items() if each.state not in ("ready", "unset")]
    hint = _("Look at the page Models: {slots}.").format(slots=", ".join(broken)) if broken else ""
    words = ", ".join(ready) if ready else _("None is connected; all but accounts and summaries works.")
    yield _("language models"), "warn" if broken else "ok", words, hint
    counts = product.analysis.counts()
    failed = counts.get("failed", 0)
    words = _("{done} with an account, {waiting} waiting, {failed} failed").format(
        done=counts.get("analysed", 0) + counts.get("not_worth", 0), failed=failed,
        waiting=counts.get("pending", 0) + counts.get("skipped_no_model", 0),
    )  # fmt: skip
    yield _("activities"), "warn" if failed else "ok", words, _("Try again on the page Models.") if failed else ""
    embedder = product.models.embedder_state()
    yield _("embedder"), "ok" if embedder.fingerprint else "warn", embedder.why, ""
    for status in product.models.indexes():
        words = _("{state}: {indexed} of {rows} rows, {pending} waiting, {stale} out of date").format(
            state=_(_STATES[status.state]), indexed=status.indexed, rows=status.rows, pending=status.pending,
            stale=status.stale,
        )  # fmt: skip
        wrong = status.state == "mismatch"
        hint = _("Rebuild it on the page Models.") if wrong else ""
        yield _("vectors: {kind}").format(kind=status.kind), "warn" if wrong else "ok", words, hint
