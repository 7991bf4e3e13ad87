"""Writes wait for the exact change to be approved, replace nothing unseen, and can be looked up afterwards."""

import json
from pathlib import Path

import pytest

from biny_desktop.conversation.ports import Admission, ToolAnswer
from biny_desktop.conversation.tools.folders import OpenedFolders
from biny_desktop.conversation.tools.write_file import TEXT_BYTES, WriteFile
from biny_desktop.core.real_paths import hash_of
from biny_desktop.core.text import RedactedText
from tests.conversation.tools.scenes import HeldLog, admitted, execution, redactor, refusal, scene, settings

OLD = "one\ntwo\nthree\n"


class Opened:
    """A setting that a test can change."""

    def __init__(self, *folders: Path) -> None:
        self.folders = folders

    def __call__(self) -> object:
        return settings(folders=tuple(str(each) for each in self.folders))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "notes"
    inside.mkdir()
    (inside / "a.md").write_text(OLD, encoding="utf-8")
    return inside


@pytest.fixture
def opened(folder: Path) -> Opened:
    return Opened(folder)


@pytest.fixture
def tool(opened: Opened) -> WriteFile:
    return WriteFile(OpenedFolders(opened), redactor)  # type: ignore[arg-type]


def admit(tool: WriteFile, text: str, path: str = "notes/a.md", before: str | None = OLD, **more: object) -> object:
    expected = {} if before is None else {"expected_hash": hash_of(before.encode())}
    return tool.admit(json.dumps({"path": path, "text": text, "reason": "tidy up"} | expected | more), scene())


def test_a_change_is_shown_as_a_full_diff_and_writes_nothing_yet(tool: WriteFile, folder: Path) -> None:
    admission = admitted(admit(tool, "one\n2\nthree\n"))
    assert admission.approval == "--- notes/a.md\n+++ notes/a.md\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three"
    assert isinstance(admission.approval, RedactedText)
    assert admission.target == str(folder / "a.md")
    assert admission.before_hash == hash_of(OLD.encode())
    assert admission.intended_hash == hash_of(b"one\n2\nthree\n")
    assert admission.reason == "tidy up"
    assert (folder / "a.md").read_text() == OLD
    assert tool.effect == "file"


def test_an_admitted_change_is_written(tool: WriteFile, folder: Path) -> None:
    answer = tool.run(admitted(admit(tool, "new\n")), scene())
    assert answer.status == "succeeded"
    assert hash_of(b"new\n") in answer.content
    assert (folder / "a.md").read_text() == "new\n"


def test_a_new_file_is_shown_whole(tool: WriteFile, folder: Path) -> None:
    admission = admitted(admit(tool, "a\nb", "notes/sub/new.md", None))
    assert admission.approval is not None
    assert admission.approval.split("\n") == [
        "--- /dev/null", "+++ notes/sub/new.md", "@@ -0,0 +1,2 @@", "+a", "+b", "\\ No newline at the end of the file",
    ]  # fmt: skip
    assert not (folder / "sub").exists()
    assert tool.run(admission, scene()).status == "succeeded"
    assert (folder / "sub" / "new.md").read_bytes() == b"a\nb"


def test_an_empty_file_can_be_made(tool: WriteFile, folder: Path) -> None:
    admission = admitted(admit(tool, "", "notes/empty.md", None))
    assert admission.approval == "--- /dev/null\n+++ notes/empty.md"
    assert tool.run(admission, scene()).status == "succeeded"
    assert (folder / "empty.md").read_bytes() == b""


def test_a_missing_line_end_is_part_of_the_change(tool: WriteFile) -> None:
    shown = admitted(admit(tool, OLD.rstrip("\n"))).approval
    assert shown is not None
    assert shown.endswith("-three\n+three\n\\ No newline at the end of the file")


def test_characters_that_are_not_shown_are_made_visible(tool: WriteFile) -> None:
    shown = admitted(admit(tool, "one\u202eeno\ntwo\x1b[2J\nthree\n")).approval
    assert shown is not None
    assert "+one<U+202E>eno" in shown
    assert "+two<U+001B>[2J" in shown


def test_hidden_secrets_of_the_old_file_stay_hidden_in_the_diff(tool: WriteFile, folder: Path) -> None:
    old = "mail: bob@example.org\nx\n"
    (folder / "a.md").write_text(old, encoding="utf-8")
    shown = admitted(admit(tool, "x\n", before=old)).approval
    assert shown is not None
    assert "-mail: [hidden: email]" in shown


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mail: [hidden: email]\n", "placeholder"), ("mail: bob@example.org\n", "a secret (email)"),
        ("a\x00b", "zero character"), (OLD, "exactly this text"), ("x" * (TEXT_BYTES + 1), "text: "),
        ("笔" * (TEXT_BYTES // 2), "larger than 256 KiB"), ("\ud800", ""),
    ],
)  # fmt: skip
def test_some_texts_are_not_written(tool: WriteFile, folder: Path, text: str, words: str) -> None:
    assert words in refusal(admit(tool, text))  # type: ignore[arg-type]
    assert (folder / "a.md").read_text() == OLD


