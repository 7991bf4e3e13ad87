"""One test over every sink: secrets of every type go in at every door and are nowhere in the home (spec 02 §8.6)."""

import io
import json
import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from biny_desktop.activity.deletes import Selection
from biny_desktop.activity.frames import FrameWriter
from biny_desktop.app import open_product
from biny_desktop.capture.ports import NewFrame, NewPicture, Note, WindowInfo
from biny_desktop.cli.activity_commands import _detail_json, _hit_json, _plain
from biny_desktop.conversation.drafts import AttachedFile, Draft
from biny_desktop.core.geometry import Rect
from biny_desktop.reading.ports import Line, Reading
from biny_desktop.service.doctor import examine
from biny_desktop.service.product import Product
from tests.fakes.model_server import ModelServer
from tests.fakes.summaries import summary

CASES = Path(__file__).resolve().parents[1] / "data" / "redaction_cases.jsonl"
LEAST = 6
"""Shorter secrets (a four-digit code) stand in a file by chance; `tests/redaction` holds them."""

KNOWN_SINKS = {
    "activity_generation": {"revision"},
    "approvals": {"id", "session_id", "turn_id", "call_id", "tool", "args", "args_hash", "shown", "reason", "status"},
    "audit": {"who", "what", "ref_kind", "ref_id", "why", "detail"},
    "checkpoints": {"id", "session_id", "payload"},
    "compaction_failures": {"session_id", "kind", "fingerprint", "reason"},
    "import_batches": {"format", "source", "file_hashes", "state", "counts", "problems"},
    "import_seen": {"key", "session_id", "message_id", "content_hash"},
    "imported_memories": {"format", "kind", "text", "text_hash", "place", "status"},
    "message_vectors": {"script", "fingerprint"},
    "messages": {"id", "session_id", "parent_id", "slot_id", "role", "turn_id", "run_id", "content", "reasoning",
                 "spans", "attachments", "tool_calls", "call_id", "tool_status", "state", "reply_to", "retry_of",
                 "model", "usage", "time_zone", "raw_time", "source_key", "copied_from"},
    "projects": {"id", "name", "folder"},
    "session_events": {"session_id", "event_id", "type", "turn_id", "run_id", "payload", "time_zone"},
    "sessions": {"id", "title", "title_by", "project_id", "source", "source_key", "parent_session_id",
                 "parent_message_id", "reference", "leaf_id", "turn_status", "turn_reason", "time_zone"},
    "slot_selected": {"session_id", "slot_id", "message_id"},
    "todos": {"session_id", "items"},
    "tool_executions": {"operation_id", "session_id", "turn_id", "run_id", "call_id", "tool", "args", "args_hash",
                        "effect", "state", "status", "target", "before_hash", "intended_hash", "settled_by"},
    "crystal_terms": {"term", "kind", "day"},
    "fact_offers": {"content", "kind", "why", "sources", "outcome", "reason", "fact_id"},
    "frame_passages": {"state"},
    "frame_vectors": {"script", "fingerprint"},
    "model_calls": {"task", "slot", "model", "server", "prompt_version", "outcome", "detail"},
    "question_vectors": {"script", "fingerprint"},
    "reports": {"kind", "key", "state", "reason", "statistics", "markdown", "narrative", "narrative_hash", "model",
                "data_revision", "tries_day", "file_error"},
    "segment_edits": {"what", "before", "after", "who"},
    "segment_vectors": {"script", "fingerprint"},
    "segment_days": {"day", "gaps"},
    "segments": {"time_zone", "day", "kind", "spans", "apps", "titles", "close_reason", "edited_fields", "note",
                 "status", "reason", "title", "title_by", "description", "summary", "project", "topics", "highlights",
                 "entities", "worth_why", "tier", "model", "prompt_version", "input_hash"},
    "vector_indexes": {"kind", "fingerprint", "calibration_id", "calibration", "staged"},
    "day_revisions": {"day"},
    "frame_events": {"time_zone", "boot_id", "kind", "reason", "app_id", "app_name", "title", "detail"},
    "frame_text": {"text", "lines", "engine"},
    "frames": {"time_zone", "boot_id", "trigger", "monitor_key", "app_id", "app_name", "title", "url", "change_reason",
               "flags", "read_state", "why"},
    "leases": {"name", "holder"},
    "meta": {"key", "value"},
    "pictures": {"path", "tier", "file_hash", "pixel_hash", "phash", "monitor_key", "pin_note", "state"},
    "privacy_rules": {"name", "target", "match", "pattern", "action", "builtin"},
    "recorder_states": {"state", "reason", "detail"},
    "redaction_patterns": {"name", "pattern"},  # what the user wrote to be found; no text of a screen
    "redactions": {"ref_kind", "field", "type"},
}  # fmt: skip
"""Every text column there is. A new one fails the test: send a secret through it here, then add it."""
KNOWN_FILES = re.compile(
    r"^(config/(settings\.toml|settings\.lock|biny\.key|memory/reports/[\d-]+(W\d\d)?\.md)|logs/biny\.log(\.\d)?|data/(biny\.json|(open|app|import)\.lock|"
    r"socket\.key|turns/[0-9a-f]+\.json|biny\.db(-wal|-shm|\.roots)?|running|open/[0-9a-f]+|pictures/\d{4}-\d\d-\d\d/\d{6}-[0-9a-f]+\.jpg))$"
)


