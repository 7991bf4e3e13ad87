"""Imports over time: what is new, changed, deleted or written on; stopped, killed, busy, and rolled back."""

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from biny_desktop.conversation.importers import bringing
from biny_desktop.conversation.importers.importing import LOCK_NAME
from biny_desktop.conversation.model import EVENTS_MAX
from biny_desktop.core.errors import InvalidInputError, NotFoundError, UnavailableError
from biny_desktop.core.events import SessionsChanged, TurnFinished
from biny_desktop.storage.file_lock import FileLock
from biny_desktop.storage.progress import CancelledError
from tests.fakes.conversations import Talk
from tests.fakes.import_home import SAMPLES, ImportHome, StopAfter, import_home, sample
from tests.fakes.killing_ops import die, killed

TOMATOES = "Tomatoes in pots"


def chats(folder: Path, change: Callable[[Any], None] = lambda _chats: None) -> Path:
    """The ChatGPT sample, changed."""
    path = folder / "conversations.json"
    found = json.loads((path if path.exists() else SAMPLES / "chatgpt/conversations.json").read_text())
    change(found)
    path.write_text(json.dumps(found))
    return path


def more(chats_: Any, parent: str = "u4", name: str = "new", role: str = "assistant", show: bool = True) -> None:
    """One more message in the first chat."""
    message = {
        "author": {"role": role}, "create_time": 1_741_700_000.0, "recipient": "all",
        "content": {"content_type": "text", "parts": [f"This is {name}"]},
    }  # fmt: skip
    chats_[0]["mapping"][name] = {"id": name, "parent": parent, "message": message}
    if show:
        chats_[0]["current_node"] = name


def talk(home: ImportHome, title: str = TOMATOES) -> Talk:
    return Talk(home.log, home.titled(title).id, home.clock, "own-")


# -- again -------------------------------------------------------------------------------------------------------------


def test_only_what_is_new_comes_in_and_shows(home: ImportHome, tmp_path: Path) -> None:
    home.bring(chats(tmp_path))
    done = home.bring(chats(tmp_path, more))
    assert (done.counts.messages_new, done.counts.sessions_grown, done.counts.already_here) == (1, 1, 16)
    assert home.texts(TOMATOES)[-1] == "This is new"


def test_a_changed_text_stays_as_it_is_here_and_is_counted(home: ImportHome, tmp_path: Path) -> None:
    home.bring(chats(tmp_path))

    def change(found: Any) -> None:
        found[0]["mapping"]["u1"]["message"]["content"]["parts"] = ["Which cucumbers?"]

    done = home.bring(chats(tmp_path, change))
    assert (done.counts.changed, done.counts.messages_new) == (1, 0)
    assert home.texts(TOMATOES)[0] == "Which tomatoes grow well in pots?"


def test_a_branch_that_the_source_shows_now_shows_here(home: ImportHome, tmp_path: Path) -> None:
    home.bring(chats(tmp_path))
    home.bring(chats(tmp_path, lambda found: more(found, "a2", "back", "user")))
    assert home.texts(TOMATOES)[-3:] == ["How much water do they need?", "A litre a day in summer.", "This is back"]


def test_where_the_user_wrote_on_new_messages_become_versions_and_nothing_moves(
    home: ImportHome, tmp_path: Path
) -> None:
    home.bring(chats(tmp_path))
    made = talk(home)
    made.user("And what about basil?")
    made.answer("Basil likes company.")
    before = home.texts(TOMATOES)
    done = home.bring(chats(tmp_path, more))
    assert done.counts.messages_new == 1
    assert home.texts(TOMATOES) == before
    everything = home.log.messages(made.session_id)
    new = next(each for each in everything if each.content == "This is new")
    own = next(each for each in everything if each.content == "And what about basil?")
    assert (new.parent_id, new.slot_id) == (own.parent_id, own.slot_id)


def test_what_the_user_deleted_stays_away_unless_asked_for(home: ImportHome, tmp_path: Path) -> None:
    home.bring(chats(tmp_path))
    shape = home.shape()
    session = home.titled(TOMATOES).id
    home.deletes.message(session, home.path(TOMATOES)[4].id)
    home.deletes.session(home.titled("First of a loop").id)
    path = chats(tmp_path, more)
    shown = home.imports.preview(home.imports.plan(path))
    done = home.bring(path)
    assert shown.counts == done.counts
    assert (done.counts.deleted_here, done.counts.messages_new, done.counts.sessions_new) == (7, 1, 0)
    assert home.texts(TOMATOES)[-2:] == ["Two litres a day in July. Best in the morning.", "This is new"]
    back = home.bring(chats(tmp_path), bring_back=True)
    assert (back.counts.messages_new, back.counts.sessions_new, back.counts.deleted_here) == (7, 1, 0)
    assert len(home.shape()) == len(shape) + 1
    assert home.bring(chats(tmp_path)).counts.messages_new == 0


