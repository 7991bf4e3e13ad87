"""`TurnStore`: killed at every step, disk full, damage, sealing and its change, stray files, strange names."""

import errno
import json
import resource
import signal
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from biny_desktop.conversation.turns.state import DamagedTurnError, HighWater, TurnState
from biny_desktop.conversation.turns.store import TurnStore
from biny_desktop.core.errors import DiskFullError, UnsafePathError
from biny_desktop.models.model import ChatMessage, ToolCall
from biny_desktop.redaction import safe_constant
from tests.fakes.clock import START_MS, FakeClock
from tests.fakes.killing_ops import STEPS, Step, StepOps, When, killed

SECRET = bytes(range(32))
OLD = TurnState(
    session_id="s1",
    turn_id="t1",
    prompt=safe_constant("find the ferry"),
    system_prompt=safe_constant("rules"),
    messages=(
        ChatMessage("user", safe_constant("find the ferry")),
        ChatMessage("assistant", safe_constant(""), (ToolCall("c1", "read_file", '{"path":"a"}'),)),
        ChatMessage("tool", safe_constant("the ferry leaves at 9"), (), "c1"),
    ),
    completed_steps=1,
    budgets={"hard_steps": 96},
    high_water=HighWater("e7", 7, "r1", "t1"),
    updated_at_ms=START_MS,
)
NEW = replace(OLD, completed_steps=2, terminal="blocked", previous_terminals=("incomplete",))


@pytest.fixture(params=[None, SECRET], ids=["plain", "sealed"])
def secret(request: pytest.FixtureRequest) -> bytes | None:
    return request.param  # type: ignore[no-any-return]


def store_in(tmp_path: Path, secret: bytes | None, ops: StepOps | None = None, **former: bytes | None) -> TurnStore:
    return TurnStore(tmp_path / "turns", secret, FakeClock(), ops, **former)


def test_a_checkpoint_comes_back_equal_in_a_private_file(tmp_path: Path, secret: bytes | None) -> None:
    store = store_in(tmp_path, secret)
    assert store.load("s1") is None
    store.save(NEW)
    assert store.load("s1") == NEW
    assert store.sessions() == ("s1",)
    [path] = (tmp_path / "turns").iterdir()
    assert path.name == ("s1.json" if secret is None else "s1.json.sealed")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (b"ferry" in path.read_bytes()) == (secret is None)
    store.remove("s1")
    store.remove("s1")
    assert store.load("s1") is None


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_killed_at_a_step_the_file_is_the_old_or_the_new_one(
    tmp_path: Path, secret: bytes | None, step: Step, when: When
) -> None:
    store_in(tmp_path, secret).save(OLD)
    assert killed(lambda: store_in(tmp_path, secret, StepOps(step, when)).save(NEW))
    store = store_in(tmp_path, secret)
    renamed = step == "sync_folder" or (step, when) == ("rename", "after")
    assert store.load("s1") == (NEW if renamed else OLD)
    assert store.sessions() == ("s1",), "a stray file is no checkpoint"
    written = (step, when) in (("write_temp", "after"), ("sync_file", "before"), ("sync_file", "after"))
    assert store.tidy() == int(written or (step, when) == ("rename", "before"))
    assert len(list((tmp_path / "turns").iterdir())) == 1
    store.save(NEW)
    assert store.load("s1") == NEW


def test_the_first_write_killed_leaves_no_checkpoint(tmp_path: Path) -> None:
    assert killed(lambda: store_in(tmp_path, None, StepOps("rename", "before")).save(NEW))
    store = store_in(tmp_path, None)
    assert store.load("s1") is None
    assert store.tidy(lambda session_id: session_id == "s1") == 0, "maybe another process writes it now"
    assert store.tidy() == 1


@pytest.mark.parametrize("step", STEPS)
def test_a_full_disk_is_an_error_and_the_old_file_stays(tmp_path: Path, step: Step) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    store_in(tmp_path, None).save(OLD)
    store = store_in(tmp_path, None, StepOps(step, "before", full))
    with pytest.raises(DiskFullError):
        store.save(NEW)
    assert store.load("s1") in ((OLD, NEW) if step == "sync_folder" else (OLD,))
    assert [path.name for path in (tmp_path / "turns").iterdir()] == ["s1.json"]


def test_a_real_limit_of_the_system_is_an_error_and_the_old_file_stays(tmp_path: Path) -> None:
    store_in(tmp_path, None).save(OLD)

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        with pytest.raises(DiskFullError):
            store_in(tmp_path, None).save(NEW)

    assert not killed(limited)
    assert store_in(tmp_path, None).load("s1") == OLD
    assert len(list((tmp_path / "turns").iterdir())) == 1


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    return data[:-5] + bytes([data[-5] ^ 255]) + data[-4:]