def cases() -> list[dict]:
    return [case for line in CASES.read_text(encoding="utf-8").splitlines() if (case := json.loads(line))["hide"]]


@pytest.fixture
def product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Product]:
    monkeypatch.setenv("BINY_STORAGE__ENCRYPTION", "off")
    monkeypatch.setenv("BINY_READ__EVERY", "1")
    opened = open_product(tmp_path / "home")
    logging.getLogger().setLevel(logging.DEBUG)
    yield opened
    opened.close()
    for handler in [
        h for h in logging.getLogger().handlers if getattr(h, "baseFilename", "").startswith(str(tmp_path))
    ]:
        logging.getLogger().removeHandler(handler)
        handler.close()


def plant(product: Product, writer: FrameWriter, case: dict, number: int) -> int:
    """One case through every door of a frame and of an event row; returns the frame's id."""
    first = case["text"].splitlines()[0]
    url = (
        case["text"]
        if case["where"] == "url"
        else f"https://user:hunter-2-{number}x@host.example/a?token=zq{number}-planted"
    )
    window = WindowInfo(f"w{number}", "editor", first, 1, case["text"], Rect(0, 0, 64, 48), url=url)
    picture = io.BytesIO()
    Image.fromarray(np.full((48, 64, 3), number, np.uint8)).save(picture, "JPEG")
    stamp = product.clock.stamp()
    frame = NewFrame(
        stamp, "click", "m", 1.0, window, 0, 1, 1,
        NewPicture(picture.getvalue(), 64, 48, 70, f"{number:032x}", "0" * 16, picture.getvalue()),
        None, None, "parts", why={"trigger": "click", "note": case["text"]},
    )  # fmt: skip
    kept = writer.keep(frame)
    # Another reason each time, else the sink joins the rows.
    note = Note(stamp, "skip", f"same_{number}", app_id="editor", app_name=first, title=case["text"],
                detail={"deep": [{"er": case["text"]}]})  # fmt: skip
    writer.note(note)
    writer.note(replace(note, kind="private", reason="private_app", app_id=f"vault{number}"))
    writer.note(replace(note, kind="title"))
    writer.state(stamp, "blocked", first, {"what": case["text"]})
    return kept.frame_id


def read_everything(product: Product, by_frame: dict[int, dict]) -> None:
    """The OCR's raw lines, handed to the queue as the reader does."""
    while (job := product.read_queue.take()) is not None:
        lines = by_frame[job.frame_id]["text"].splitlines()
        raw = tuple(Line(text, Rect(0, 8 * place, 60, 8), 0.9) for place, text in enumerate(lines))
        product.read_queue.done(job, Reading(raw, "\n".join(lines), (64, 48), "rapidocr", "whole", len(lines), 0, 1))


def secrets(planted: list[dict]) -> set[bytes]:
    found = {piece for case in planted for piece in case["hide"] if len(piece) >= LEAST}
    return {piece.encode() for piece in found} | {b"hunter-2-", b"-planted"}


def shown(product: Product, frames: list[int]) -> str:
    """Everything a front end could show or print of these frames."""
    out = [json.dumps(_plain(row), default=str, ensure_ascii=False) for row in product.timeline.events(0, 2**53)]
    for frame_id in frames:
        out.append(json.dumps(_detail_json(product.timeline.frame(frame_id)), default=str, ensure_ascii=False))
    for words in ("password", "token", "key", "https", "code"):
        page = product.search.search(words)
        out += [json.dumps(_hit_json(hit), default=str, ensure_ascii=False) for hit in page.hits]
    out.append(json.dumps(product.status().as_json()))
    out.append(json.dumps(examine(product).as_json()))
    return "\n".join(out)


def files_of(home: Path) -> list[Path]:
    return [path for path in home.rglob("*") if path.is_file()]


