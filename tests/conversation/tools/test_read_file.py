"""Pages of text files: redacted, in order, nothing lost, nothing outside of the opened folders."""

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.conversation.ports import ToolAnswer
from biny_desktop.conversation.tools.folders import OpenedFolders
from biny_desktop.conversation.tools.read_file import PAGE_MAX, READ_BYTES, ReadFile, _page_end
from biny_desktop.core.text import RedactedText
from tests.conversation.tools.scenes import HeldLog, admitted, execution, redactor, refusal, scene, settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "notes"
    (inside / "sub").mkdir(parents=True)
    (inside / "a.md").write_text("one\ntwo\n", encoding="utf-8")
    return inside


@pytest.fixture
def tool(folder: Path) -> ReadFile:
    return ReadFile(OpenedFolders(lambda: settings(folders=(str(folder),))), redactor)


def read(tool: ReadFile, **arguments: object) -> ToolAnswer:
    at = scene()
    found = tool.admit(json.dumps(arguments), at)
    return found if isinstance(found, ToolAnswer) else tool.run(found, at)


def test_a_page_tells_path_hash_and_place(tool: ReadFile, folder: Path) -> None:
    answer = read(tool, path="notes/a.md")
    head, _blank, text = answer.content.partition("\n\n")
    assert answer.status == "succeeded"
    assert text == "one\ntwo\n"
    digest = hashlib.sha256((folder / "a.md").read_bytes()).hexdigest()
    assert head.split("\n") == [
        "path: notes/a.md", f"sha256: {digest}", "characters: 0 to 8 of 8", "next_offset: none, this is the end",
    ]  # fmt: skip
    assert isinstance(answer.content, RedactedText)


def test_pages_follow_each_other_without_loss(tool: ReadFile, folder: Path) -> None:
    text = "".join(f"line {n} of 笔记 to bob{n}@example.org\n" for n in range(1_200))
    (folder / "long.md").write_text(text, encoding="utf-8")
    whole, offset = "", 0
    for _n in range(8):
        answer = read(tool, path="notes/long.md", offset=offset, length=PAGE_MAX)
        head, _blank, page = answer.content.partition("\n\n")
        assert len(page) <= PAGE_MAX
        whole += page
        if "this is the end" in head:
            break
        offset = int(head.rpartition("next_offset: ")[2])
    assert whole == redactor().redact(text.split("\n")).text
    assert "example.org" not in whole


def test_a_secret_across_the_border_of_a_page_stays_hidden(tool: ReadFile, folder: Path) -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEow8f" * 30 + "\n-----END RSA PRIVATE KEY-----"
    (folder / "key.txt").write_text("x" * 40 + "\n" + key, encoding="utf-8")
    for offset in range(0, 60, 7):
        assert "MIIE" not in read(tool, path="notes/key.txt", offset=offset, length=30).content


@given(st.lists(st.sampled_from(["a", "[hidden: email]", "[hidden: token]", "笔"]), max_size=20), st.integers(1, 30))
def test_paging_always_moves_on(parts: list[str], length: int) -> None:
    text, offset = "".join(parts), 0
    while offset < len(text):
        end = _page_end(text, offset, min(offset + length, len(text)))
        assert offset < end <= len(text)
        offset = end


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x00\x01", "binary file"),
        ("héllo".encode("utf-16"), "binary file"),
        (b"caf\xe9", "no UTF-8"),
        (b"x" * (READ_BYTES + 1), "too large"),
    ],
)
def test_what_is_no_text_is_said_to_be_none(tool: ReadFile, folder: Path, data: bytes, words: str) -> None:
    (folder / "other").write_bytes(data)
    assert words in refusal(read(tool, path="notes/other"))


def test_line_ends_and_marks_of_other_systems_are_plain_text(tool: ReadFile, folder: Path) -> None:
    (folder / "dos.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    assert read(tool, path="notes/dos.txt").content.endswith("\n\none\ntwo\n")


def test_an_empty_file_is_read(tool: ReadFile, folder: Path) -> None:
    (folder / "empty").touch()
    assert "characters: 0 to 0 of 0" in read(tool, path="notes/empty").content


def test_an_offset_behind_the_end_is_refused(tool: ReadFile) -> None:
    assert "ends at character 8" in refusal(read(tool, path="notes/a.md", offset=8))


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("notes/none.md", "no such file"), ("notes", "a folder"), ("notes/sub", "a folder"), ("a.md", "Opened: notes"),
        ("/etc/passwd", "absolute"), ("notes/../../etc/passwd", "leads out"), ("other/a.md", "Opened: notes"),
        ("notes/.env", "begins with a dot"), ("notes/A.md", "in other letters"), ("notes/link", "a link"),
        ("notes/\u202ea.md", "not shown"),
    ],
)  # fmt: skip
def test_only_plain_files_of_opened_folders_are_read(tool: ReadFile, folder: Path, path: str, words: str) -> None:
    (folder / "link").symlink_to("a.md")
    assert words in refusal(read(tool, path=path))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("{}", "path: Field required"), ("[]", "arguments: "), ("no json", "Bad arguments"),
        ("", "path: Field required"),
        ('{"path": 7}', "path: "), ('{"path": "a", "length": 16001}', "length: "),
        ('{"path": "a", "more": 1}', "more: "),
        ('{"path": "a", "offset": -1}', "offset: "), ('{"path": "\\ud800"}', ""), ("[" * 100_000, ""),
    ],
)  # fmt: skip
def test_bad_arguments_name_their_field(tool: ReadFile, arguments: str, words: str) -> None:
    assert words in refusal(tool.admit(arguments, scene()))


def test_a_turn_reads_eight_times_over_all_its_runs(tool: ReadFile) -> None:
    log = HeldLog([execution("read_file"), execution("read_file"), execution("write_file")])
    at = scene(log)
    admission = admitted(tool.admit('{"path": "notes/a.md"}', at))
    answers = [tool.run(admission, at) for _n in range(7)]
    assert [each.status for each in answers] == ["succeeded"] * 6 + ["failed"]
    assert tool.run(admission, scene(log, "run-2", "turn-2")).status == "succeeded"


def test_the_file_is_looked_at_again_when_it_is_read(tool: ReadFile, folder: Path) -> None:
    admission = admitted(tool.admit('{"path": "notes/a.md"}', scene()))
    (folder / "a.md").unlink()
    (folder / "a.md").symlink_to("/etc/passwd")
    assert "a link" in refusal(tool.run(admission, scene()))


def test_the_tool_says_which_folders_are_open(tool: ReadFile) -> None:
    spec = tool.spec
    assert "(notes)" in spec.description
    assert spec.parameters["required"] == ["path"]
    assert spec.parameters["additionalProperties"] is False
    assert tool.effect == "read"
    assert tool.found(execution("read_file")) == "cancelled"
