"""Deleting messages and sessions: nothing of them is left in any file, and what is left still hangs together."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from biny_desktop.conversation.deleting import SessionDeletes, delete_in_memory
from biny_desktop.conversation.log.session_log import SessionLog
from biny_desktop.conversation.session_events import (
    ApprovalAsked,
    CheckpointMade,
    ItemData,
    NewEvent,
    SessionChanged,
    ToolExecution,
)
from biny_desktop.conversation.sessions import Sessions
from biny_desktop.core.errors import NotFoundError, StorageError
from biny_desktop.core.events import EventBus, MessagesDeleted
from biny_desktop.storage.database import Database, Writer
from tests.fakes.clock import FakeClock
from tests.fakes.conversations import Talk, memory_log, open_log, redactor, talk

WORD = "zanzibarique"
CHINESE = "鲸鱼预算表"


@dataclass
class Rig:
    db: Database
    log: SessionLog
    clock: FakeClock
    events: EventBus
    deletes: SessionDeletes
    vectors: list[int]
    turns: list[str]

    def bytes(self) -> bytes:
        folder = self.db.path.parent
        return b"".join(each.read_bytes() for each in folder.rglob("*") if each.is_file())


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    clock, events, vectors, turns = FakeClock(), EventBus(), [], []
    db, log = open_log(tmp_path, clock, events)

    def remove_vectors(_w: Writer, numbers: object) -> None:
        vectors.extend(numbers)  # type: ignore[arg-type]

    deletes = SessionDeletes(db, log, events, remove_vectors, turns.append)
    yield Rig(db, log, clock, events, deletes, vectors, turns)
    db.close()


def telling(made: Talk, message_id: str) -> None:
    """Everything beside the tree that may quote a message."""
    state = {"goal": (ItemData(text=f"wants {WORD}", evidence=(message_id,)),)}
    checkpoint = CheckpointMade(
        id=f"cp-{message_id}", reason="manual", covered_until_id=message_id, covered=1, tokens_before=9, tokens_after=1,
        state=state, fingerprint="f",
    )  # fmt: skip
    execution = ToolExecution(
        call_id="c1", operation_id="o1", tool="write_file", args=f'{{"text": "{WORD}"}}', args_hash="h", effect="file",
        state="admitted",
    )  # fmt: skip
    asked = ApprovalAsked(
        id="a1", call_id="c1", tool="write_file", args=f'{{"text": "{WORD}"}}', args_hash="h", shown=f"+ {WORD}",
        expires_at=1,
    )  # fmt: skip
    turn = made.message(message_id).turn_id
    made.log.append(made.session_id, [NewEvent(each, turn, "r") for each in (checkpoint, execution, asked)])


def planted(rig: Rig) -> tuple[Talk, str]:
    made = talk(rig.log, rig.clock)
    made.user("Good morning")
    made.answer("Good morning to you")
    secret = made.user(f"The word is {WORD} and {CHINESE}", turn="told")
    made.step(f"I look for {WORD}", [("c1", "look", f'{{"q": "{WORD}"}}', f"found {WORD}")], turn="told")
    made.answer(f"It is {WORD}", turn="told")
    telling(made, secret)
    other = talk(rig.log, rig.clock, "other-")
    for n in range(30):
        other.user(f"quite another thing number {n} with zanzibar in it")
    return made, secret


def test_a_deleted_message_goes_with_all_that_hangs_on_it_from_every_file(rig: Rig) -> None:
    made, secret = planted(rig)
    heard: list[MessagesDeleted] = []
    rig.events.subscribe(MessagesDeleted, heard.append)
    assert WORD.encode() in rig.bytes()
    preview = rig.deletes.preview(made.session_id, secret)
    assert (preview.messages, preview.own, preview.checkpoints) == (3, 1, 1)
    receipt = rig.deletes.message(made.session_id, secret)
    assert (receipt.messages, receipt.indexed, receipt.checkpoints, receipt.records) == (4, 3, 1, 2)
    assert receipt.log_emptied
    data = rig.bytes()
    for word in (WORD, CHINESE, "鲸鱼"):
        assert word.encode() not in data
    assert [each.content for each in rig.log.path(made.session_id)] == ["Good morning", "Good morning to you"]
    assert rig.log.checkpoints(made.session_id) == ()
    assert rig.log.executions(made.session_id) == rig.log.approvals(made.session_id) == ()
    assert rig.turns == [made.session_id]
    assert len(rig.vectors) == 4
    assert len(heard[0].message_ids) == 4
    events = rig.log.events(made.session_id)
    assert [each.seq for each in events] == list(range(1, len(events) + 1))


def test_after_a_delete_a_rebuild_gives_the_same_and_one_can_go_on(rig: Rig) -> None:
    made, secret = planted(rig)
    rig.deletes.message(made.session_id, secret)
    before = (rig.log.session(made.session_id), rig.log.messages(made.session_id))
    rig.log.rebuild(made.session_id)
    assert (rig.log.session(made.session_id), rig.log.messages(made.session_id)) == before
    again = made.user("And now?")
    assert made.path()[-1] == again


def test_a_title_of_the_first_words_goes_with_them_also_when_it_was_asked_for_again(rig: Rig) -> None:
    made = talk(rig.log, rig.clock)
    first = made.user(f"{WORD} is the first word")
    sessions = Sessions(rig.log, redactor, rig.clock)
    sessions.rename(made.session_id, "Named", 1)
    session = sessions.rename(made.session_id, "", 2)
    assert session.title == f"{WORD} is the first word"
    made.user("another beginning", under=None)
    rig.deletes.message(made.session_id, first)
    assert rig.log.session(made.session_id).title == "another beginning"
    assert WORD.encode() not in rig.bytes()


def test_a_fork_forgets_what_it_says_of_its_origin_with_the_first_copy_that_is_deleted(rig: Rig) -> None:
    made, _secret = planted(rig)
    fork = Sessions(rig.log, redactor, rig.clock).fork(made.session_id, made.path()[2])
    assert WORD in (fork.reference or "")
    copied = rig.log.path(fork.id)[-1]
    rig.deletes.message(fork.id, copied.id)
    rig.deletes.session(made.session_id)
    assert rig.log.session(fork.id).reference is None
    assert WORD.encode() not in rig.bytes()


def test_a_deleted_session_leaves_numbers_and_nothing_else(rig: Rig) -> None:
    made, _secret = planted(rig)
    rig.log.append(made.session_id, [NewEvent(SessionChanged(title=f"About {WORD}", title_by="user"))])
    receipt = rig.deletes.session(made.session_id)
    assert receipt.messages == 6
    assert WORD.encode() not in rig.bytes()
    with pytest.raises(NotFoundError):
        rig.log.session(made.session_id)
    with pytest.raises(NotFoundError):
        rig.deletes.session(made.session_id)
    assert rig.log.prepare() == 0
    assert len(rig.log.page().sessions) == 1


def test_what_is_not_there_cannot_be_deleted(rig: Rig) -> None:
    made, _secret = planted(rig)
    with pytest.raises(NotFoundError):
        rig.deletes.message(made.session_id, "other-m1")
    with pytest.raises(NotFoundError):
        rig.deletes.preview("nowhere")


def test_a_kill_before_the_after_work_is_made_good_by_the_next_start(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    made, secret = planted(rig)

    def die(_session_id: str) -> None:
        raise StorageError("killed")

    dying = SessionDeletes(rig.db, rig.log, rig.events, lambda _w, _n: None, die)
    with pytest.raises(StorageError):
        dying.message(made.session_id, secret)
    assert len(made.path()) == 2
    assert rig.deletes.finish() == 1
    assert WORD.encode() not in rig.bytes()
    assert rig.deletes.finish() == 0


def test_while_somebody_reads_the_log_is_emptied_later(rig: Rig) -> None:
    made, secret = planted(rig)
    with rig.db.read() as r:
        r.query("SELECT count(*) AS n FROM messages")
        receipt = rig.deletes.message(made.session_id, secret)
    assert not receipt.log_emptied
    assert rig.deletes.finish() == 1
    assert WORD.encode() not in rig.bytes()


def test_what_was_imported_is_remembered_as_deleted(rig: Rig) -> None:
    made, secret = planted(rig)
    with rig.db.write() as w:
        for key, message in (("a", secret), ("b", made.path()[0])):
            w.run(
                "INSERT INTO import_seen(key, batch_id, session_id, message_id, content_hash) "
                "VALUES(:key, 1, :session, :message, 'h')",
                {"key": key, "session": made.session_id, "message": message},
            )
    rig.deletes.message(made.session_id, secret)
    seen = "SELECT key FROM import_seen WHERE deleted = 1 ORDER BY key"
    with rig.db.read() as r:
        assert [row.text("key") for row in r.query(seen)] == ["a"]
    rig.deletes.session(made.session_id)
    with rig.db.read() as r:
        assert [row.text("key") for row in r.query(seen)] == ["a", "b"]


def test_a_message_of_an_incognito_session_is_deleted_from_memory() -> None:
    clock = FakeClock()
    log = memory_log(clock)
    made = talk(log, clock)
    made.user("one")
    gone = made.answer(WORD)
    made.user("more")
    receipt = delete_in_memory(log, made.session_id, gone)
    assert receipt.messages == 2
    assert len(log.messages(made.session_id)) == 1
    assert WORD not in repr([each.payload for each in log.events(made.session_id)])