@pytest.mark.parametrize(
    ("path", "expected", "words"),
    [
        ("notes/a.md", None, "there is such a file"), ("notes/a.md", "0" * 64, "another one now"),
        ("notes/b.md", "0" * 64, "no such file to replace"), ("notes/a.md", "abc", "expected_hash: "),
        ("other/a.md", None, "Opened: notes"), ("notes/.git/config", None, "begins with a dot"),
        ("notes/../a.md", None, "Opened: notes"), ("notes", None, "a folder"), ("notes/link.md", None, "a link"),
        ("notes/bin", hash_of(b"\x00"), "binary"),
    ],
)  # fmt: skip
def test_only_what_was_seen_is_replaced(
    tool: WriteFile, folder: Path, path: str, expected: str | None, words: str
) -> None:
    (folder / "link.md").symlink_to("a.md")
    (folder / "bin").write_bytes(b"\x00")
    assert words in refusal(admit(tool, "x", path, None, expected_hash=expected))  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["path", "text", "reason"])
def test_a_missing_argument_is_named(tool: WriteFile, field: str) -> None:
    given = {"path": "notes/b.md", "text": "x", "reason": "y"}
    del given[field]
    assert f"{field}: " in refusal(tool.admit(json.dumps(given), scene()))


def test_line_ends_and_mark_of_the_old_file_are_kept(tool: WriteFile, folder: Path) -> None:
    old = b"\xef\xbb\xbfone\r\ntwo\r\n"
    (folder / "a.md").write_bytes(old)
    admission = admitted(admit(tool, "one\n2\n", before=None, expected_hash=hash_of(old)))
    assert admission.approval is not None
    assert admission.approval.endswith(" one\n-two\n+2")
    tool.run(admission, scene())
    assert (folder / "a.md").read_bytes() == b"\xef\xbb\xbfone\r\n2\r\n"


def test_a_file_changed_after_the_approval_is_kept(tool: WriteFile, folder: Path) -> None:
    admission = admitted(admit(tool, "new\n"))
    (folder / "a.md").write_text("by hand")
    assert "another one now" in refusal(tool.run(admission, scene()))
    assert (folder / "a.md").read_text() == "by hand"


def test_a_link_placed_after_the_approval_is_refused(tool: WriteFile, folder: Path, tmp_path: Path) -> None:
    admission = admitted(admit(tool, "x", "notes/b.md", None))
    (folder / "b.md").symlink_to(tmp_path / "outside")
    assert "a link" in refusal(tool.run(admission, scene()))
    assert not (tmp_path / "outside").exists()


def test_an_approved_change_never_goes_to_another_folder_of_the_name(
    tool: WriteFile, opened: Opened, folder: Path, tmp_path: Path
) -> None:
    admission = admitted(admit(tool, "x", "notes/b.md", None))
    other = tmp_path / "other" / "notes"
    other.mkdir(parents=True)
    opened.folders = (other,)
    assert "not opened any more" in refusal(tool.run(admission, scene()))
    assert admitted(admit(tool, "x", "notes/b.md", None)).args != admission.args
    opened.folders = (other, folder)
    assert tool.run(admission, scene()).status == "succeeded"
    assert (folder / "b.md").exists()
    assert not list(other.iterdir())


def test_a_turn_writes_four_times_over_all_its_runs(tool: WriteFile) -> None:
    log = HeldLog([execution("write_file")] * 3)
    at = scene(log)

    def write(n: int) -> Admission | ToolAnswer:
        return tool.admit(json.dumps({"path": f"notes/{n}.md", "text": "x", "reason": "y"}), at)

    first, second = admitted(write(1)), admitted(write(2))
    assert tool.run(first, at).status == "succeeded"
    assert "4 times" in refusal(tool.run(second, at))
    assert "4 times" in refusal(write(3))


def test_what_came_of_a_write_is_told_by_hash(tool: WriteFile, opened: Opened, folder: Path) -> None:
    def found(path: str, before: str | None, intended: str) -> str:
        hashes = [None if text is None else hash_of(text.encode()) for text in (before, intended)]
        return tool.found(
            execution("write_file", target=str(folder / path), before_hash=hashes[0], intended_hash=hashes[1])
        )

    assert found("a.md", "older", OLD) == "succeeded"
    assert found("a.md", OLD, "new") == "cancelled"
    assert found("a.md", "older", "new") == "unknown"
    assert found("none.md", None, "new") == "cancelled"
    assert found("none.md", OLD, "new") == "unknown"
    assert found("sub/none.md", None, "new") == "cancelled"
    (folder / "link.md").symlink_to("a.md")
    assert found("link.md", OLD, "new") == "unknown"
    (folder / "a.md").unlink()
    folder.joinpath("link.md").unlink()
    folder.rmdir()
    assert found("a.md", None, "new") == "unknown"
    opened.folders = ()
    assert found("a.md", None, "new") == "unknown"
