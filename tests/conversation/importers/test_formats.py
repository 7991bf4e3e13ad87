"""Each format, with every odd case of spec 05 §10: what comes in, what stays out, whose words they are."""

import json
import zipfile
from pathlib import Path

import pytest

from biny_desktop.core.errors import InvalidInputError
from tests.fakes.import_home import SAMPLES, ImportHome, sample

EVERY = ["chatgpt", "claude", "claude_code", "codex", "plain", "plain/talk.md", "plain/talk.json", "plain/lines.jsonl"]


@pytest.mark.parametrize("name", EVERY)
def test_a_second_import_adds_nothing(home: ImportHome, name: str) -> None:
    first = home.bring(SAMPLES / name)
    before, events = home.shape(), [home.log.events(each.id) for each in home.sessions()]
    again = home.bring(SAMPLES / name)
    assert first.counts.messages_new > 0
    assert again.counts.messages_new == again.counts.sessions_new == again.counts.memories == 0
    assert again.counts.already_here == first.counts.messages_new
    assert home.shape() == before
    assert [home.log.events(each.id) for each in home.sessions()] == events


@pytest.mark.parametrize("name", EVERY)
def test_the_preview_says_what_the_import_does_and_writes_nothing(home: ImportHome, name: str) -> None:
    plan = home.imports.plan(SAMPLES / name)
    shown = home.imports.preview(plan)
    assert not home.sessions()
    done = home.imports.apply(plan)
    assert (shown.counts, shown.skipped, shown.malformed, shown.conversations) == (
        done.counts, done.skipped, done.malformed, done.conversations,
    )  # fmt: skip
    times = [each.sent_at_ms for session in home.sessions() for each in home.log.messages(session.id)]
    assert (shown.first_ms, shown.last_ms) == (min(times), max(times))
    assert home.imports.preview(plan).counts.messages_new == 0


@pytest.mark.parametrize("name", EVERY)
def test_only_typed_words_are_the_persons_and_none_unless_said(home: ImportHome, name: str) -> None:
    home.bring(SAMPLES / name, mine=False)
    spans = [span for each in home.sessions() for message in home.log.messages(each.id) for span in message.spans]
    assert {span.trust for span in spans} == {"untrusted", "agent"}


def owners(home: ImportHome) -> list[str]:
    return [
        str(message.content)[span.start : span.end].strip()
        for each in home.sessions()
        for message in home.log.messages(each.id)
        for span in message.spans
        if span.trust == "owner"
    ]


# -- ChatGPT -----------------------------------------------------------------------------------------------------------


def test_chatgpt_shows_the_current_path_and_keeps_other_versions(home: ImportHome) -> None:
    done = home.bring(SAMPLES / "chatgpt")
    assert home.texts("Tomatoes in pots") == [
        "Which tomatoes grow well in pots?",
        "Balcony Star and Tiny Tim.",
        "How much water do they need in July?",
        "Two litres a day in July. Best in the morning.",
        "What is wrong with this leaf?\n\n[attachment: leaf.jpg]",
        "It lacks magnesium.",
        "Thank you, that helps.",
    ]
    everything = [str(each.content) for each in home.log.messages(home.titled("Tomatoes in pots").id)]
    assert {"Cherry tomatoes do well.", "How much water do they need?", "A litre a day in summer."} <= set(everything)
    assert done.counts.branches == 2
    assert done.skipped == {"system": 1, "memory": 2, "thoughts": 2, "tool_call": 1, "tool": 2}
    assert done.malformed == {
        "unknown_role": 1, "empty": 1, "bad_json": 1, "dangling_parent": 1, "cycle": 1, "bad_time": 1,
    }  # fmt: skip


def test_chatgpt_times_titles_and_models_are_those_of_the_source(home: ImportHome) -> None:
    home.bring(SAMPLES / "chatgpt")
    path = home.path("Tomatoes in pots")
    assert path[0].sent_at_ms == 1_741_600_001_250
    assert path[1].model == "gpt-invented"
    assert [each.estimated for each in path] == [False] * 4 + [True] + [False] * 2
    assert path[4].sent_at_ms == path[3].sent_at_ms
    assert {each.time_zone for each in path} == {"unknown"}
    assert [each.title for each in home.sessions()] == ["Tomatoes in pots", "First of a loop", "今天怎么止损？"]
    assert home.sessions()[0].source == "import:chatgpt"
    assert home.sessions()[0].title_by == "import"
    assert home.sessions()[1].title_by == "rule"