def test_imports_finish_no_turn_and_the_list_hears_of_them(home: ImportHome) -> None:
    heard: list[object] = []
    home.events.subscribe(TurnFinished, heard.append)
    home.events.subscribe(SessionsChanged, lambda event: heard.append("changed"))
    home.bring(SAMPLES / "chatgpt")
    assert set(map(str, heard)) == {"changed"}


def test_a_chat_with_more_messages_than_a_session_takes_is_cut_and_said(
    home: ImportHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bringing, "room", lambda here: 3)
    done = home.bring(SAMPLES / "chatgpt")
    assert len(home.log.messages(home.titled(TOMATOES).id)) == 3
    assert done.malformed["too_large"] == 8
    assert EVENTS_MAX == 50_000


def test_a_damaged_file_does_not_keep_the_others_out(home: ImportHome, tmp_path: Path) -> None:
    folder = sample(tmp_path, "codex")
    plan = home.imports.plan(folder)
    next(folder.rglob("*old.jsonl")).unlink()
    with pytest.raises(InvalidInputError):
        home.imports.apply(plan)
    done = home.bring(folder)
    assert (done.state, done.counts.sessions_new) == ("done", 1)


# -- stopped and killed ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("after", [1, 4, 6, 9, 14, 20])
def test_stopped_anywhere_and_done_again_is_one_clean_import(tmp_path: Path, after: int) -> None:
    with import_home(tmp_path / "whole") as whole:
        whole.bring(SAMPLES / "chatgpt")
        wanted = whole.shape()
    with import_home(tmp_path / "home") as home:
        stopped = home.bring(SAMPLES / "chatgpt", watch=StopAfter(after).watch)
        assert stopped.state == "cancelled"
        again = home.bring(SAMPLES / "chatgpt")
        assert (again.state, again.batch_id) == ("done", stopped.batch_id)
        assert home.shape() == wanted
        assert [(each.state, each.counts.messages_new) for each in home.imports.batches()] == [("done", 16)]
        home.imports.rollback(again.batch_id)
        assert not home.sessions()


def test_killed_between_conversations_it_goes_on(tmp_path: Path) -> None:
    with import_home(tmp_path / "whole") as whole:
        whole.bring(SAMPLES / "chatgpt")
        wanted = whole.shape()

    def work() -> None:
        with import_home(tmp_path / "home") as home:
            written = 0

            def kill(_event: object) -> None:
                nonlocal written
                written += 1
                if written == 2:
                    die()

            bringing.TELL_EVERY = 1
            home.events.subscribe(SessionsChanged, kill)
            home.bring(SAMPLES / "chatgpt")

    assert killed(work)
    with import_home(tmp_path / "home") as home:
        assert 0 < len(home.sessions()) < 3
        assert [each.state for each in home.imports.batches()] == ["failed"]
        home.bring(SAMPLES / "chatgpt")
        assert home.shape() == wanted
        assert [(each.state, each.counts.messages_new) for each in home.imports.batches()] == [("done", 16)]


def test_a_stopped_preview_writes_nothing(home: ImportHome) -> None:
    with pytest.raises(CancelledError):
        home.imports.preview(home.imports.plan(SAMPLES / "chatgpt"), watch=StopAfter(2).watch)
    assert not home.imports.batches()


def test_progress_tells_bytes_and_conversations(home: ImportHome) -> None:
    told = StopAfter(10_000)
    home.bring(SAMPLES / "chatgpt", watch=told.watch)
    size = (SAMPLES / "chatgpt/conversations.json").stat().st_size
    assert [(each.done, each.total) for each in told.told][-1] == (size, size)
    assert told.told[-1].conversations == 3  # type: ignore[attr-defined]
    assert sorted(each.done for each in told.told) == [each.done for each in told.told]


def test_one_import_at_a_time(home: ImportHome) -> None:
    lock = FileLock(home.db.path.with_name(LOCK_NAME))
    assert lock.take()
    with pytest.raises(UnavailableError):
        home.bring(SAMPLES / "chatgpt")
    lock.release()
    assert home.bring(SAMPLES / "chatgpt").state == "done"


# -- rollback ----------------------------------------------------------------------------------------------------------


