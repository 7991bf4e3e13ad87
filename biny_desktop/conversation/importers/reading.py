"""The conversations of a plan, one at a time, whatever their format."""

from collections.abc import Callable, Iterator
from typing import Final

from biny_desktop.conversation.importers import chatgpt, claude, claude_code, codex, own, plain
from biny_desktop.conversation.importers.files import Counted, SourceFile, opened
from biny_desktop.conversation.importers.model import ImportPlan
from biny_desktop.conversation.importers.source import Format, SourceConversation, Tally
from biny_desktop.core.errors import InvalidInputError

_Reads = Callable[[SourceFile, Counted, Tally], Iterator[SourceConversation]]

_READERS: Final[dict[Format, _Reads]] = {
    "chatgpt": chatgpt.read, "claude": claude.read, "claude_code": claude_code.read, "codex": codex.read,
    "plain": plain.read, "own": own.read,
}  # fmt: skip


def conversations(
    plan: ImportPlan, tally: Tally, tick: Callable[[int], None]
) -> Iterator[tuple[SourceFile, SourceConversation]]:
    """Read them, each with its file. A file that is damaged or gone is told to `tally`, and the next one read.

    Args:
        tick: told how many bytes of all were read; may raise to stop it.
    """  # fmt: skip
    before = 0
    for file in plan.files:
        base = before

        def told(done: int, base: int = base) -> None:
            tick(base + done)

        try:
            with opened(file, told) as stream:
                for found in _READERS[plan.format](file, stream, tally):
                    yield file, found
        except InvalidInputError:
            tally.fault("bad_json", file.name)
        before += file.size
        tick(before)