def test_chatgpt_images_are_nobodys_words(home: ImportHome) -> None:
    home.bring(SAMPLES / "chatgpt")
    assert "What is wrong with this leaf?" in owners(home)
    assert not any("attachment" in each for each in owners(home))
    leaf = home.path("Tomatoes in pots")[4].attachments[0]
    assert (leaf.name, leaf.mime, leaf.size) == ("leaf.jpg", "image/jpeg", 54321)


def test_chatgpt_memory_waits_in_approvals(home: ImportHome) -> None:
    home.bring(SAMPLES / "chatgpt")
    assert {(each.kind, str(each.text)) for each in home.memories.open()} == {
        ("custom_instructions", "I grow tomatoes on a balcony in Lisbon."),
        ("custom_instructions", "Answer briefly."),
        ("bio", "Grows tomatoes in pots."),
        ("bio", "Lives in Lisbon."),
    }


def test_chatgpt_in_numbered_files_of_a_zip(home: ImportHome, tmp_path: Path) -> None:
    chats = json.loads((SAMPLES / "chatgpt/conversations.json").read_text())
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x/conversations-000.json", json.dumps(chats[:1]))
        archive.writestr("x/conversations-001.json", json.dumps(chats[1:]))
        archive.writestr("x/user.json", '{"id": "u"}')
        archive.writestr("x/picture.png", b"\x89PNG")
    done = home.bring(path)
    assert (done.format, done.counts.sessions_new, done.counts.messages_new) == ("chatgpt", 3, 16)
    assert home.bring(SAMPLES / "chatgpt").counts.messages_new == 0


# -- Claude ------------------------------------------------------------------------------------------------------------


def test_claude_keeps_versions_drops_thoughts_and_trusts_no_attachment(home: ImportHome) -> None:
    done = home.bring(SAMPLES / "claude")
    assert home.texts("Ferry timetable") == [
        "When does the ferry leave?\n\n[attachment: paste.txt]\nHarbour 07:10, 09:40 and 12:00 on weekdays",
        "At 7:10, 9:40 and 12:00.",
        "And back?\n\n[attachment: pier.png]",
        "At 18:00.",
    ]
    assert home.texts("An old chat without parents")[1:] == ["It is a line", "Still a line"]
    assert owners(home)[:2] == ["When does the ferry leave?", "And back?"]
    assert done.skipped == {"thoughts": 1, "tool": 3}
    assert done.malformed == {"no_id": 1, "unknown_role": 1}
    assert home.path("Ferry timetable")[2].time_zone == "Etc/GMT-8"


def test_claude_memories_wait_and_users_are_not_read(home: ImportHome) -> None:
    home.bring(SAMPLES / "claude")
    assert {str(each.text) for each in home.memories.open()} == {
        "Runs a small ferry office.", "Prefers short answers", "Speaks Portuguese", "The timetable changes in May.",
    }  # fmt: skip


def test_claude_memories_without_any_chat_are_read(home: ImportHome, tmp_path: Path) -> None:
    (tmp_path / "conversations.json").write_text("[]")
    (tmp_path / "memories.json").write_text(json.dumps([{"conversations_memory": "Likes boats."}]))
    done = home.bring(tmp_path)
    assert (done.format, done.counts.memories) == ("claude", 1)


# -- Claude Code -------------------------------------------------------------------------------------------------------


def test_claude_code_reads_the_newest_branch_and_joins_the_lines_of_an_answer(home: ImportHome) -> None:
    done = home.bring(SAMPLES / "claude_code")
    assert home.texts("Rename the boats") == [
        "Rename boat A to Alma.",
        "I look at the list.",
        "Boat A is now Alma.\n\nThe list is saved.",
        "Also boat B, to Bruma.",
        "Boat B is now Bruma.",
        "See this.\n\n[attachment: image]",
    ]
    assert done.counts.branches == 1
    assert home.titled("Rename the boats").project == "boats"
    assert home.projects.all()[0].folder == "/home/ada/boats"
    assert done.malformed == {}
    assert done.skipped == {
        "command": 2, "meta": 1, "thoughts": 1, "tool_call": 1, "tool": 1, "repeated": 1, "sidechain": 2,
        "other_type": 1, "summary": 1, "error": 1, "still_being_written": 1,
    }  # fmt: skip


