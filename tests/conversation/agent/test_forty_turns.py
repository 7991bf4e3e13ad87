"""A chat of forty turns with edits, retries, switches, tools and summaries: only the active path is ever sent.

Every text of it holds a word of its own (`mark17`), so that a request can be asked whose texts it holds. What a request
may hold is worked out when it arrives, from the tree alone.
"""

import json
import re
from typing import Any, Final

from biny_desktop.conversation.agent.model import TurnStart
from biny_desktop.conversation.compaction.compaction import Compaction
from biny_desktop.conversation.drafts import Draft, prepare_draft
from biny_desktop.conversation.model import Message
from biny_desktop.conversation.ports import ToolScene
from biny_desktop.conversation.sessions import Sessions
from biny_desktop.models.client import ModelClient
from tests.conversation.agent.conftest import MakeRig
from tests.fakes.agent_rig import AgentRig, FakeTool, call
from tests.fakes.model_server import Reply

TURNS: Final = 40
_MARK: Final = re.compile(r"mark\d+")
_FILLING: Final = "lorem ipsum dolor sit amet consectetur "


class Talk:
    """Talks in a rig, answers for its server, and checks every request as it comes."""

    def __init__(self, rig: AgentRig) -> None:
        self.rig = rig
        self.sessions = Sessions(rig.log, lambda: rig.redactor, rig.clock)
        client = ModelClient(rig.db, lambda: rig.settings, rig.keys, rig.clock)
        self.compaction = Compaction(client, rig.chat, lambda: rig.redactor, lambda: rig.settings, rig.clock)
        self.agent = rig.agent(compactor=self.compaction)
        self.marks = 0
        self.turns = 0
        self.retried: str | None = None
        self.checked = self.summaries = 0
        self.faults: list[str] = []
        self.wanted: list[dict[str, Any]] = []
        """The calls of the next answer."""
        rig.server.next_reply = self.reply  # type: ignore[method-assign]

    def mark(self) -> str:
        self.marks += 1
        return f"mark{self.marks}"

    def words(self, many: int = 40) -> str:
        return f"{self.mark()} " + _FILLING * many

    def allowed(self) -> tuple[Message, ...]:
        """The path that is being answered: the active one, in a retry without the old answer."""
        path = self.rig.path()
        ids = [each.id for each in path]
        return path[: ids.index(self.retried)] if self.retried in ids else path

    def reply(self, request: dict[str, Any]) -> Reply:
        path = self.allowed()
        may = {mark for each in path for mark in _MARK.findall(_whole(each))}
        sent = json.dumps(request["messages"])
        stray = set(_MARK.findall(sent)) - may
        if stray:
            self.faults.append(f"turn {self.turns}: {sorted(stray)}")
        self.checked += 1
        if not request.get("tools"):
            self.summaries += 1
            return Reply(json.dumps({"goal": [{"text": "Talk at length.", "evidence": ["m1"]}]}))
        current = next(each for each in reversed(path) if each.role == "user")
        if not set(_MARK.findall(current.content)) <= set(_MARK.findall(sent)):
            self.faults.append(f"turn {self.turns}: the message to answer is missing")
        calls, self.wanted = self.wanted, []
        return Reply(self.words(), tool_calls=calls)

    def run(self, start: TurnStart) -> None:
        outcome = self.rig.run(start, self.agent)
        assert outcome.status == "completed", (self.turns, outcome)
        assert not self.faults, self.faults

    def say(self, *, edit_of: str | None = None, tool: bool = False) -> None:
        self.turns += 1
        turn = f"turn{self.turns}"
        prepared = prepare_draft(Draft(self.words()), self.rig.redactor)
        events = self.sessions.user_event(self.rig.session, prepared, turn_id=turn, edit_of=edit_of)
        self.rig.log.append(self.rig.session, events)
        if tool:
            self.wanted = [call("look_up", f"c{self.turns}", q=self.mark())]
        self.run(TurnStart(self.rig.session, turn, f"run{self.turns}", "answer"))

    def retry(self) -> None:
        """Another version of the first step of the last turn."""
        path = self.rig.path()
        last = max(n for n, each in enumerate(path) if each.role == "user")
        old = path[last + 1]
        assert old.turn_id is not None
        self.retried = old.id
        self.run(TurnStart(self.rig.session, old.turn_id, f"again{self.marks}", "retry", retry_of=old.id))
        self.retried = None

    def users(self) -> list[Message]:
        return [each for each in self.rig.path() if each.role == "user"]


def _whole(message: Message) -> str:
    return message.content + "".join(call.arguments for call in message.tool_calls)


def test_only_texts_of_the_active_path_are_ever_sent(make_rig: MakeRig) -> None:
    talk: Talk

    def found(args: Any, scene: ToolScene) -> str:
        return talk.words(20)

    models = {"chat_window": 8_192, "chat_output": 512}
    rig = make_rig(FakeTool("look_up", do=found))
    rig.settings = rig.settings.model_copy(update={"models": rig.settings.models.model_copy(update=models)})
    talk = Talk(rig)
    switched: list[tuple[str, str]] = []
    for n in range(1, TURNS + 1):
        talk.say(tool=n % 3 == 0)
        if n % 5 == 0:
            talk.retry()
        if n % 7 == 0:
            old = talk.users()[-2]
            talk.say(edit_of=old.id)
            switched.append((old.id, talk.users()[-1].id))
        if n % 14 == 0:  # back to what was edited away, a turn there, and to the new version again
            old_id, new_id = switched[-1]
            talk.sessions.select(rig.session, old_id)
            talk.say()
            talk.sessions.select(rig.session, new_id)
        if n == 30:  # far back, behind a summary: it belongs to another path there
            early = talk.users()[3]
            talk.say(edit_of=early.id)
            talk.say()
            talk.sessions.select(rig.session, early.id)
    assert talk.turns >= TURNS
    assert talk.checked > TURNS
    assert len(rig.log.checkpoints(rig.session)) >= 2
    assert "compacted" in rig.kinds()
    assert len(rig.log.messages(rig.session)) > len(rig.path())
