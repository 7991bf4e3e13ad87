"""A real turn in a child that is killed (SIGKILL) at every step: it converges, and no effect happens twice."""

import itertools
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import openai  # noqa: F401  # loaded once here, not in every child
import pytest

from biny_desktop.conversation.agent.agent import Agent
from biny_desktop.conversation.agent.model import TurnOutcome, TurnStart
from biny_desktop.conversation.agent.prompt import PlainAssembler
from biny_desktop.conversation.model import Effect
from biny_desktop.conversation.ports import Budget
from biny_desktop.core.settings import build
from biny_desktop.models.chat_client import ChatClient
from biny_desktop.redaction import RedactionOptions, Redactor
from biny_desktop.storage.atomic import FileOps
from biny_desktop.storage.folders import prepare, resolve
from biny_desktop.storage.model_keys import ModelKeys
from tests.e2e.days import WriteCounter
from tests.fakes.agent_rig import FakeCompactor
from tests.fakes.homes import MemoryKeyring
from tests.fakes.killing_ops import STEPS, Step, StepOps, When, die, killed
from tests.fakes.model_server import ModelServer, Reply, Request
from tests.fakes.turn_home import TURN, TurnHome

EFFECTS: dict[str, Effect] = {"look": "read", "note": "local", "write": "file", "send": "external"}
ENDING = "all of it is done"


class Steady(ModelServer):
    """A model that calls one tool, calls it again only if it reads that it was not done, and then answers."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def next_reply(self, request: Request) -> Reply:
        self.requests.append(request)
        last = request["messages"][-1]
        call = Reply(text="", tool_calls=[{"id": "c", "name": self.name, "arguments": {"q": "it"}}])
        if last["role"] == "tool":
            return call if "not done" in last["content"] else Reply(text=ENDING)
        return call


@dataclass
class Opened:
    """One process' view of the home."""

    home: TurnHome
    agent: Agent

    def run(self, kind: str, steps: int = 0) -> TurnOutcome:
        start = TurnStart(self.home.session, TURN, f"run-{kind}", kind, completed_steps=steps)  # type: ignore[arg-type]
        return self.agent.run(start, lambda _heard: None, lambda: True)

    def go_on(self) -> TurnOutcome:
        return self.run("resume", self.home.recovery.fill(self.home.session))


class Killed:
    """A home with one message to answer, in a folder that is put back after each kill."""

    def __init__(self, tmp_path: Path, name: str) -> None:
        self.name, self.folder, self._before = name, tmp_path / "home", tmp_path / "before"
        self.server = Steady(name)
        home = TurnHome(self.folder)
        home.say("do it")
        self.session = home.session
        home.close()
        shutil.copytree(self.folder, self._before)

    def put_back(self) -> None:
        shutil.rmtree(self.folder)
        shutil.copytree(self._before, self.folder)

    @contextmanager
    def opened(self, ops: FileOps | None = None) -> Iterator[Opened]:
        home = TurnHome(self.folder, ops, session=self.session)
        try:
            home.settings = build({"models": {"chat_url": self.server.url, "chat_model": "large"}})
            keys = ModelKeys(prepare(resolve(self.folder / "keys")), MemoryKeyring())
            chat = ChatClient(home.db, lambda: home.settings, keys, home.clock)
            redactor = Redactor(RedactionOptions())
            agent = Agent(
                home.log_of, chat, home.tools, FakeCompactor(Budget(28_672, 4_300, 4_096)), home.turns,
                PlainAssembler(home.clock, word="fence"), home.exact, lambda: redactor, lambda: home.settings,
                home.clock, home.events,
            )  # fmt: skip
            yield Opened(home, agent)
        finally:
            home.close()

    def converges(self, where: str) -> str:
        """What a killed run left is what the table says, and goes on to the one answer; returns the outcome."""
        with self.opened() as now:
            home = now.home
            home.turns.load(home.session)  # whole, or there is none
            home.turns.tidy()
            found = home.recovery.examine(home.session)
            outcome = "none" if found is None else found.outcome
            assert home.tools.ran()[self.name] <= 1, where
            if outcome == "continue":
                done = now.go_on()
                assert (done.status, done.stop_reason) == ("completed", "answered"), where
            else:
                assert outcome in ("none", "finished"), where
            home.recovery.clear(home.session)
            self._is_whole(home, where)
        return outcome

    def _is_whole(self, home: TurnHome, where: str) -> None:
        assert home.contents()[-1] == ("assistant", ENDING, None), where
        ends = [event.payload["status"] for event in home.stored.events(home.session) if event.type == "turn_status"]
        assert ends == ["completed"], where
        assert home.turns.sessions() == (), where
        assert home.recovery.examine(home.session) is None, where
        records = home.stored.executions(home.session)
        assert all(each.state == "committed" for each in records), where
        if EFFECTS[self.name] == "local":
            assert home.stored.todos(home.session).revision == 1, where
        elif EFFECTS[self.name] in ("file", "external"):
            assert home.tools.ran()[self.name] == 1, where
            assert [each.status for each in records].count("succeeded") == 1, where
        assert not list((self.folder / "turns").glob("*.part")), where