def test_claude_code_model_lines_are_never_the_persons(home: ImportHome) -> None:
    home.bring(SAMPLES / "claude_code")
    assert owners(home) == [
        "Rename boat A to Alma.", "Also boat B, to Bela.", "Also boat B, to Bruma.", "See this.",
    ]  # fmt: skip


def test_a_cut_last_line_is_read_when_it_is_whole(home: ImportHome, tmp_path: Path) -> None:
    folder = sample(tmp_path, "claude_code")
    home.bring(folder)
    log = next(folder.rglob("*.jsonl"))
    whole = {
        "type": "user", "uuid": "half", "parentUuid": "img", "sessionId": log.stem, "timestamp": "2026-03-01T10:00:00Z",
        "message": {"role": "user", "content": "One more boat."},
    }  # fmt: skip
    text = log.read_text().rsplit("\n", 1)[0] + "\n" + json.dumps(whole) + "\n"
    log.write_text(text)
    done = home.bring(folder)
    assert (done.counts.sessions_grown, done.counts.sessions_new, done.counts.messages_new) == (1, 0, 1)
    assert home.texts("Rename the boats")[-1] == "One more boat."


# -- Codex -------------------------------------------------------------------------------------------------------------


def test_codex_tells_typed_words_once_and_leaves_instructions_out(home: ImportHome) -> None:
    done = home.bring(SAMPLES / "codex")
    assert home.texts("List the berths") == [
        "List the berths",
        "There are twelve berths.",
        "ok",
        "ok",
        "Sort them\n\n[attachment: IDE context]\n# Context from my IDE setup:\n\n## Active file: berths.py",
        "Sorted.",
    ]
    assert home.texts("How deep is the harbour?") == ["How deep is the harbour?", "Nine metres."]
    assert not any("AGENTS" in each or "IDE setup" in each or "<" in each for each in owners(home))
    assert done.skipped["subagent"] == 1
    assert done.skipped["compressed"] == 1
    assert done.skipped["instructions"] == 3
    assert home.titled("List the berths").project == "harbour"


# -- plain -------------------------------------------------------------------------------------------------------------


def test_plain_markdown_by_its_speaker_lines(home: ImportHome) -> None:
    done = home.bring(SAMPLES / "plain/talk.md", mine=True)
    assert home.texts("Boats and prices") == [
        "How much is the small boat?\n\n> The brochure says 900",
        "It costs 900.\n\n```\nUser: this is only an example\n```",
        "那大的呢？",
        "大的一千五。",
    ]
    assert owners(home) == ["How much is the small boat?", "那大的呢？"]
    assert done.skipped == {"other_role": 1}
    assert home.path("Boats and prices")[1].sent_at_ms == 1_767_348_900_000


def test_plain_transcripts_are_not_taken_for_ones_own(home: ImportHome) -> None:
    plan = home.imports.plan(SAMPLES / "plain/talk.md")
    assert not plan.mine
    home.imports.apply(plan)
    assert not owners(home)


def test_plain_json_lists_and_lines(home: ImportHome, tmp_path: Path) -> None:
    home.bring(SAMPLES / "plain/talk.json")
    home.bring(SAMPLES / "plain/lines.jsonl")
    assert home.texts("Nets") == ["Where are the nets?", "In the shed."]
    assert home.texts("One line") == ["One line", "Another line"]
    many = tmp_path / "many.jsonl"
    many.write_text(
        "".join(json.dumps({"messages": [{"role": "user", "content": f"Talk {n}"}]}) + "\n" for n in (1, 2))
    )
    assert home.bring(many).counts.sessions_new == 2


# -- all ---------------------------------------------------------------------------------------------------------------


def test_secrets_are_hidden_in_texts_titles_and_times(home: ImportHome, tmp_path: Path) -> None:
    secret = "sk-proj-" + "Ab3dEf6hIj9kLm2nOp5q" * 2
    node = {
        "id": "a", "parent": None,
        "message": {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [f"my key is {secret}"]},
                    "create_time": secret, "metadata": {"attachments": [{"name": f"{secret}.txt"}]}},
    }  # fmt: skip
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{"id": secret, "title": f"About {secret}", "mapping": {secret: node}}]))
    home.bring(path)
    home.imports.batches()
    home.db.truncate_wal()
    kept = b"".join(each.read_bytes() for each in home.db.path.parent.rglob("*") if each.is_file())
    assert secret.encode() not in kept
    assert home.sessions()[0].title == "About [hidden: token]"


