"""Models as a person sees them: states of slots, keys, tests, ledger, indexes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from biny_desktop.core.errors import InvalidInputError, NotFoundError, UnavailableError
from biny_desktop.core.events import EventBus, ModelsChanged
from biny_desktop.models.advice import advice
from biny_desktop.models.client import ModelClient
from biny_desktop.models.model import Failure, FailureKind, Fingerprint, IndexStatus
from biny_desktop.models.presets import PRESETS, preset_of
from biny_desktop.models.slots import PLAIN_HTTP, check_url
from biny_desktop.service.models_care import FILE_WARNING, EmbedderState, ModelCare
from biny_desktop.service.settings_store import SettingsStore
from biny_desktop.storage.database import open_database
from biny_desktop.storage.folders import prepare, resolve
from biny_desktop.storage.keys import Keyring
from biny_desktop.storage.migrate import migrate
from biny_desktop.storage.model_keys import ModelKeys
from biny_desktop.storage.progress import CancelledError, Progress, Watch
from tests.fakes.clock import FakeClock
from tests.fakes.homes import MemoryKeyring, NoKeyring
from tests.fakes.model_server import ModelServer

KEY = "sk-secret"
MADE_WITH = Fingerprint("e5", "1", "int8", 384, "passage: ", "query: ")


class CountedIndex:
    """An index of two rows that a rebuild makes ready."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.built = IndexStatus(kind, "empty", 2, 0, 2, 0, 0, "", "", (), None)

    def status(self) -> IndexStatus:
        return self.built

    def rebuild(self, watch: Watch) -> object:
        watch.at("vectors", 0, 2)
        self.built = replace(self.built, state="ready", indexed=2, pending=0)
        return None


class ChosenEmbedder:
    """An embedder source; `embedder` is what it has."""

    def __init__(self) -> None:
        self.embedder = None

    def current(self) -> None:
        return self.embedder

    def why(self) -> str:
        return "the package is not installed"


class Rig:
    """The care of a plain home."""

    def __init__(self, root: Path, ring: Keyring) -> None:
        self.folders = prepare(resolve(root))
        self.clock, self.events = FakeClock(), EventBus()
        self.db = open_database(self.folders.database_file, None)
        migrate(self.db)
        self.settings = SettingsStore(self.folders, self.events)
        self.changes = 0
        keys = ModelKeys(self.folders, ring)
        self.client = ModelClient(self.db, self.settings.current, keys, self.clock)
        self.index, self.source = CountedIndex("frame"), ChosenEmbedder()
        self.care = ModelCare(
            self.db, self.settings, keys, self.client, self.clock, self.events, self.source,
            (self.index, CountedIndex("segment")),
        )  # fmt: skip
        self.events.subscribe(ModelsChanged, self._count)

    def _count(self, _event: ModelsChanged) -> None:
        self.changes += 1


@pytest.fixture
def ring() -> Keyring:
    return MemoryKeyring()


@pytest.fixture
def rig(tmp_path: Path, ring: Keyring) -> Iterator[Rig]:
    rig = Rig(tmp_path / "h", ring)
    yield rig
    rig.db.close()


def test_nothing_set_is_a_normal_state(rig: Rig) -> None:
    assert [state.state for state in rig.care.slots()] == ["unset", "unset", "unset"]
    assert rig.care.slot("chat").warnings == ()


def test_a_slot_is_set_tested_and_cleared(rig: Rig, model_server: ModelServer) -> None:
    state = rig.care.set_slot("small", f"{model_server.url}/", " tiny ")
    assert (state.state, state.url, state.model) == ("ready", model_server.url, "tiny")
    assert (state.server, state.local, state.preset, state.key) == (model_server.origin, True, "other", "none")
    assert rig.changes > 0
    assert rig.client.ready("small")
    model_server.always('{"ok": true}')
    assert rig.care.test("small").ok
    assert rig.care.offered(model_server.url) == ("large", "tiny")
    assert [call.outcome for call in rig.care.calls().calls] == ["ok"]
    assert rig.care.totals()[0].calls == 1
    rig.care.clear_slot("small")
    assert rig.care.slot("small").state == "unset"
    assert not rig.client.ready("small")


def test_another_server_is_never_asked_for_the_old_model(rig: Rig) -> None:
    rig.care.set_slot("chat", "https://one.example/v1", "old")
    seen: list[str | None] = []
    rig.events.subscribe(ModelsChanged, lambda _: seen.append(rig.client.model_of("chat")))
    rig.care.set_slot("chat", "https://two.example/v1", "new")
    assert seen == [None, None, "new"]


