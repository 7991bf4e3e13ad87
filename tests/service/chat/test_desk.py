"""The desk of chats over a real home: turns in threads, what they refuse, stop, leases, closing, incognito."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from biny_desktop.conversation.agent.agent import Agent
from biny_desktop.conversation.compaction.compaction import Compaction
from biny_desktop.conversation.drafts import Draft
from biny_desktop.conversation.model import EVENTS_MAX
from biny_desktop.conversation.ports import Heard
from biny_desktop.core.errors import InvalidInputError, NotFoundError, StorageError, UnavailableError
from biny_desktop.core.events import TurnFinished
from biny_desktop.service.chat import turn_threads
from biny_desktop.service.chat.reasons import refused
from biny_desktop.storage import leases
from tests.fakes.chat_home import TODO, ChatHome, opened, refusals, write_call
from tests.fakes.model_server import ModelServer
from tests.waiting import wait_until

SLOW = "one two three four five six seven eight nine ten"


@pytest.fixture
def home(tmp_path: Path, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatHome]:
    monkeypatch.setenv("BINY_STORAGE__ENCRYPTION", "off")
    with opened(tmp_path, model_server) as made:
        yield made


def slow(home: ChatHome) -> None:
    """The next answer comes piece by piece, for longer than any test."""
    home.server.answer(SLOW, piece=4, trickle_s=0.5)


def test_a_message_is_answered_in_a_thread_and_heard_as_it_comes(home: ChatHome) -> None:
    session = home.chat.create().id
    heard: list[Heard] = []
    free: list[bool] = []

    def hear(each: Heard) -> None:
        heard.append(each)
        if each.kind == "ended":
            free.append(home.view(session).running_turn is None and home.view(session).sending is None)

    cancel = home.chat.listen(hear)
    home.server.answer("good morning")
    outcome = home.say(session, "hello")
    wait_until(lambda: free)
    cancel()
    assert (outcome.status, outcome.stop_reason) == ("completed", "answered")
    assert home.texts(session) == ["hello", "good morning"]
    assert "".join(each.text for each in heard if each.kind == "delta") == "good morning"
    assert [(each.text, each.name) for each in heard if each.kind == "ended"] == [("answered", "completed")]
    assert free == [True], "whoever hears of the end finds the session free"
    home.server.answer("yes")
    home.say(session, "still there?")
    assert len([each for each in heard if each.kind == "ended"]) == 1, "nobody listens any more"


@pytest.mark.logs_warning("a listener of a turn failed")
def test_a_listener_that_fails_does_not_end_the_turn(home: ChatHome) -> None:
    def hear(_heard: Heard) -> None:
        raise RuntimeError("broken page")

    home.chat.listen(hear)
    session = home.chat.create().id
    home.server.answer("fine")
    assert home.say(session, "hello").status == "completed"


def test_without_a_model_nothing_is_sent_and_the_reason_is_told(home: ChatHome) -> None:
    session = home.chat.create().id
    home.set("models.chat_model", "")
    assert home.chat.ready() == "no_model"
    assert home.view(session).sending == "no_model"
    with pytest.raises(UnavailableError, match="No model"):
        home.chat.send(session, Draft("hello"))
    assert home.texts(session) == []
    assert home.chat.rename(session, "still mine", home.view(session).session.revision).title == "still mine"


def test_a_draft_that_is_refused_changes_nothing_and_the_session_stays_free(home: ChatHome) -> None:
    session = home.chat.create().id
    with pytest.raises(InvalidInputError):
        home.chat.send(session, Draft("  "))
    assert home.view(session).sending is None
    with pytest.raises(NotFoundError):
        home.chat.send("nobody", Draft("hello"))


def test_stopping_keeps_the_text_so_far(home: ChatHome) -> None:
    session = home.chat.create().id
    slow(home)
    turn = home.begun(session, "count")
    assert home.chat.running() == {session}
    assert home.view(session).running_turn == turn
    home.chat.stop(session)
    assert home.ended(turn).stop_reason == "stopped"
    last = home.shown(session)[-1].message
    assert last.state == "stopped"
    assert SLOW.startswith(last.content.strip())
    assert home.view(session).streaming == ""


def test_what_must_not_meet_a_running_turn_is_refused_and_a_fork_is_not(home: ChatHome) -> None:
    session = home.chat.create().id
    home.server.answer("first")
    home.say(session, "hello")
    message = home.shown(session)[0].message.id
    slow(home)
    turn = home.begun(session, "count")
    for act in refusals(home, session, message).values():
        with pytest.raises(UnavailableError, match="being written"):
            act()
    assert home.view(session).sending == "running"
    fork = home.chat.fork(session, home.shown(session)[1].message.id)
    assert home.texts(fork.id) == ["hello", "first"]
    assert home.view(fork.id).recovered is None
    home.chat.stop(session)
    home.ended(turn)
    home.chat.delete_message(session, message)
    assert home.texts(session) == []


def test_another_process_in_the_session_keeps_this_one_out_until_its_lease_runs_out(home: ChatHome) -> None:
    session = home.chat.create().id
    lease = leases.acquire(home.product.database, home.product.clock, f"turn:{session}", "other", 60_000)
    assert lease is not None
    assert home.view(session).sending == "running_elsewhere"
    for act in refusals(home, session, "x").values():
        with pytest.raises((UnavailableError, NotFoundError)):
            act()
    with pytest.raises(UnavailableError, match="Another program"):
        home.chat.send(session, Draft("hello"))
    leases.release(home.product.database, replace(lease))
    home.server.answer("good morning")
    assert home.say(session, "hello").status == "completed"


@pytest.mark.logs_warning("another process took over")
def test_a_turn_whose_lease_is_lost_is_left_where_it_stands(home: ChatHome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_threads, "RENEW_S", 0.02)
    session = home.chat.create().id
    slow(home)
    turn = home.begun(session, "count")
    with home.product.database.write() as w:
        far = home.product.clock.now_ms() + 60_000
        w.run("UPDATE leases SET holder = 'other', fence = fence + 1, until_ms = :far", {"far": far})
    assert home.ended(turn).stop_reason == "left"
    assert home.view(session).sending == "running_elsewhere"
    assert home.view(session).turn_status is None, "nothing was ended in the name of the other process"


def test_closing_leaves_the_turn_and_the_next_opening_goes_on_with_it(
    tmp_path: Path, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BINY_STORAGE__ENCRYPTION", "off")
    with opened(tmp_path, model_server) as home:
        session = home.chat.create().id
        model_server.answer("first the list", tool_calls=TODO)
        slow(home)
        turn = home.chat.send(session, Draft("plan it"))
        wait_until(lambda: SLOW[:4] in home.view(session).streaming)
    assert home.ended(turn).stop_reason == "left"
    with opened(tmp_path, model_server) as home:
        home.chat.start()
        recovered = home.view(session).recovered
        assert recovered is not None
        assert (recovered.outcome, recovered.steps_left) == ("continue", 95)
        model_server.answer("the plan is made")
        assert home.ended(home.chat.resume(session)).status == "completed"
        assert home.texts(session) == ["plan it", "first the list", "the plan is made"]
        assert home.view(session).todos.revision == 1
        assert home.view(session).recovered is None
        with pytest.raises(InvalidInputError):
            home.chat.resume(session)


def test_at_start_leftovers_go_and_turns_go_on_if_the_user_wants_that(
    tmp_path: Path, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BINY_STORAGE__ENCRYPTION", "off")
    with opened(tmp_path, model_server) as home:
        session = home.chat.create().id
        model_server.answer("first the list", tool_calls=TODO)
        slow(home)
        home.chat.send(session, Draft("plan it"))
        wait_until(lambda: SLOW[:4] in home.view(session).streaming)
    turns = home.data / "turns"
    (turns / f"{session}.json.0123456789ab.part").write_bytes(b"half")
    (turns / "gone.json").write_bytes((turns / f"{session}.json").read_bytes())
    with opened(tmp_path, model_server) as home:
        home.set("agent.auto_resume", "true")
        model_server.answer("the plan is made")
        home.chat.start()
        home.free(session)
        assert home.texts(session)[-1] == "the plan is made"
        assert list(turns.iterdir()) == []


def test_a_new_message_ends_an_interrupted_turn_and_leaves_no_call_open(home: ChatHome) -> None:
    ended: list[TurnFinished] = []
    home.product.events.subscribe(TurnFinished, ended.append)
    session = home.chat.create().id
    home.server.answer("", tool_calls=write_call("open/a.md"))
    assert home.say(session, "write it").stop_reason == "approval"
    home.server.answer("as you like")
    assert home.say(session, "leave it").status == "completed"
    assert [(each.status) for each in ended] == ["blocked", "cancelled", "completed"]
    sent = home.server.requests[-1]["messages"]
    calls = [call["id"] for each in sent for call in each.get("tool_calls") or ()]
    results = [each["tool_call_id"] for each in sent if each["role"] == "tool"]
    assert calls == results == ["w"]
    assert not (home.open / "a.md").exists()


def test_stopping_an_interrupted_turn_ends_it_for_good(home: ChatHome) -> None:
    session = home.chat.create().id
    home.server.answer("", tool_calls=write_call("open/a.md"))
    home.say(session, "write it")
    assert home.view(session).recovered is not None
    home.chat.stop(session)
    view = home.view(session)
    assert (view.recovered, view.turn_status, view.turn_reason) == (None, "cancelled", "stopped")
    assert list((home.data / "turns").iterdir()) == []


@pytest.mark.parametrize("approve", [True, False])
def test_an_answer_lets_the_turn_go_on_by_itself(home: ChatHome, approve: bool) -> None:
    session = home.chat.create().id
    home.server.answer("", tool_calls=write_call("open/a.md"))
    assert home.say(session, "write it").status == "blocked"
    view = home.view(session)
    assert view.recovered is not None
    assert (view.recovered.reason, len(view.approvals)) == ("missing_user_input", 1)
    home.server.answer("so be it")
    home.chat.answer(session, view.approvals[0].id, approve=approve, revision=view.approvals[0].revision)
    home.free(session)
    assert home.texts(session)[-1] == "so be it"
    assert (home.open / "a.md").exists() == approve
    assert home.view(session).approvals == ()


def test_an_answer_without_a_model_is_kept_for_later(home: ChatHome) -> None:
    session = home.chat.create().id
    home.server.answer("", tool_calls=write_call("open/a.md"))
    home.say(session, "write it")
    (asked,) = home.view(session).approvals
    home.set("models.chat_model", "")
    home.chat.answer(session, asked.id, approve=True, revision=asked.revision)
    recovered = home.view(session).recovered
    assert recovered is not None
    assert recovered.outcome == "continue"
    assert not (home.open / "a.md").exists()


def test_versions_are_made_beside_each_other_and_switched(home: ChatHome) -> None:
    session = home.chat.create().id
    home.server.answer("first the list", tool_calls=TODO).answer("one")
    home.say(session, "hello")
    home.server.answer("two")
    last = home.shown(session)[-1].message.id
    home.ended(home.chat.retry(session, last))
    assert home.texts(session) == ["hello", "two"], "the answer began with the step"
    answer = home.shown(session)[-1]
    assert (answer.version, len(answer.version_ids)) == (2, 2)
    home.chat.select(session, answer.version_ids[0])
    assert home.texts(session) == ["hello", "first the list", "one"]
    home.server.answer("good evening")
    home.ended(home.chat.edit(session, home.shown(session)[0].message.id, Draft("good night")))
    assert home.texts(session) == ["good night", "good evening"]
    first = home.shown(session)[0]
    assert (first.version, len(first.version_ids)) == (2, 2)
    with pytest.raises(InvalidInputError):
        home.chat.retry(session, first.message.id)
    with pytest.raises(NotFoundError):
        home.chat.retry(session, "nothing")


def test_a_message_whose_answer_failed_says_why_and_can_be_answered(home: ChatHome) -> None:
    session = home.chat.create().id
    home.server.answer(status=401)
    assert home.say(session, "hello").status == "failed"
    (shown,) = home.shown(session)
    assert shown.fault
    home.server.answer("good morning")
    assert home.ended(home.chat.retry(session, shown.message.id)).status == "completed"
    assert home.texts(session) == ["hello", "good morning"]
    assert home.shown(session)[0].fault == ""


@pytest.mark.logs_warning("a fault of the program (RuntimeError)")
def test_a_bug_in_a_turn_ends_it_as_failed_and_the_session_goes_on(
    home: ChatHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = home.chat.create().id

    def broken(*_: object) -> None:
        raise RuntimeError("what the user said")

    with monkeypatch.context() as patch:
        patch.setattr(Agent, "run", broken)
        outcome = home.say(session, "hello")
    assert (outcome.status, outcome.stop_reason) == ("failed", "internal")
    assert home.view(session).turn_status == "failed"
    home.server.answer("good morning")
    assert home.say(session, "again").status == "completed"


def test_a_summary_that_cannot_be_written_locks_the_session_until_it_is_opened_again(
    home: ChatHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = home.chat.create().id

    def broken(*_: object, **__: object) -> None:
        raise StorageError("The disk is gone")

    monkeypatch.setattr(Compaction, "compact", broken)
    with pytest.raises(StorageError):
        home.chat.compact(session)
    view = home.view(session)
    assert (view.read_only, view.sending) == (True, "read_only")
    with pytest.raises(UnavailableError):
        home.chat.send(session, Draft("hello"))
    home.chat.reopen(session)
    assert home.view(session).sending is None


def test_a_summary_that_was_not_made_says_why(home: ChatHome) -> None:
    session = home.chat.create().id
    assert home.chat.compact(session) is None
    home.server.answer("good morning")
    home.say(session, "hello")
    home.server.answer("no summary at all").answer("no summary at all")
    with pytest.raises(UnavailableError, match="not summed up"):
        home.chat.compact(session)


def test_a_full_session_takes_no_turn_and_a_nearly_full_one_says_so(home: ChatHome) -> None:
    session = home.chat.create().id
    for last_seq, hint, sending in ((39_999, False, None), (40_000, True, None), (EVENTS_MAX - 31, True, "full")):
        with home.product.database.write() as w:
            w.run("UPDATE sessions SET last_seq = :n WHERE id = :id", {"n": last_seq, "id": session})
        view = home.view(session)
        assert (view.hint, view.sending) == (hint, sending)


def test_an_incognito_chat_leaves_no_trace(
    tmp_path: Path, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BINY_STORAGE__ENCRYPTION", "off")
    with opened(tmp_path, model_server) as home:
        stored = home.chat.create().id
        session = home.chat.create(incognito=True).id
        model_server.answer("zanzibarword is secret", tool_calls=TODO).answer("yes, quokkaword it is")
        assert home.say(session, "keep xylophoneword to yourself").status == "completed"
        assert [each.id for each in home.chat.page().sessions] == [session, stored]
        names = [each["function"]["name"] for each in model_server.requests[0]["tools"]]
        assert names == ["todo_write"]
        assert home.view(session).recovered is None
        message = home.shown(session)[0].message.id
        home.chat.delete_message(session, message)
        assert home.texts(session) == []
        model_server.answer("wombatword", piece=4, trickle_s=0.5)
        turn = home.begun(session, "xylophoneword again")
        home.chat.close_incognito(session)
        assert home.ended(turn).stop_reason == "left"
        with pytest.raises(NotFoundError):
            home.view(session)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for word in (b"zanzibarword", b"quokkaword", b"xylophoneword", b"wombatword", session.encode()):
        assert word not in kept


def test_nothing_begins_once_the_desk_is_closed(home: ChatHome) -> None:
    session = home.chat.create().id
    home.chat.close()
    assert home.chat.ready() == "closing"
    assert home.view(session).sending == "closing"
    with pytest.raises(UnavailableError):
        home.chat.send(session, Draft("hello"))
    assert home.chat.wait("nothing", 0.0) is None
    assert refused("closing").hint == ""
