"""Acts on sessions, to-do lists and projects."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.conversation.drafts import Draft, prepare_draft
from biny_desktop.conversation.log.session_log import SessionLog
from biny_desktop.conversation.model import Todo, TodoList
from biny_desktop.conversation.projects import Projects
from biny_desktop.conversation.sessions import Sessions
from biny_desktop.conversation.todos import open_count, replacing, section
from biny_desktop.core.errors import InvalidInputError, NotFoundError, StaleRevisionError
from biny_desktop.storage.database import Database
from tests.fakes.clock import FakeClock
from tests.fakes.conversations import Talk, open_log, redactor, talk


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def opened(tmp_path: Path, clock: FakeClock) -> Iterator[tuple[Database, SessionLog]]:
    db, log = open_log(tmp_path, clock)
    yield db, log
    db.close()


@pytest.fixture
def made(opened: tuple[Database, SessionLog], clock: FakeClock) -> Talk:
    made = talk(opened[1], clock)
    made.user("Where is the ferry?")
    made.answer("At the pier.")
    return made


@pytest.fixture
def sessions(opened: tuple[Database, SessionLog], clock: FakeClock) -> Sessions:
    return Sessions(opened[1], redactor, clock)


def say(sessions: Sessions, made: Talk, text: str, edit_of: str | None = None) -> str:
    prepared = prepare_draft(Draft(text), redactor())
    events = sessions.user_event(made.session_id, prepared, turn_id="turn", edit_of=edit_of)
    made.log.append(made.session_id, events)
    return made.path()[-1]


def test_a_message_goes_under_the_leaf_and_an_edit_beside_the_old_one(sessions: Sessions, made: Talk) -> None:
    question, answer = made.path()
    more = say(sessions, made, "And when?")
    assert made.path() == [question, answer, more]
    other = say(sessions, made, "Where is the bus?", edit_of=question)
    assert made.path() == [other]
    sessions.select(made.session_id, question)
    assert made.path() == [question, answer, more]
    with pytest.raises(InvalidInputError):
        say(sessions, made, "no", edit_of=answer)
    with pytest.raises(NotFoundError):
        sessions.select(made.session_id, "nowhere")


def test_names_and_projects_want_the_revision_that_was_seen(
    sessions: Sessions, made: Talk, opened: tuple[Database, SessionLog], clock: FakeClock
) -> None:
    named = sessions.rename(made.session_id, "Ferries with sk-proj-AbCdEf0123456789AbCdEf0123456789", 1)
    assert named.title == "Ferries with [hidden: token]"
    with pytest.raises(StaleRevisionError):
        sessions.rename(made.session_id, "Too late", 1)
    project = Projects(opened[0], redactor, clock).create("Harbour")
    placed = sessions.set_project(made.session_id, project.id, named.revision)
    assert (placed.project, placed.title) == ("Harbour", named.title)
    assert sessions.rename(made.session_id, " ", placed.revision).title == "Where is the ferry?"
    assert sessions.set_learning(made.session_id, learn=False, recall=None).learn is False
    assert [each.id for each in made.log.page(project_id=project.id).sessions] == [made.session_id]


def test_a_pasted_part_can_be_marked_as_own_words_and_back(sessions: Sessions, made: Talk) -> None:
    message = say(sessions, made, "mine\n> quoted")
    quoted = made.message(message).spans[1]
    assert quoted.trust == "untrusted"
    sessions.mark_own(made.session_id, message, quoted.start, True)
    assert made.message(message).spans[1].trust == "owner"
    sessions.mark_own(made.session_id, message, quoted.start, False)
    assert made.message(message).spans[1].trust == "untrusted"
    with pytest.raises(InvalidInputError):
        sessions.mark_own(made.session_id, message, 99, True)
    with pytest.raises(InvalidInputError):
        sessions.mark_own(made.session_id, made.path()[1], 0, True)


def test_a_fork_copies_the_path_with_its_calls_and_names_its_origin(sessions: Sessions, made: Talk) -> None:
    made.user("x" * 3_000)
    made.step("I look", [("c1", "look", "{}", "found")])
    made.answer("Found it")
    origin = made.log.path(made.session_id)
    fork = sessions.fork(made.session_id, origin[-1].id)
    copies = made.log.path(fork.id)
    assert [each.copied_from for each in copies] == [each.id for each in origin]
    assert copies[3].tool_calls == origin[3].tool_calls
    assert (copies[4].call_id, copies[4].tool_status) == ("c1", "succeeded")
    assert fork.source == "fork"
    assert fork.parent_session_id == made.session_id
    reference = made.log.session(fork.id).reference or ""
    assert "Where is the ferry?" in reference
    assert "Found it" in reference
    assert made.log.executions(fork.id) == ()
    short = sessions.fork(made.session_id, origin[0].id)
    assert [each.content for each in made.log.path(short.id)] == ["Where is the ferry?"]


def test_to_dos_are_written_as_a_whole_or_not_at_all(sessions: Sessions, made: Talk) -> None:
    first = sessions.save_todos(made.session_id, [Todo("look"), Todo("write", "in_progress")], 0)
    assert (first.revision, open_count(first)) == (1, 2)
    bad: list[list[Todo]] = [
        [Todo("")], [Todo("x" * 501)], [Todo("a", "in_progress"), Todo("b", "in_progress")], [Todo("x")] * 51,
        [Todo("a", "later")],  # type: ignore[arg-type]
    ]  # fmt: skip
    for items in bad:
        with pytest.raises(InvalidInputError):
            sessions.save_todos(made.session_id, items, 1)
    with pytest.raises(StaleRevisionError):
        sessions.save_todos(made.session_id, [], 0)
    assert made.log.todos(made.session_id) == first
    text = section(first) or ""
    assert "[ ] look" in text
    assert "[>] write" in text
    assert sessions.save_todos(made.session_id, [], 1) == TodoList((), 2)
    assert section(TodoList()) is None
    assert replacing(TodoList(), [Todo("x")] * 50, 0, "agent").payload.type == "todos_replaced"


def test_projects_are_found_by_their_folder_or_made(opened: tuple[Database, SessionLog], clock: FakeClock) -> None:
    projects = Projects(opened[0], redactor, clock)
    made = projects.of_folder("/home/mara/harbour/")
    assert (made.name, made.folder) == ("harbour", "/home/mara/harbour")
    assert projects.of_folder("/home/mara/harbour") == made
    assert projects.of_folder("C:\\work\\quay\\").name == "quay"
    renamed = projects.rename(made.id, "The harbour", made.revision)
    assert [each.name for each in projects.all()] == ["The harbour", "quay"]
    for fault, act in (
        (StaleRevisionError, lambda: projects.rename(made.id, "x", made.revision)),
        (NotFoundError, lambda: projects.rename("nowhere", "x", 1)),
        (InvalidInputError, lambda: projects.create(" ")),
        (InvalidInputError, lambda: projects.create("again", "/home/mara/harbour")),
        (InvalidInputError, lambda: projects.of_folder(" ")),
    ):
        with pytest.raises(fault):
            act()
    assert renamed.revision == 2
