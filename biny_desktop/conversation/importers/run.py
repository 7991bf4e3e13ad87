"""One reading of a plan, in a preview or an import: how far it is, what was left out, what was counted."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from biny_desktop.conversation.importers.matching import Delta, Here
from biny_desktop.conversation.importers.model import ImportPlan, ImportProgress
from biny_desktop.conversation.importers.reading import conversations
from biny_desktop.conversation.importers.source import FoundMemory, Tally
from biny_desktop.conversation.importers.tidy import TidyConversation, tidy
from biny_desktop.core.i18n import mark
from biny_desktop.storage.progress import CancelledError, Watch


@dataclass
class Run:
    """One reading of a plan, in a preview or an import."""

    plan: ImportPlan
    watch: Watch
    step: str
    tally: Tally = field(default_factory=Tally)
    counts: Counter[str] = field(default_factory=Counter)
    memories: list[FoundMemory] = field(default_factory=list)
    met: int = 0
    done: int = 0

    def tick(self, done: int | None = None) -> None:
        """Say how far it is. Raises CancelledError."""
        self.done = self.done if done is None else done
        self.watch.tell(ImportProgress(self.step, self.done, self.plan.size, self.met))
        if self.watch.cancelled():
            raise CancelledError(mark("Stopped"), mark("What was brought in before stays."))

    def conversations(self) -> Iterator[TidyConversation]:
        """Every conversation of the plan as a tree, with what is remembered beside it."""
        self.tally.skipped.update(self.plan.left_out.skipped)
        for file, found in conversations(self.plan, self.tally, self.tick):
            self.memories = found.memories
            made = tidy(found, self.tally, file.mtime_ms)
            self.met += bool(made.messages)
            yield made
            self.tick()


def count(run: Run, delta: Delta, here: Here, touched: set[str], found: TidyConversation) -> None:
    """Add one conversation to the counts; `touched` are those that were counted in this run already."""
    counts = run.counts
    counts["already_here"] += delta.already
    counts["changed"] += delta.changed
    counts["deleted_here"] += delta.deleted
    if not delta.new:
        return
    counts["messages_new"] += len(delta.new)
    parents: Counter[str | None] = Counter(each.parent for each in delta.new)
    have = {place.parent_id for place in here.places}
    counts["branches"] += sum(
        n if (here.ids.get(parent) if parent else None) in have and here.places else n - 1
        for parent, n in parents.items()
    )
    name = here.session_id or found.id
    if name not in touched:
        counts["sessions_grown" if here.session_id else "sessions_new"] += 1
        touched.add(name)
