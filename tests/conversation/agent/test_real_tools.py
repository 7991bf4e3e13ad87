"""The agent with the tools of the product: the to-do list, and a file that is written once a person approved it."""

import hashlib
from pathlib import Path

from biny_desktop.conversation.agent.model import TurnStart
from biny_desktop.conversation.tools.box import AgentTools
from tests.conversation.agent.conftest import MakeRig
from tests.fakes.agent_rig import AgentRig, call


def equipped(rig: AgentRig) -> AgentRig:
    rig.toolbox = AgentTools(lambda: rig.settings, lambda: rig.redactor, rig.clock)  # type: ignore[assignment]
    return rig


def test_a_to_do_list_written_by_the_agent_stands_in_the_next_prompt(make_rig: MakeRig) -> None:
    rig = equipped(make_rig())
    items = [{"content": "Find the report", "status": "in_progress"}, {"content": "Read it"}]
    rig.server.answer("", tool_calls=[call("todo_write", items=items)]).answer("I began.")
    assert rig.ask("find and read the report").status == "completed"
    assert [item.status for item in rig.log.todos(rig.session).items] == ["in_progress", "pending"]
    assert "[>] Find the report\n[ ] Read it" in rig.server.said(1)


def test_a_file_is_written_after_its_exact_change_was_approved(make_rig: MakeRig, tmp_path: Path) -> None:
    folder = tmp_path / "opened"
    folder.mkdir()
    note = folder / "note.md"
    note.write_text("old words\n", encoding="utf-8")
    digest = hashlib.sha256(note.read_bytes()).hexdigest()
    rig = equipped(make_rig(settings={"agent": {"folders": [str(folder)]}}))
    change = call("write_file", path="opened/note.md", text="new words\n", expected_hash=digest, reason="You asked.")
    rig.server.answer("I change it.", tool_calls=[change])
    assert rig.ask("change the note").status == "blocked"
    assert note.read_text(encoding="utf-8") == "old words\n"
    asked = rig.log.approvals(rig.session)[0]
    assert "-old words" in asked.shown
    assert "+new words" in asked.shown
    rig.exact.answer(rig.session, asked.id, True, asked.revision)
    rig.server.answer("It is changed.")
    assert rig.run(TurnStart(rig.session, "turn1", "run2", "resume")).status == "completed"
    assert note.read_text(encoding="utf-8") == "new words\n"
    record = rig.log.executions(rig.session)[0]
    assert (record.state, record.status, record.before_hash) == ("committed", "succeeded", digest)


def test_a_path_outside_of_the_opened_folders_is_refused(make_rig: MakeRig, tmp_path: Path) -> None:
    folder = tmp_path / "opened"
    folder.mkdir()
    rig = equipped(make_rig(settings={"agent": {"folders": [str(folder)]}}))
    for n, path in enumerate(("opened/../secret", "/etc/passwd", "other/x")):
        rig.server.answer("", tool_calls=[call("read_file", f"c{n}", path=path)])
    rig.server.answer("I cannot.")
    assert rig.ask("read it").status == "completed"
    assert [each.tool_status for each in rig.path() if each.role == "tool"] == ["failed"] * 3