def test_a_batch_is_rolled_back_and_may_come_again(home: ImportHome) -> None:
    first = home.bring(SAMPLES / "chatgpt")
    wanted = home.shape()
    done = home.imports.rollback(first.batch_id)
    assert (done.sessions, done.messages, done.memories, done.stayed) == (3, 16, 4, ())
    assert not home.sessions()
    assert not home.memories.open()
    assert home.imports.batches()[0].state == "rolled_back"
    again = home.bring(SAMPLES / "chatgpt")
    assert again.batch_id != first.batch_id
    assert (again.counts.messages_new, again.counts.deleted_here, again.counts.memories) == (16, 0, 4)
    assert home.shape() == wanted
    with pytest.raises(InvalidInputError):
        home.imports.rollback(first.batch_id)
    with pytest.raises(NotFoundError):
        home.imports.rollback(99)


def test_sessions_that_the_user_wrote_on_stay_and_are_listed(home: ImportHome) -> None:
    first = home.bring(SAMPLES / "chatgpt")
    made = talk(home)
    made.user("Thanks again")
    done = home.imports.rollback(first.batch_id)
    assert done.stayed == ((made.session_id, TOMATOES),)
    assert [each.title for each in home.sessions()] == [TOMATOES]
    assert home.bring(SAMPLES / "chatgpt").counts.sessions_new == 2


def test_a_later_batch_takes_back_only_what_it_added(home: ImportHome, tmp_path: Path) -> None:
    home.bring(chats(tmp_path))
    wanted = home.shape()
    second = home.bring(chats(tmp_path, more))
    done = home.imports.rollback(second.batch_id)
    assert (done.sessions, done.messages) == (0, 1)
    assert home.shape() == wanted
    assert home.bring(chats(tmp_path)).counts.messages_new == 1


def test_what_the_user_deleted_stays_away_after_a_rollback(home: ImportHome, tmp_path: Path) -> None:
    first = home.bring(chats(tmp_path))
    home.deletes.message(home.titled(TOMATOES).id, home.path(TOMATOES)[-1].id)
    home.imports.rollback(first.batch_id)
    again = home.bring(chats(tmp_path))
    assert (again.counts.deleted_here, again.counts.messages_new) == (1, 15)


def test_a_rollback_that_is_killed_goes_on(tmp_path: Path) -> None:
    with import_home(tmp_path / "home") as home:
        batch = home.bring(SAMPLES / "chatgpt").batch_id

    def work() -> None:
        with import_home(tmp_path / "home") as home:
            home.events.subscribe(SessionsChanged, lambda _event: os.kill(os.getpid(), signal.SIGKILL))
            home.imports.rollback(batch)

    assert killed(work)
    with import_home(tmp_path / "home") as home:
        assert len(home.sessions()) == 2
        assert home.imports.rollback(batch).sessions == 2
        assert not home.sessions()
        assert home.bring(SAMPLES / "chatgpt").counts.messages_new == 16


# -- while others work -------------------------------------------------------------------------------------------------


def test_a_chat_that_changes_while_its_messages_are_made_ready_is_looked_at_again(
    home: ImportHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.bring(chats(tmp_path))
    leaf = home.path(TOMATOES)[-1].id
    ready = bringing.ready
    deleted: list[str] = []

    def meanwhile(*args: Any, **how: Any) -> Any:
        if not deleted:
            deleted.append(leaf)
            home.deletes.message(home.titled(TOMATOES).id, leaf)
        return ready(*args, **how)

    monkeypatch.setattr(bringing, "ready", meanwhile)
    done = home.bring(chats(tmp_path, more))
    assert (done.counts.messages_new, done.counts.deleted_here) == (1, 1)
    assert home.texts(TOMATOES)[-2:] == ["It lacks magnesium.", "This is new"]


def test_a_chat_in_which_somebody_keeps_writing_is_said_to_be_busy(
    home: ImportHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.bring(chats(tmp_path))
    made, look = talk(home), bringing.matching.look

    def meanwhile(r: Any, *args: Any) -> Any:
        found = look(r, *args)
        if type(r).__name__ == "Reader":
            made.user("again")
        return found

    monkeypatch.setattr(bringing.matching, "look", meanwhile)
    with pytest.raises(UnavailableError):
        home.bring(chats(tmp_path, more))
    assert home.imports.batches()[0].state == "failed"


def test_a_rollback_that_is_stopped_goes_on(home: ImportHome) -> None:
    batch = home.bring(SAMPLES / "chatgpt").batch_id
    with pytest.raises(CancelledError):
        home.imports.rollback(batch, StopAfter(2).watch)
    assert len(home.sessions()) == 2
    assert home.imports.rollback(batch).sessions == 2
    assert not home.sessions()
