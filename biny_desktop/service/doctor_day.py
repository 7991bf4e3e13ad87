"""What Doctor says of the parts that understand a day: model slots, accounts, embedder, vectors."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from biny_desktop.core.i18n import _, listed
from biny_desktop.service.state_words import index_kind, index_state

if TYPE_CHECKING:
    from biny_desktop.service.product import Product

Line = tuple[str, Literal["ok", "warn"], str, str]
"""Name, state, text, hint."""


def day_lines(product: "Product") -> Iterator[Line]:
    """One line a part; without a model all is well, it only says so."""
    slots = {each.slot: each for each in product.models.slots()}
    ready = [f"{name}: {each.model}" for name, each in slots.items() if each.state == "ready"]
    broken = [name for name, each in slots.items() if each.state not in ("ready", "unset")]
    hint = _("Look at the page Models: {slots}.").format(slots=listed(broken)) if broken else ""
    words = listed(ready) if ready else _("None is connected; all but accounts and summaries works.")
    yield _("language models"), "warn" if broken else "ok", words, hint
    counts = product.analysis.counts()
    failed = counts.get("failed", 0)
    words = _("{done} analysed, {waiting} waiting, {failed} failed").format(
        done=counts.get("analysed", 0) + counts.get("not_worth", 0), failed=failed,
        waiting=counts.get("pending", 0) + counts.get("skipped_no_model", 0),
    )  # fmt: skip
    yield _("activities"), "warn" if failed else "ok", words, _("Try again on the page Models.") if failed else ""
    found = product.message_search.counts()
    words = _("{indexed} with indexed words, {missing} without, {stray} rows of none").format(
        indexed=found.indexed, missing=found.missing, stray=found.stray
    )
    hint = "" if found.whole else _("The index is built at the next start.")
    yield _("messages"), "ok" if found.whole else "warn", words, hint
    embedder = product.models.embedder_state()
    yield _("embedder"), "ok" if embedder.fingerprint else "warn", embedder.why, ""
    for status in product.models.indexes():
        words = _("{state}: {indexed} of {rows} rows, {pending} waiting, {stale} out of date").format(
            state=index_state(status.state), indexed=status.indexed, rows=status.rows, pending=status.pending,
            stale=status.stale,
        )  # fmt: skip
        wrong = status.state == "mismatch"
        hint = _("Rebuild it on the page Models.") if wrong else ""
        yield _("vectors: {kind}").format(kind=index_kind(status.kind)), "warn" if wrong else "ok", words, hint