@pytest.mark.parametrize(("url", "model"), [("nonsense", "m"), ("https://u:p@x.io", "m"), ("https://x.io", " "),
                                            ("https://x.io", "a\nb"), ("https://x.io/" + "a" * 600, "m")])  # fmt: skip
def test_what_cannot_be_used_changes_nothing(rig: Rig, url: str, model: str) -> None:
    before = rig.care.set_slot("small", "https://one.example/v1", "tiny")
    with pytest.raises(InvalidInputError):
        rig.care.set_slot("small", url, model)
    assert rig.care.slot("small") == before


def test_a_key_belongs_to_the_server_of_an_address(rig: Rig) -> None:
    state = rig.care.set_slot("chat", "https://api.openai.com/v1", "big")
    assert (state.state, state.preset, state.local) == ("no_key", "openai", False)
    before = rig.changes
    assert rig.care.set_key("https://api.openai.com/v1", KEY) == "keyring"
    assert (rig.care.slot("chat").state, rig.care.slot("chat").key) == ("ready", "keyring")
    assert rig.care.key_place("https://api.openai.com/other") == "keyring"
    assert rig.care.key_place("https://api.openai.com.evil.example/v1") == "none"
    rig.care.forget_key("https://api.openai.com")
    assert rig.care.slot("chat").state == "no_key"
    assert rig.changes == before + 2


@pytest.mark.parametrize("ring", [NoKeyring()])
def test_a_key_in_a_file_and_an_open_connection_are_warned_of(rig: Rig) -> None:
    rig.care.set_slot("chat", "http://192.168.1.5:8000/v1", "big")
    assert rig.care.set_key("http://192.168.1.5:8000/v1", KEY) == "file"
    assert rig.care.slot("chat").warnings == (PLAIN_HTTP, FILE_WARNING)


def test_an_address_from_the_settings_file_that_cannot_be_used_is_told(rig: Rig) -> None:
    rig.settings.set("models.small_url", "localhost:11434")
    state = rig.care.slot("small")
    assert state.state == "bad_address"
    assert "http://" in state.warnings[0]
    rig.settings.set("models.small_url", "http://localhost:11434/v1")
    assert rig.care.slot("small").state == "no_name"


def test_a_server_that_does_not_list_is_told_with_advice(rig: Rig, model_server: ModelServer) -> None:
    model_server.key = KEY
    with pytest.raises(UnavailableError) as caught:
        rig.care.offered(model_server.url)
    assert "another key" in caught.value.message
    assert caught.value.hint


def test_an_index_is_rebuilt_by_kind(rig: Rig) -> None:
    told: list[Progress] = []
    assert [status.kind for status in rig.care.indexes()] == ["frame", "segment"]
    assert rig.care.rebuild("frame", Watch(tell=told.append)).state == "ready"
    assert told
    assert rig.care.indexes()[1].state == "empty"
    with pytest.raises(CancelledError):
        rig.care.rebuild("segment", Watch(cancelled=lambda: True))
    with pytest.raises(NotFoundError) as caught:
        rig.care.rebuild("nothing")
    assert caught.value.hint == "frame, segment"


def test_the_embedder_or_what_is_missing_is_told(rig: Rig) -> None:
    assert rig.care.embedder_state() == EmbedderState(None, "the package is not installed")
    rig.source.embedder = type("E", (), {"fingerprint": MADE_WITH})()  # type: ignore[assignment]
    assert rig.care.embedder_state().fingerprint == MADE_WITH


def test_presets_are_usable_addresses_that_are_recognised() -> None:
    assert len({preset.id for preset in PRESETS}) == len(PRESETS)
    for preset in PRESETS:
        assert preset.hint
        if preset.url:
            assert check_url(preset.url) == preset.url
            assert preset_of(f"{preset.url}/") == preset
            assert preset.local is not preset.needs_key
    assert preset_of("https://x.io/v1").id == "other"


@pytest.mark.parametrize("kind", get_args(FailureKind))
@pytest.mark.parametrize("status", [None, 400, 401, 402, 403, 404, 418, 429, 500, 529])
@pytest.mark.parametrize("detail", ["", "unreachable", "too_long", "any_code"])
def test_every_failure_has_words(kind: FailureKind, status: int | None, detail: str) -> None:
    assert advice(Failure(kind, detail, status)).what.endswith(".")