def understand(product: Product, server: ModelServer, planted: list[dict]) -> str:
    """Everything that is made of frames: segments that a person edits, accounts, vectors, a report with a narrative,
    all by a model that repeats secrets; returns what a front end could show of it."""
    told = [case["text"] for case in planted]
    product.settings.set("models.small_url", server.url)
    product.settings.set("models.small_model", "tiny")
    with product.database.write() as w:  # the cases were planted within a second: let them be an hour of work
        w.run("UPDATE frames SET captured_at = captured_at - 7200000 + id * 20000, mono_ms = mono_ms + id * 20000")
        w.run("UPDATE frame_events SET at = at - 7200000 + id * 5000, until = NULL, mono_ms = mono_ms + id * 5000")
    product.keeper.catch_up()
    day = product.segments.days_with_segments(5)[0]
    segments = product.segments.list(0, 2**53, hidden=True)
    assert segments
    frame = product.timeline.frames(limit=1).frames[0].id
    server.always(
        lambda request: json.dumps(
            {"sentences": [{"text": text, "lines": ["L1"]} for text in told]}
            if "numbered lines" in json.dumps(request)
            else {
                "title": told[0], "summary": " ".join(told), "description": told[1], "project": told[2], "topics": told,
                "worth": True, "worth_why": told[3], "entities": {"people": told, "identifiers": told},
                "highlights": [{"text": text, "sources": [f"f{frame}"]} for text in told],
                "candidates": [{"kind": "project", "content": text, "sources": [f"f{frame}"]} for text in told],
            }
        )
    )  # fmt: skip
    product.analysis.sweep()
    product.reports.make("day", day, narrative=True)
    for number, case in enumerate(planted[: 3 * len(segments)]):
        now = product.segments.segment(segments[number % len(segments)].id)
        edit = (product.segment_edits.rename, product.segment_edits.annotate, product.segment_edits.set_project)[
            number % 3
        ]
        edit(now.id, case["text"], now.revision)
    product.sweep.run(lambda: True, lambda: None)
    for case in planted[:10]:
        product.meaning.search(case["text"])
    product.reports.make("day", day, narrative=True)
    assert server.requests, "the model was asked"
    out = [
        repr(product.segments.day(day)),
        repr(product.reports.get("day", day)),
        product.reports.export(day, day, "json"),
    ]
    out += [repr(product.analysis.failures()), repr(product.models.calls(100, None)), json.dumps(server.requests)]
    out += [repr(product.segment_edits.history(each.id)) for each in segments]
    out.append(repr(product.segments.digest(1_440)))
    return "\n".join(out)


def talk(product: Product, server: ModelServer, planted: list[dict], folder: Path) -> str:
    """Chats in which a person types secrets and a model repeats them everywhere it can: text, reasoning, to-dos, files,
    summaries; then titles, projects, forks; returns what a front end could show of it."""
    folder.mkdir()
    for key, value in (("chat_url", server.url), ("chat_model", "large"), ("chat_window", "1000000")):
        product.settings.set(f"models.{key}", value)
    server.always("yes")
    product.settings.set("agent.folders", str(folder))
    told = [case["text"] for case in planted]
    session = product.chat.create().id
    before = len(server.requests)
    for number, text in enumerate(told):
        server.answer(text, reasoning=text)
        attached = (
            (AttachedFile(f"{number}.txt", "text/plain", f"/tmp/{number}.txt", 9, text),) if number % 5 == 0 else ()
        )
        turn = product.chat.send(session, Draft(text, (), attached))
        assert product.chat.wait(turn, 60.0) is not None
    server.answer(
        lambda request: summary(request, decisions=[{"text": text[:400], "evidence": ["m1"]} for text in told])
    )
    product.chat.compact(session)
    items = [{"content": text[:400], "status": "pending"} for text in told[:40]]
    server.answer("", tool_calls=[{"id": "t", "name": "todo_write", "arguments": {"items": items}}])
    args = {"path": "open/a.md", "text": "\n".join(told), "reason": told[0]}
    server.answer("", tool_calls=[{"id": "w", "name": "write_file", "arguments": args}])
    assert product.chat.wait(product.chat.send(session, Draft("go on")), 60.0) is not None
    out = [repr(product.chat.view(session)), json.dumps(server.requests[before:])]
    out += [
        repr(product.approvals.page()),
        repr([product.approvals.show(e.id) for e in product.approvals.page().items]),
    ]
    product.chat.fork(session, product.chat.view(session).session.leaf_id or "")
    for text in told[:10]:
        product.chat.rename(session, text, product.chat.view(session).session.revision)
        product.projects.create(text)
        out.append(repr(product.message_search.search(text)))
    product.message_sweep.run(lambda: True, lambda: None)
    return "\n".join([*out, repr(product.chat.page()), repr(product.projects.all())])