@pytest.fixture(params=list(EFFECTS))
def turn(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Killed]:
    made = Killed(tmp_path, request.param)
    yield made
    made.server.close()


def test_killed_around_each_commit_it_converges(turn: Killed, monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = []
    for n in itertools.count():
        number, when = n // 2, ("before", "after")[n % 2]
        if not killed(lambda at=number, when=when: _killed_at_commit(turn, monkeypatch, at, when)):
            break
        outcomes.append(turn.converges(f"{when} commit {number}"))
        turn.put_back()
    assert outcomes[0] == "continue", "the message alone was there"
    assert outcomes[-1] in ("none", "finished"), "the final commit was done"
    assert len(outcomes) >= 10


def _killed_at_commit(turn: Killed, patch: pytest.MonkeyPatch, number: int, when: str) -> None:
    with turn.opened() as opened:
        WriteCounter(number, when, die).install(patch)
        opened.run("answer")


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", [*STEPS, "unlink"])
def test_killed_at_a_step_of_the_checkpoint_it_converges(turn: Killed, step: Step, when: When) -> None:
    # The first unlink clears the place of the temporary file, the second removes the checkpoint at the end.
    n = 2 if step == "unlink" else 1

    def work() -> None:
        with turn.opened(StepOps(step, when, die, n)) as opened:
            opened.run("answer")

    assert killed(work)
    outcome = turn.converges(f"{when} {step}")
    over = step == "unlink"
    assert outcome == (("finished" if when == "before" else "none") if over else "continue")


@pytest.mark.parametrize("place", ["before", "after"])
def test_killed_around_the_effect_itself_it_converges(turn: Killed, place: str) -> None:
    assert killed(lambda: _killed_in_tool(turn, place))
    assert turn.converges(place) == "continue"


def _killed_in_tool(turn: Killed, place: str) -> None:
    with turn.opened() as opened:
        opened.home.tools.all[turn.name].act = lambda at: die() if at == place else None
        opened.run("answer")


@pytest.mark.parametrize("done", [True, False])
def test_an_external_effect_that_nobody_knows_of_stops_and_asks(tmp_path: Path, done: bool) -> None:
    turn = Killed(tmp_path, "send")
    try:
        assert killed(lambda: _killed_in_tool(turn, "after" if done else "before"))
        with turn.opened() as now:
            home = now.home
            home.tools.all["send"].veiled = True
            found = home.recovery.examine(home.session)
            assert found is not None
            assert (found.outcome, found.reason) == ("blocked", "unsafe_action_required")
            (execution,) = found.unknown
            assert (execution.tool, execution.args) == ("send", '{"q":"it"}')
            assert now.run("resume").status == "blocked", "not even the agent goes on over it"
            assert home.tools.ran()["send"] == int(done)
            home.recovery.settle(home.session, execution.operation_id, done)
            home.tools.all["send"].veiled = False
            assert now.go_on().status == "completed"
            assert home.tools.ran()["send"] == 1
    finally:
        turn.server.close()


@pytest.mark.logs_warning("checkpoint of a turn")
def test_a_full_disk_stops_the_run_before_its_next_request(tmp_path: Path) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    turn = Killed(tmp_path, "write")
    try:
        with turn.opened(StepOps("write_temp", "before", full)) as now:
            done = now.run("answer")
            assert (done.status, done.stop_reason) == ("failed", "checkpoint")
            assert len(turn.server.requests) == 1
            assert now.home.tools.ran()["write"] == 1
    finally:
        turn.server.close()
