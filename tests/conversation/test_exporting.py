"""Exports: JSON Lines read back as they were, Markdown whose texts cannot pass for speakers."""

import json
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.conversation.importers.speakers import escaped, speaking, unescaped
from biny_desktop.conversation.session_events import (
    AssistantMessage,
    AttachmentData,
    NewEvent,
    SessionChanged,
    SessionCreated,
    SpanData,
    UsageData,
    UserMessage,
)
from biny_desktop.core.errors import BinyError, InvalidInputError, NotFoundError
from tests.fakes.conversations import Talk
from tests.fakes.import_home import SAMPLES, ImportHome, StopAfter, import_home


def full(home: ImportHome) -> Talk:
    """A chat with everything: edit, retry, branches off the path, tools, spans, attachments, usage, a project."""
    project = home.projects.of_folder("/home/ada/boats")
    session = home.log.create(SessionCreated(title="Boats", title_by="user", project_id=project.id))
    made = Talk(home.log, session.id, home.clock, "x")
    first = made.user("Which boat?")
    answer = made.answer("The small one.")
    made.retry(answer, "The large one.")
    made.edit(first, "Which boat for two?")
    made.step("I look.", [("c1", "read_file", '{"path": "a"}', "boat list")])
    made.answer("User: the red one.\n\n**Assistant:** not me")
    made.select(first)
    made.select(answer)
    text = "see\n> quoted\n```\ncode\n```"
    spans = (SpanData(start=0, end=4, trust="owner"), SpanData(start=4, end=len(text), trust="untrusted"))
    file = AttachmentData(name="a.txt", mime="text/plain", size=3)
    user = UserMessage(
        message_id="with-all", parent_id=answer, content=text, spans=spans, sent_at=1_741_600_001_250, raw_time="soon",
        time_zone="Europe/Lisbon", estimated=True, attachments=(file,),
    )  # fmt: skip
    reply = AssistantMessage(
        message_id="reply", parent_id="with-all", reply_to="with-all", content="cut o", reasoning="I think", model="m",
        usage=UsageData(tokens_in=7, tokens_out=2), state="stopped",
    )  # fmt: skip
    home.log.append(
        session.id, [NewEvent(user, "t9"), NewEvent(reply, "t9", "r9"), NewEvent(SessionChanged(learn=False))]
    )
    return made


def tree(home: ImportHome) -> list[object]:
    """All that an export has to bring back, with places in the order of the tree instead of ids."""
    out: list[object] = []
    for session in home.sessions():
        messages = home.log.messages(session.id)
        place = {each.id: n for n, each in enumerate(messages)}
        turns: dict[str, int] = {}
        with home.db.read() as r:
            rows = r.query("SELECT message_id FROM slot_selected WHERE session_id = :id", {"id": session.id})
            raw = r.query("SELECT raw_time FROM messages WHERE session_id = :id ORDER BY seq", {"id": session.id})
        out.append((session.title, session.title_by, session.created_at_ms, session.project, session.learn))
        out.append(sorted(place[row.text("message_id")] for row in rows))
        out.append([row.text("raw_time") for row in raw])
        for each in messages:
            turn = None if each.turn_id is None else turns.setdefault(each.turn_id, len(turns))
            out.append((
                place.get(each.parent_id or ""), each.role, str(each.content), each.sent_at_ms, each.time_zone,
                each.estimated, each.active, each.spans, each.attachments, str(each.reasoning), each.tool_calls,
                each.call_id, each.tool_status, each.state, place.get(each.reply_to or ""),
                place.get(each.retry_of or ""), each.model, each.usage, turn, each.run_id is None,
            ))  # fmt: skip
    return out


def test_json_lines_read_back_as_they_were(tmp_path: Path) -> None:
    with import_home(tmp_path / "one") as one, import_home(tmp_path / "two") as two:
        full(one)
        one.bring(SAMPLES / "chatgpt")
        receipt = one.exports.write_lines(tmp_path / "chats.jsonl", one.exports.all_ids())
        assert (receipt.sessions, receipt.messages) == (4, len(one.log.messages(one.titled("Boats").id)) + 16)
        done = two.bring(tmp_path / "chats.jsonl")
        assert (done.format, done.malformed, done.skipped) == ("own", {}, {})
        assert tree(two) == tree(one)
        assert two.bring(tmp_path / "chats.jsonl").counts.messages_new == 0
        two.exports.write_lines(tmp_path / "again.jsonl", two.exports.all_ids())
        assert two.bring(tmp_path / "again.jsonl").counts.messages_new == 0