def lines_at(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_summaries_of_older_versions_are_known_by_their_words(home: ImportHome, tmp_path: Path) -> None:
    def line(n: int, text: str) -> dict[str, object]:
        return {
            "type": "user", "uuid": f"u{n}", "parentUuid": f"u{n - 1}" if n else None, "sessionId": "s", "cwd": "",
            "timestamp": f"2026-03-01T09:00:0{n}Z", "message": {"role": "user", "content": text},
        }  # fmt: skip

    home.bring(
        lines_at(
            tmp_path / "s.jsonl",
            line(0, "This session is being continued from a previous conversation that ran out of context. …"),
            line(1, "Go on"),
            line(2, "<bash-input>ls</bash-input>"),
            line(3, "<system-reminder>never closed, and all that follows"),
        )
    )
    assert owners(home) == ["Go on"]


def test_words_beside_a_tool_result_stay_but_are_nobodys(home: ImportHome, tmp_path: Path) -> None:
    content = [{"type": "tool_result", "content": "12"}, {"type": "text", "text": "No, the other one"}]
    row = {"type": "user", "uuid": "u", "sessionId": "s", "message": {"role": "user", "content": content}}
    home.bring(lines_at(tmp_path / "s.jsonl", row))
    assert home.texts("No, the other one") == ["No, the other one"]
    assert not owners(home)


def test_codex_logs_with_only_one_telling_are_read(home: ImportHome, tmp_path: Path) -> None:
    def item(role: str, text: str) -> dict[str, object]:
        kind = "output_text" if role == "assistant" else "input_text"
        payload = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
        return {"timestamp": "2026-03-02T10:00:00Z", "type": "response_item", "payload": payload}

    meta = {"timestamp": "2026-03-02T10:00:00Z", "type": "session_meta", "payload": {"id": "x"}}
    event = {"timestamp": "2026-03-02T10:00:01Z", "type": "event_msg",
             "payload": {"type": "agent_message", "message": "Nine"}}  # fmt: skip
    home.bring(lines_at(tmp_path / "rollout-1.jsonl", meta, item("user", "How deep?"), event))
    assert home.texts("How deep?") == ["How deep?", "Nine"]
    forked = {"timestamp": "t", "type": "session_meta", "payload": {"id": "other", "source": {"subagent": "x"}}}
    done = home.bring(lines_at(tmp_path / "rollout-1.jsonl", meta, forked, item("user", "How deep?"), event))
    assert done.counts.messages_new == 0


@pytest.mark.parametrize("second", ["event", "item"])
def test_codex_messages_come_in_once_however_often_a_growing_log_is_read(
    home: ImportHome, tmp_path: Path, second: str
) -> None:
    def told(telling: str, role: str, second_: int) -> dict[str, object]:
        time, text = f"2026-03-02T10:00:{second_:02}Z", "Again"
        if telling == "event":
            name = "user_message" if role == "user" else "agent_message"
            return {"timestamp": time, "type": "event_msg", "payload": {"type": name, "message": text}}
        content = [{"type": "input_text" if role == "user" else "output_text", "text": text}]
        payload = {"type": "message", "role": role, "content": content}
        return {"timestamp": time, "type": "response_item", "payload": payload}

    first = "item" if second == "event" else "event"
    lines = [{"timestamp": "2026-03-02T10:00:00Z", "type": "session_meta", "payload": {"id": "x"}}]
    log = tmp_path / "rollout-1.jsonl"
    for n, role in enumerate(("user", "assistant", "user", "assistant")):  # twice the same words
        home.bring(lines_at(log, *(lines := [*lines, told(first, role, 2 * n + 1)])))
        home.bring(lines_at(log, *(lines := [*lines, told(second, role, 2 * n + 2)])))
        assert len(home.log.messages(home.titled("Again").id)) == n + 1
    assert [each.role for each in home.path("Again")] == ["user", "assistant", "user", "assistant"]


def test_compressed_logs_are_said_to_be_so(home: ImportHome, tmp_path: Path) -> None:
    (tmp_path / "rollout-1.jsonl.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    with pytest.raises(InvalidInputError, match="compressed"):
        home.imports.plan(tmp_path)


def test_files_of_other_tools_beside_the_chosen_ones_are_told(home: ImportHome, tmp_path: Path) -> None:
    sample(tmp_path, "chatgpt/conversations.json")
    sample(tmp_path, "codex")
    done = home.bring(tmp_path)
    assert done.format == "chatgpt"
    assert done.skipped["other_format"] == 3
