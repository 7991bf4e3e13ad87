"""The text index of messages: made at the start, made anew when it is behind, and without words that were deleted."""

from biny_desktop.conversation.search import index
from biny_desktop.conversation.search.index import MESSAGE_INDEX
from tests.conversation.search.rig import Rig


def test_what_is_missing_is_indexed_at_the_next_start(rig: Rig) -> None:
    made = rig.talk()
    found = made.user("the northern ferry")
    made.answer("")
    made.step("", [("c", "look", "{}", "a ferry in a tool result")])
    assert index.prepare(rig.db) == 0
    with rig.db.write() as w:
        index.remove(w, rig.number(found), "the northern ferry")
    assert rig.words("ferry") == []
    assert index.prepare(rig.db) == 1
    assert rig.words("ferry") == [found]


def test_an_index_of_other_rules_is_made_anew_in_batches(rig: Rig, monkeypatch) -> None:
    monkeypatch.setattr(index, "REBUILD_BATCH", 2)
    made = rig.talk()
    for n in range(5):
        made.user(f"the ferry number {n}")
    with rig.db.write() as w:
        w.run("UPDATE meta SET value = '0' WHERE key = 'messages_fts.index_version'")
    assert index.prepare(rig.db) == 5
    assert len(rig.words("ferry")) == 5


def test_removed_words_are_in_no_page_of_the_index(rig: Rig) -> None:
    made = rig.talk()
    made.user("a quiet harbour")
    gone = made.user("the zanzibarian ferry")
    assert holds(rig, "zanzibar")
    with rig.db.write() as w:
        index.remove(w, rig.number(gone), "the zanzibarian ferry")
    MESSAGE_INDEX.clear_deleted_words(rig.db, None)
    assert not holds(rig, "zanzibar")


def holds(rig: Rig, word: str) -> bool:
    """Whether a page of the index has these letters."""
    with rig.db.read() as r:
        rows = r.query("SELECT 1 AS x FROM messages_fts_data WHERE instr(block, CAST(:word AS BLOB))", {"word": word})
    return bool(rows)
