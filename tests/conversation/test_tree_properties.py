"""Any sequence of acts keeps one active path, over both logs, and a rebuild changes nothing (spec 05 §12)."""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from biny_desktop.conversation.deleting import SessionDeletes, delete_in_memory
from biny_desktop.conversation.sessions import Sessions
from biny_desktop.core.events import EventBus
from tests.fakes.clock import FakeClock
from tests.fakes.conversations import Talk, memory_log, open_log, redactor, talk

PICK = st.integers(0, 10_000)


class Conversation(RuleBasedStateMachine):
    """The same acts on a stored and an incognito session; ids are equal in both."""

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        clocks, self.bus = (FakeClock(), FakeClock()), EventBus()
        self.db, self.stored = open_log(Path(self.folder.name), clocks[0], self.bus)
        logs = (self.stored, memory_log(clocks[1]))
        self.talks: list[Talk] = [talk(log, clock) for log, clock in zip(logs, clocks, strict=True)]
        self.sessions = [Sessions(each.log, redactor, each.clock) for each in self.talks]
        self.deletes = SessionDeletes(self.db, self.stored, self.bus, lambda _w, _n: None, lambda _s: None)
        self.said = 0

    def teardown(self) -> None:
        if hasattr(self, "db"):
            self.db.close()
            self.folder.cleanup()

    def ids(self, *roles: str) -> list[str]:
        return [each.id for each in self.nodes() if not roles or each.role in roles]

    def nodes(self) -> tuple[Any, ...]:
        return self.talks[0].log.messages(self.talks[0].session_id)

    def words(self) -> str:
        self.said += 1
        return f"words {self.said}"

    @rule()
    def send(self) -> None:
        words = self.words()
        for each in self.talks:
            each.user(words)

    @rule()
    def answer(self) -> None:
        words = self.words()
        for each in self.talks:
            each.answer(words)

    @rule()
    def work(self) -> None:
        words = self.words()
        for each in self.talks:
            each.step(words, [(f"c{self.said}", "look", "{}", "found")])

    @precondition(lambda self: self.ids("user"))
    @rule(pick=PICK)
    def edit(self, pick: int) -> None:
        ids, words = self.ids("user"), self.words()
        for each in self.talks:
            each.edit(ids[pick % len(ids)], words)

    @precondition(lambda self: self.ids("assistant"))
    @rule(pick=PICK)
    def retry(self, pick: int) -> None:
        ids, words = self.ids("assistant"), self.words()
        for each in self.talks:
            each.retry(ids[pick % len(ids)], words)

    @precondition(lambda self: self.ids())
    @rule(pick=PICK)
    def switch_there_and_back(self, pick: int) -> None:
        ids = self.ids()
        wanted = ids[pick % len(ids)]
        before = [each.path() for each in self.talks]
        shown = self.talks[0].path()
        node = next(each for each in self.nodes() if each.id == wanted)
        rival = next((each.id for each in self.nodes() if each.slot_id == node.slot_id and each.id in shown), None)
        for each in self.talks:
            each.select(wanted)
        if rival is not None:
            for each in self.talks:
                each.select(rival)
            assert [each.path() for each in self.talks] == before

    @precondition(lambda self: self.ids())
    @rule(pick=PICK)
    def switch(self, pick: int) -> None:
        ids = self.ids()
        wanted = ids[pick % len(ids)]
        for each in self.talks:
            each.select(wanted)
        node = next(each for each in self.nodes() if each.id == wanted)
        path = self.talks[0].path()
        assert (wanted in path) == (node.parent_id is None or node.parent_id in path)

    @precondition(lambda self: self.ids())
    @rule(pick=PICK)
    def show(self, pick: int) -> None:
        ids = self.ids()
        for each, sessions in zip(self.talks, self.sessions, strict=True):
            sessions.show(each.session_id, ids[pick % len(ids)])
            assert ids[pick % len(ids)] in each.path()

    @precondition(lambda self: self.ids())
    @rule(pick=PICK)
    def fork(self, pick: int) -> None:
        ids = self.ids()
        for each, sessions in zip(self.talks, self.sessions, strict=True):
            copied = sessions.fork(each.session_id, ids[pick % len(ids)])
            origin = each.log.path(each.session_id, ids[pick % len(ids)])
            copies = each.log.path(copied.id)
            assert [(e.role, e.content, e.spans, e.sent_at_ms) for e in copies] == [
                (e.role, e.content, e.spans, e.sent_at_ms) for e in origin
            ]
            assert all(e.copied_from for e in copies)

    @precondition(lambda self: self.ids())
    @rule(pick=PICK)
    def delete(self, pick: int) -> None:
        ids = self.ids()
        wanted = ids[pick % len(ids)]
        self.deletes.message(self.talks[0].session_id, wanted)
        delete_in_memory(self.talks[1].log, self.talks[1].session_id, wanted)  # type: ignore[arg-type]
        assert wanted not in self.ids()

    @rule()
    def rebuild(self) -> None:
        first = self.talks[0]
        before = (first.log.session(first.session_id), first.log.messages(first.session_id))
        self.stored.rebuild(first.session_id)
        assert (first.log.session(first.session_id), first.log.messages(first.session_id)) == before

    @invariant()
    def there_is_one_active_path_from_root_to_leaf(self) -> None:
        if not hasattr(self, "talks"):
            return
        nodes = {each.id: each for each in self.nodes()}
        path = self.talks[0].path()
        assert all(nodes[each].parent_id == before for each, before in zip(path, [None, *path], strict=False))
        assert all(nodes[e.parent_id].seq < e.seq for e in nodes.values() if e.parent_id)
        parents = {each.parent_id for each in nodes.values()}
        assert (path[-1] not in parents) if path else (not nodes)
        assert [each.id for each in nodes.values() if each.active] == path

    @invariant()
    def both_logs_tell_the_same(self) -> None:
        if not hasattr(self, "talks"):
            return
        one, other = self.talks
        mine = [replace(each, n=0, session_id="") for each in one.log.messages(one.session_id)]
        theirs = [replace(each, n=0, session_id="") for each in other.log.messages(other.session_id)]
        strip = {"seq": 0}
        assert [replace(e, **strip) for e in mine] == [replace(e, **strip) for e in theirs]
        first, second = one.log.session(one.session_id), other.log.session(other.session_id)
        assert (first.title, first.leaf_id, first.message_count) == (second.title, second.leaf_id, second.message_count)


TestConversation = Conversation.TestCase
TestConversation.settings = settings(max_examples=12, stateful_step_count=18, deadline=None)