def bring(product: Product, planted: list[dict], folder: Path) -> str:
    """Chats of other tools and of an export of ours whose every field holds secrets; returns what a front end could
    show of the import."""
    folder.mkdir()
    chats, logs, own = [], [], [{"biny": "chats", "version": 1}]
    for number, case in enumerate(planted):
        text, name = case["text"], f"{number}"
        file = {"name": text, "mimeType": text, "size": 3}
        said = {"author": {"role": "user"}, "create_time": text, "content": {"content_type": "text", "parts": [text]},
                "metadata": {"attachments": [file], "model_slug": text}}  # fmt: skip
        answer = said | {"author": {"role": "assistant"}}
        note = answer | {"recipient": "bio"}
        wish = said | {"content": {"content_type": "user_editable_context", "user_profile": text}}
        nodes = {f"{text}-{n}": {"parent": f"{text}-{n - 1}" if n else None, "message": message}
                 for n, message in enumerate((said, answer, note, wish))}  # fmt: skip
        chats.append({"id": text, "title": text, "create_time": text, "mapping": nodes, "current_node": text})
        logs.append({"type": "user", "uuid": name, "parentUuid": text, "sessionId": text, "cwd": text,
                     "timestamp": text, "message": {"role": "user", "content": text}})  # fmt: skip
        own.append({"type": "session", "id": name, "title": text, "project": text, "selected": [text]})
        own.append({"type": "message", "id": text, "role": "assistant", "content": text, "reasoning": text,
                    "sent": text, "raw_time": text, "zone": text, "model": text, "turn": text, "reply_to": text,
                    "calls": [{"id": text, "name": text, "arguments": text}]})  # fmt: skip
        own.append({"type": "message", "id": f"{text}r", "parent": text, "role": "tool", "content": text, "call": text})
        own.append({"type": "message", "id": f"{text}u", "parent": text, "role": "user", "content": text,
                    "spans": [[0, len(text), "owner"]],
                    "attachments": [{"name": text, "mime": text, "path": text}]})  # fmt: skip
    (folder / "conversations.json").write_text(json.dumps(chats), encoding="utf-8")
    for file_name, rows in (("log.jsonl", logs), ("own.jsonl", own)):
        (folder / file_name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = [product.imports.apply(product.imports.plan(folder / name.name)) for name in sorted(folder.iterdir())]
    assert all(each.counts.messages_new for each in done)
    sessions = [each.id for each in product.chat.page(500).sessions]
    product.message_sweep.run(lambda: True, lambda: None)
    items = [product.approvals.show(each.id) for each in product.approvals.page("memory", limit=200).items]
    return "\n".join([repr(items), repr(product.imports.batches()), *product.exports.lines(sessions)])


@pytest.mark.logs_warning("")
def test_no_secret_reaches_any_sink(product: Product, model_server: ModelServer) -> None:
    writer = FrameWriter(
        product.database, product.files, product.redactor, product.settings.current, product.clock, product.events,
        held=product.held,
    )  # fmt: skip
    planted = cases()
    frames = {plant(product, writer, case, number): case for number, case in enumerate(planted, 1)}
    read_everything(product, frames)
    home = product.folders.config.parent
    looked_for = secrets(planted)

    understood = understand(product, model_server, planted) + talk(product, model_server, planted, home.parent / "open")
    understood += bring(product, planted, home.parent / "brought")
    text = (shown(product, list(frames)) + understood).encode()
    assert [
        (piece, text[max(0, (at := text.find(piece)) - 80) : at + 40]) for piece in looked_for if piece in text
    ] == []

    product.deletes.run(Selection.of_frames(*list(frames)[:5]))
    product.deletes.run(Selection.of_app("vault1"))
    for path in files_of(home):
        raw = path.read_bytes() + path.name.encode()
        assert [piece for piece in looked_for if piece in raw] == [], path
        assert KNOWN_FILES.match(str(path.relative_to(home))), f"a new file {path.name}: send a secret through it here"
    assert any("[hidden: " in (product.timeline.frame(frame).text or "") for frame in list(frames)[5:])


def test_every_text_column_is_known_to_this_test(product: Product) -> None:
    found: dict[str, set[str]] = {}
    with product.database.read() as r:
        tables = r.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        for table in (row.text("name") for row in tables):
            columns = r.query(f"SELECT name, type FROM pragma_table_info('{table}')")
            names = {row.text("name") for row in columns if row.text("type") == "TEXT"}
            if names and not table.startswith(("frame_fts", "segment_fts", "messages_fts")):
                found[table] = names
    assert found == KNOWN_SINKS
