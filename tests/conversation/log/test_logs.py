"""Both logs give the same sessions for the same events; the stored one also after a rebuild."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from biny_desktop.conversation.log.session_log import SessionLog
from biny_desktop.conversation.model import EVENTS_MAX, Message, Todo
from biny_desktop.conversation.ports import ConversationLog
from biny_desktop.conversation.session_events import (
    AssistantMessage,
    CompactionFailed,
    NewEvent,
    SessionChanged,
    SessionCreated,
    SpanData,
    SpansChanged,
    TodoData,
    TodosReplaced,
    ToolExecution,
    UserMessage,
    VersionSelected,
)
from biny_desktop.core.errors import InvalidInputError, NotFoundError
from biny_desktop.core.events import EventBus, SessionsChanged
from biny_desktop.storage.database import Database
from tests.fakes.clock import FakeClock
from tests.fakes.conversations import Talk, memory_log, open_log, talk


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def stored(tmp_path: Path, clock: FakeClock) -> Iterator[tuple[Database, SessionLog]]:
    db, log = open_log(tmp_path, clock)
    yield db, log
    db.close()


@pytest.fixture(params=["stored", "memory"])
def log(request: pytest.FixtureRequest, stored: tuple[Database, SessionLog], clock: FakeClock) -> ConversationLog:
    return stored[1] if request.param == "stored" else memory_log(clock)


def test_a_session_gets_its_title_leaf_and_count_from_its_messages(log: ConversationLog, clock: FakeClock) -> None:
    made = talk(log, clock)
    first = made.user("Where does the ferry leave?\nFrom which pier")
    answer = made.answer("From the north pier.")
    session = log.session(made.session_id)
    assert session.title == "Where does the ferry leave?"
    assert (session.leaf_id, session.message_count, session.turn_status) == (answer, 2, "completed")
    assert made.path() == [first, answer]
    assert session.incognito is log.incognito


def test_numbers_have_no_gaps_and_ids_are_unique(log: ConversationLog, clock: FakeClock) -> None:
    made = talk(log, clock)
    for n in range(5):
        made.user(f"question {n}")
        made.answer(f"answer {n}")
    events = log.events(made.session_id)
    assert [each.seq for each in events] == list(range(1, len(events) + 1))
    assert len({each.event_id for each in events}) == len(events)
    assert [each.seq for each in log.events(made.session_id, after=9)] == list(range(10, len(events) + 1))


def test_versions_of_a_place_share_a_slot_and_the_selected_one_is_on_the_path(
    log: ConversationLog, clock: FakeClock
) -> None:
    made = talk(log, clock)
    question = made.user("one")
    old = made.answer("first try")
    new = made.retry(old, "second try")
    assert made.message(new).slot_id == made.message(old).slot_id == old
    assert made.path() == [question, new]
    made.select(old)
    assert made.path() == [question, old]
    assert [each.id for each in log.path(made.session_id, new)] == [question, new]
    assert [each.active for each in log.messages(made.session_id)] == [True, True, False]
    other = made.edit(question, "another one")
    assert made.path() == [other]
    assert log.session(made.session_id).message_count == 4
    made.select(question)
    assert made.path() == [question, old]


def test_a_new_version_without_a_selection_is_shown_since_it_is_the_newest(
    log: ConversationLog, clock: FakeClock
) -> None:
    made = talk(log, clock)
    made.user("one")
    new = made.user("two", under=None)
    assert made.path() == [new]


def test_what_is_not_in_the_session_is_refused_and_nothing_is_stored(log: ConversationLog, clock: FakeClock) -> None:
    made, other = talk(log, clock), talk(log, clock, "other-")
    known = other.user("elsewhere")
    with pytest.raises(InvalidInputError):
        made.user("under nothing", under=known)
    with pytest.raises(InvalidInputError):
        log.append(made.session_id, [
            NewEvent(UserMessage(message_id="x1", parent_id=None, content="kept out")),
            NewEvent(VersionSelected(slot_id="", message_id=known)),
        ])  # fmt: skip
    assert log.messages(made.session_id) == ()
    with pytest.raises(NotFoundError):
        log.session("nowhere")
    with pytest.raises(NotFoundError):
        log.append("nowhere", [NewEvent(UserMessage(message_id="x2", parent_id=None, content="x"))])
    with pytest.raises(NotFoundError):
        log.path(made.session_id, known)


def test_an_event_of_more_than_16_mb_is_refused(log: ConversationLog, clock: FakeClock) -> None:
    made = talk(log, clock)
    with pytest.raises(InvalidInputError):
        made.user("x" * (16 * 1024 * 1024))
    assert log.messages(made.session_id) == ()


def test_a_full_session_takes_no_question_but_ends_its_turn(log: ConversationLog, clock: FakeClock) -> None:
    made = talk(log, clock)
    first = made.user("one")
    marked = SpansChanged(message_id=first, spans=(SpanData(start=0, end=3, trust="untrusted"),))
    log.append(made.session_id, [NewEvent(marked)] * (EVENTS_MAX - 2))
    with pytest.raises(InvalidInputError):
        made.user("two")
    made.answer("the last word")
    assert len(log.events(made.session_id)) == EVENTS_MAX + 2


def test_everything_beside_the_tree_is_kept_too(log: ConversationLog, clock: FakeClock) -> None:
    made = talk(log, clock)
    execution = ToolExecution(
        call_id="c", operation_id="o", tool="write_file", args="{}", args_hash="h", effect="file", state="admitted",
        target="notes/a.md", intended_hash="i",
    )  # fmt: skip
    log.append(made.session_id, [NewEvent(execution, "t", "r")])
    clock.advance(5)
    log.append(made.session_id, [
        NewEvent(execution.model_copy(update={"state": "committed", "status": "succeeded"}), "t", "r"),
        NewEvent(TodosReplaced(items=(TodoData(content="look"),), revision=1, by="user")),
        NewEvent(CompactionFailed(kind="no_model", fingerprint="f", reason="manual")),
        NewEvent(SessionChanged(title="Named", title_by="user", learn=False)),
    ])  # fmt: skip
    (done,) = log.executions(made.session_id, "t")
    assert (done.state, done.status, done.target, done.before_hash) == ("committed", "succeeded", "notes/a.md", None)
    assert done.at_ms == clock.now_ms() - 5
    assert log.executions(made.session_id, "other") == ()
    assert log.todos(made.session_id).items == (Todo("look"),)
    assert log.last_failure(made.session_id, "f") == clock.now_ms()
    assert log.last_failure(made.session_id, "g") is None
    session = log.session(made.session_id)
    assert (session.title, session.title_by, session.learn, session.recall, session.revision) == (
        "Named", "user", False, None, 2,
    )  # fmt: skip


def test_the_last_node_and_the_open_to_dos_are_told_without_reading_all(log: ConversationLog, clock: FakeClock) -> None:
    made = talk(log, clock)
    assert log.leaf(made.session_id) is None
    made.user("go")
    answer = made.answer("done")
    todos = [TodoData(content=each, status=status) for each, status in (("a", "pending"), ("b", "completed"))]
    log.append(made.session_id, [NewEvent(TodosReplaced(items=tuple(todos), revision=1, by="user"))])
    leaf = log.leaf(made.session_id)
    assert leaf is not None
    assert leaf.id == answer
    assert log.session(made.session_id).todos_open == log.page().sessions[0].todos_open == 1


def test_pages_of_sessions_begin_with_the_last_used(log: ConversationLog, clock: FakeClock) -> None:
    talks = [talk(log, clock, f"s{n}-") for n in range(5)]
    for n in (3, 0, 4, 1, 2):
        talks[n].user(f"words {n}")
    page = log.page(limit=2)
    rest = log.page(limit=10, before=page.next)
    assert [each.title for each in (*page.sessions, *rest.sessions)] == [f"words {n}" for n in (2, 1, 4, 0, 3)]
    assert rest.next is None


def same(messages: tuple[Message, ...]) -> list[Message]:
    return [replace(each, n=0) for each in messages]


def busy(log: ConversationLog, clock: FakeClock) -> Talk:
    made = talk(log, clock)
    question = made.user("Please write the report")
    made.step("I look", [("c1", "session_search", "{}", "three hits"), ("c2", "read_file", "{}", "text")])
    old = made.answer("Here it is")
    made.retry(old, "Here it is, better")
    made.edit(question, "Please write the short report")
    made.answer("Short")
    made.select(question)
    made.user("Thanks")
    return made


def test_a_rebuild_gives_equal_projections_and_keeps_the_row_numbers(
    stored: tuple[Database, SessionLog], clock: FakeClock
) -> None:
    db, log = stored
    made = busy(log, clock)
    before = (log.session(made.session_id), log.messages(made.session_id))
    hits = "SELECT rowid AS n FROM messages_fts WHERE messages_fts MATCH '\"report\"' ORDER BY rowid"
    with db.read() as r:
        found = [row.int("n") for row in r.query(hits)]
    log.rebuild(made.session_id)
    assert (log.session(made.session_id), log.messages(made.session_id)) == before
    with db.read() as r:
        assert [row.int("n") for row in r.query(hits)] == found
    assert len(found) == 2


def test_both_logs_tell_the_same(stored: tuple[Database, SessionLog], clock: FakeClock) -> None:
    one, other = busy(stored[1], FakeClock()), busy(memory_log(), FakeClock())
    mine, theirs = stored[1].messages(one.session_id), other.log.messages(other.session_id)
    assert same(mine) == [replace(each, session_id=one.session_id) for each in same(theirs)]
    assert one.path() == other.path()


def test_projections_that_are_behind_are_made_anew_at_the_next_start(
    stored: tuple[Database, SessionLog], clock: FakeClock
) -> None:
    db, log = stored
    made = busy(log, clock)
    before = log.messages(made.session_id)
    with db.write() as w:
        w.run("UPDATE sessions SET last_seq = last_seq - 1")
        w.run("UPDATE messages SET active = 0")
    assert log.prepare() == 1
    assert log.messages(made.session_id) == before
    with db.write() as w:
        w.run("DELETE FROM sessions")
    assert log.prepare() == 1
    assert log.messages(made.session_id) == before
    assert log.prepare() == 0


@pytest.mark.logs_warning("")
def test_a_damaged_event_costs_only_what_hangs_on_it(stored: tuple[Database, SessionLog], clock: FakeClock) -> None:
    db, log = stored
    made = talk(log, clock)
    first = made.user("one")
    made.answer("two")
    with db.write() as w:
        w.run("UPDATE session_events SET payload = '{\"message_id\": 7' WHERE seq = 3")
        w.run("UPDATE session_events SET payload = 'rubbish' WHERE seq = 1")
    log.rebuild(made.session_id)
    assert made.path() == [first]
    assert log.session(made.session_id).source == "chat"


def test_a_change_is_told_after_its_commit(tmp_path: Path, clock: FakeClock) -> None:
    events, heard = EventBus(), []
    db, log = open_log(tmp_path / "told", clock, events)

    def hear(event: SessionsChanged) -> None:
        heard.append((event.session_ids, len(log.messages(event.session_ids[0]))))

    events.subscribe(SessionsChanged, hear)
    session = log.create(SessionCreated(source="chat"))
    log.append(session.id, [NewEvent(AssistantMessage(message_id="a", parent_id=None, content="hello"))])
    assert heard == [((session.id,), 0), ((session.id,), 1)]
    db.close()
