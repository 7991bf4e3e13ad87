"""The command line as a user starts it: a process, its output, its exit status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def biny(*words: str, home: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "biny_desktop", *(["--home", str(home)] if home else []), *words]
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def told(done: subprocess.CompletedProcess[str]) -> dict:
    lines = done.stdout.splitlines()
    assert len(lines) == 1, done
    return json.loads(lines[0])


def test_help_loads_no_heavy_library() -> None:
    code = (
        "import sys; from biny_desktop.app import run_cli; run_cli(['--help']);"
        "heavy = {'PySide6', 'numpy', 'cv2', 'PIL', 'apsw', 'keyring', 'pydantic', 'rapidocr', 'phonenumbers'};"
        "sys.exit(' '.join(sorted(heavy & set(sys.modules))) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for word in ("run", "demo", "doctor", "status", "pause", "resume", "capture", "config", "activity"):
        assert word in done.stdout


@pytest.mark.parametrize(
    "words",
    [("nothing",), ("activity",), ("activity", "show"), ("activity", "show", "x"), ("config", "set", "a"), ("--home",),
     ("activity", "list", "--limit", "0")],
)  # fmt: skip
def test_wrong_usage_is_status_2_with_the_reason(words: tuple[str, ...], tmp_path: Path) -> None:
    done = biny(*words, home=tmp_path / "h")
    assert done.returncode == 2
    assert done.stderr


def test_wrong_usage_with_json_is_one_object(tmp_path: Path) -> None:
    done = biny("activity", "show", "x", "--json", home=tmp_path / "h")
    assert done.returncode == 2
    assert told(done)["error"]["kind"] == "usage"


def test_config_needs_no_database(tmp_path: Path) -> None:
    home = tmp_path / "h"
    assert told(biny("config", "set", "read.every", "2", "--json", home=home)) == {"key": "read.every", "value": 2}
    assert biny("config", "get", "read.every", home=home).stdout == "2\n"
    items = told(biny("config", "list", "--json", home=home))["items"]
    assert {item["key"]: item["value"] for item in items}["read.every"] == 2
    assert told(biny("config", "reset", "read.every", "--json", home=home))["value"] == 3
    assert told(biny("config", "set", "agent.folders", "/a b\n/c", "--json", home=home))["value"] == ["/a b", "/c"]
    assert biny("config", "get", "agent.folders", home=home).stdout == "/a b\n/c\n"
    assert not (home / "data").exists()


@pytest.mark.parametrize(("key", "value"), [("read.every", "0"), ("read.never", "1"), ("capture.merge_ms", "fast")])
def test_a_bad_setting_is_refused_and_changes_nothing(tmp_path: Path, key: str, value: str) -> None:
    done = biny("config", "set", key, value, "--json", home=tmp_path / "h")
    assert done.returncode == 1
    assert told(done)["error"]["kind"] == "invalid_setting"
    assert told(done)["error"]["hint"]
    plain = biny("config", "set", key, value, home=tmp_path / "h")
    assert plain.returncode == 1
    assert plain.stdout == ""
    assert not (tmp_path / "h" / "config" / "settings.toml").exists()


def test_an_empty_home_answers_every_question(tmp_path: Path) -> None:
    home = tmp_path / "h"
    assert told(biny("status", "--json", home=home))["state"] == "paused"
    assert told(biny("activity", "list", "--json", home=home)) == {"items": [], "next": None}
    assert told(biny("activity", "list", "--events", "--json", home=home))["items"] == []
    found = told(biny("activity", "search", "anything", "--json", home=home))
    assert (found["items"], found["total"]) == ([], 0)
    missing = biny("activity", "show", "7", "--json", home=home)
    assert missing.returncode == 1
    assert told(missing)["error"]["kind"] == "not_found"


def test_the_home_can_come_from_the_environment(tmp_path: Path) -> None:
    assert biny("status", BINY_HOME=str(tmp_path / "h")).returncode == 0
    assert (tmp_path / "h" / "data" / "biny.db").exists()


def test_pause_and_resume_without_a_running_app_are_kept(tmp_path: Path) -> None:
    home = tmp_path / "h"
    until = told(biny("pause", "15m", "--json", home=home))["until_ms"]
    assert told(biny("status", "--json", home=home))["paused_until_ms"] == until
    assert biny("pause", "soon", home=home).returncode == 1
    assert told(biny("status", "--json", home=home))["paused_until_ms"] == until
    assert biny("resume", home=home).returncode == 0
    assert told(biny("status", "--json", home=home))["paused_until_ms"] is None


def test_capture_without_a_running_app_says_so(tmp_path: Path) -> None:
    done = biny("capture", "--json", home=tmp_path / "h")
    assert done.returncode == 1
    assert told(done)["error"]["kind"] == "unavailable"


def test_delete_asks_nothing_without_a_terminal_and_needs_yes(tmp_path: Path) -> None:
    home = tmp_path / "h"
    assert biny("activity", "delete", "--everything", home=home).returncode == 1
    assert biny("activity", "delete", home=home).returncode == 1
    assert biny("activity", "delete", "--frame", "1", "--everything", "--yes", home=home).returncode == 1
    assert biny("activity", "delete", "--day", "soon", "--yes", home=home).returncode == 1
    receipt = told(biny("activity", "delete", "--everything", "--yes", "--json", home=home))
    assert receipt["verified"] is True


def test_doctor_passes_its_self_test_on_a_fresh_home(tmp_path: Path) -> None:
    done = biny("doctor", "--self-test", "--json", home=tmp_path / "h")
    report = told(done)
    assert done.returncode == 0, report
    assert report["healthy"] is True
    assert any(check["name"] == "OCR self-test" and check["state"] == "ok" for check in report["checks"])


def test_a_home_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "h").mkdir()
    (tmp_path / "h" / "data").symlink_to(tmp_path / "real")
    done = biny("status", "--json", home=tmp_path / "h")
    assert done.returncode == 1
    assert told(done)["error"]["kind"] == "unsafe_path"


def test_a_lost_key_is_said_and_nothing_is_overwritten(tmp_path: Path) -> None:
    home = tmp_path / "h"
    assert biny("status", home=home).returncode == 0
    (home / "config" / "biny.key").unlink()
    before = (home / "data" / "biny.db").read_bytes()
    done = biny("status", "--json", home=home)
    assert told(done)["error"]["kind"] == "wrong_key"
    assert (home / "data" / "biny.db").read_bytes() == before


def test_six_first_starts_at_once_make_one_home(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "biny_desktop", "--home", str(tmp_path / "h"), "status", "--json"]
    starts = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(6)]
    answers = [start.communicate(timeout=120) for start in starts]
    assert [json.loads(out).get("frames") for out, _ in answers] == [0] * 6