def newer(data: bytes) -> bytes:
    return json.dumps({**json.loads(data), "version": 2}).encode()


def without_context(data: bytes) -> bytes:
    return json.dumps({**json.loads(data), "messages": []}).encode()


def of_another(data: bytes) -> bytes:
    return json.dumps({**json.loads(data), "session_id": "s2"}).encode()


def empty(_data: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("change", [cut, flipped, newer, without_context, of_another, empty])
def test_a_damaged_file_is_an_error_and_never_nothing(tmp_path: Path, change: object) -> None:
    store = store_in(tmp_path, None)
    store.save(OLD)
    path = tmp_path / "turns" / "s1.json"
    path.write_bytes(change(path.read_bytes()))  # type: ignore[operator]
    with pytest.raises(DamagedTurnError):
        store.load("s1")
    assert store.sessions() == ("s1",)
    assert store.reseal() == 0
    store.remove("s1")
    assert store.load("s1") is None


@pytest.mark.parametrize("change", [cut, flipped, empty])
def test_a_damaged_seal_is_an_error_and_never_nothing(tmp_path: Path, change: object) -> None:
    store = store_in(tmp_path, SECRET)
    store.save(OLD)
    path = tmp_path / "turns" / "s1.json.sealed"
    path.write_bytes(change(path.read_bytes()))  # type: ignore[operator]
    with pytest.raises(DamagedTurnError):
        store.load("s1")
    assert store.reseal() == 0
    assert path.exists()


def test_a_file_that_cannot_be_read_or_is_a_link_is_damaged(tmp_path: Path) -> None:
    store = store_in(tmp_path, None)
    store.save(OLD)
    elsewhere = tmp_path / "elsewhere.json"
    (tmp_path / "turns" / "s1.json").rename(elsewhere)
    (tmp_path / "turns" / "s1.json").symlink_to(elsewhere)
    with pytest.raises(DamagedTurnError):
        store.load("s1")
    (tmp_path / "turns" / "s1.json").unlink()
    (tmp_path / "turns" / "s1.json").mkdir()
    with pytest.raises(DamagedTurnError):
        store.load("s1")


@pytest.mark.parametrize(("old", "new"), [(None, SECRET), (SECRET, None), (SECRET, bytes(32))])
def test_checkpoints_follow_a_change_of_encryption(tmp_path: Path, old: bytes | None, new: bytes | None) -> None:
    store_in(tmp_path, old).save(OLD)
    changed = store_in(tmp_path, new, former=old)
    assert changed.load("s1") == OLD
    assert changed.reseal() == 1
    after = store_in(tmp_path, new)
    assert after.load("s1") is not None
    assert after.reseal() == 0
    assert [path.name for path in (tmp_path / "turns").iterdir()] == ["s1.json" if new is None else "s1.json.sealed"]


def test_a_damaged_plain_checkpoint_is_sealed_too_and_stays_damaged(tmp_path: Path) -> None:
    store_in(tmp_path, None).save(OLD)
    path = tmp_path / "turns" / "s1.json"
    path.write_bytes(cut(path.read_bytes()))
    store = store_in(tmp_path, SECRET)
    assert store.reseal() == 1
    [sealed] = (tmp_path / "turns").iterdir()
    assert b"ferry" not in sealed.read_bytes()
    with pytest.raises(DamagedTurnError):
        store.load("s1")
    assert store.reseal() == 0


def test_killed_between_the_new_form_and_the_old_file_the_newer_one_counts(tmp_path: Path) -> None:
    store_in(tmp_path, None).save(OLD)
    assert killed(lambda: store_in(tmp_path, SECRET, StepOps("unlink", "before", n=2)).save(NEW))
    assert len(list((tmp_path / "turns").iterdir())) == 2
    store = store_in(tmp_path, SECRET)
    assert store.load("s1") == NEW
    assert store.sessions() == ("s1",)
    assert store.reseal() == 1
    assert [path.name for path in (tmp_path / "turns").iterdir()] == ["s1.json.sealed"]


@pytest.mark.parametrize("name", ["../s1", "", "a/b", "a.b", "x" * 101])
def test_an_id_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    store = store_in(tmp_path, None)
    for use in (store.load, store.remove, lambda each: store.save(replace(OLD, session_id=each))):
        with pytest.raises(UnsafePathError):
            use(name)
    assert not (tmp_path / "turns").exists()


def test_a_checkpoint_without_context_is_a_bug(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="context"):
        store_in(tmp_path, None).save(replace(OLD, messages=()))


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "turns").mkdir()
    for name in ("notes.txt", "s1.json.bak", "s1.json.part"):
        (tmp_path / "turns" / name).write_text("mine")
    store = store_in(tmp_path, None)
    assert store.sessions() == ()
    assert store.tidy() == 0
    assert len(list((tmp_path / "turns").iterdir())) == 3