def test_an_export_adds_nothing_to_the_home_it_is_from(home: ImportHome, tmp_path: Path) -> None:
    made = full(home)
    home.exports.write_lines(tmp_path / "chats.jsonl", home.exports.all_ids())
    made.user("Something newer")
    shape = tree(home)
    done = home.bring(tmp_path / "chats.jsonl")
    assert (done.counts.messages_new, done.counts.sessions_new) == (0, 0)
    assert tree(home) == shape
    home.deletes.message(made.session_id, "with-all")
    assert home.bring(tmp_path / "chats.jsonl").counts.deleted_here == 2
    home.deletes.session(made.session_id)
    gone = home.bring(tmp_path / "chats.jsonl")
    assert (gone.counts.messages_new, len(home.sessions())) == (0, 0)
    back = home.bring(tmp_path / "chats.jsonl", bring_back=True)
    assert back.counts.sessions_new == 1
    assert home.bring(tmp_path / "chats.jsonl").counts.messages_new == 0


def test_what_another_home_added_comes_back_into_the_same_chat(tmp_path: Path) -> None:
    with import_home(tmp_path / "one") as one:
        made = full(one)
        one.exports.write_lines(tmp_path / "chats.jsonl", [made.session_id])
        extra = {
            "type": "message", "id": "elsewhere", "parent": "reply", "role": "user", "content": "On the ferry",
            "sent": 1_741_700_000_000, "zone": "UTC",
        }  # fmt: skip
        lines = (tmp_path / "chats.jsonl").read_text().splitlines()
        (tmp_path / "chats.jsonl").write_text("\n".join([*lines[:-1], json.dumps(extra)]) + "\n")
        for new in (1, 0):
            assert one.bring(tmp_path / "chats.jsonl").counts.messages_new == new
        assert len(one.sessions()) == 1


def test_spans_of_an_export_count_only_if_they_fit_and_the_words_are_ones_own(home: ImportHome, tmp_path: Path) -> None:
    def line(name: str, text: str, spans: object) -> str:
        return json.dumps(
            {"type": "message", "id": name, "role": "user", "content": text, "spans": spans, "sent": 1.7e9}
        )

    path = tmp_path / "chats.jsonl"
    texts = [
        line("a", "mine", [[0, 4, "owner"]]), line("b", "gap", [[0, 1, "owner"], [2, 3, "owner"]]),
        line("c", "long", [[0, 99, "owner"]]), line("d", "who", [[0, 3, "king"]]), line("e", "none", None),
    ]  # fmt: skip
    path.write_text("\n".join(['{"biny": "chats", "version": 1}', '{"type": "session", "id": "s"}', *texts]) + "\n")
    home.bring(path)
    trusts = [each.spans[0].trust for each in home.log.messages(home.sessions()[0].id)]
    assert trusts == ["owner", "untrusted", "untrusted", "untrusted", "untrusted"]


@given(st.text(alphabet="\\#*: \nUserAsitn用户：x", max_size=40))
def test_no_text_can_pass_for_a_speaker(text: str) -> None:
    made = escaped(text)
    assert not any(speaking(line) for line in made.split("\n"))
    assert "\n".join(unescaped(line) for line in made.split("\n")) == text


def test_markdown_reads_back_as_what_showed(tmp_path: Path) -> None:
    with import_home(tmp_path / "one") as one, import_home(tmp_path / "two") as two:
        session = one.log.create(SessionCreated(title="User: me", title_by="user"))
        made = Talk(one.log, session.id, one.clock)
        first = made.user("Hello\n\nUser: not me\n\\Assistant: nor me\n```\nUser: open fence")
        made.answer("**Assistant:** hm\n\n## user")
        made.edit(first, "Another\n```")
        made.answer("Shown")
        made.select(first)
        assert one.exports.write_markdown(tmp_path / "chat.md", [session.id]).messages == 2
        text = (tmp_path / "chat.md").read_text()
        assert "Shown" not in text
        two.bring(tmp_path / "chat.md")
        assert two.texts("User: me") == one.texts("User: me")
        assert [each.sent_at_ms for each in two.path("User: me")] == [each.sent_at_ms for each in one.path("User: me")]


def test_several_chats_become_files_in_a_folder(home: ImportHome, tmp_path: Path) -> None:
    home.bring(SAMPLES / "chatgpt")
    receipt = home.exports.write_markdown(tmp_path / "out", home.exports.all_ids())
    assert (receipt.sessions, receipt.messages) == (3, sum(len(home.log.path(each.id)) for each in home.sessions()))
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == sorted(f"{s.id}.md" for s in home.sessions())
    (tmp_path / "file").write_text("x")
    with pytest.raises(InvalidInputError):
        home.exports.write_markdown(tmp_path / "file", home.exports.all_ids())


def test_a_file_is_there_only_when_it_is_whole(home: ImportHome, tmp_path: Path) -> None:
    home.bring(SAMPLES / "chatgpt")
    path = tmp_path / "chats.jsonl"
    path.write_text("old")
    with pytest.raises(BinyError):
        home.exports.write_lines(path, home.exports.all_ids(), StopAfter(2).watch)
    with pytest.raises(NotFoundError):
        home.exports.write_lines(path, ["nowhere"])
    with pytest.raises(BinyError):
        home.exports.write_lines(tmp_path / "no" / "folder.jsonl", home.exports.all_ids())
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["chats.jsonl"]
    home.exports.write_lines(path, home.exports.all_ids())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
