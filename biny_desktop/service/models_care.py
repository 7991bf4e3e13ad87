"""Models as a person sees them: slots with their state, keys, tests, the call ledger, embedder and indexes.

Window and command line use this; the texts that are sent and the answers never pass through here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import InvalidInputError, NotFoundError, UnavailableError
from biny_desktop.core.events import EventBus, ModelsChanged, SettingChanged
from biny_desktop.core.i18n import mark
from biny_desktop.core.text import clean_title
from biny_desktop.models.advice import Advice, advice
from biny_desktop.models.client import ModelClient, TestResult
from biny_desktop.models.ledger import CallPage, Ledger
from biny_desktop.models.ledger_store import TaskTotal
from biny_desktop.models.model import SLOTS, Embedder, Failure, Fingerprint, IndexStatus, Slot
from biny_desktop.models.presets import PRESETS, Preset, preset_of
from biny_desktop.models.slots import check_url, is_local, problem, server_of, warning_of
from biny_desktop.service.settings_store import SettingsStore
from biny_desktop.storage.database import Database
from biny_desktop.storage.keys import KeyPlace
from biny_desktop.storage.model_keys import ModelKeys
from biny_desktop.storage.progress import UNWATCHED, Watch

State = Literal["unset", "no_name", "bad_address", "no_key", "ready"]
FILE_WARNING = mark("There is no keyring, so the key is kept in a file that other programs of yours can read.")


class EmbedderSource(Protocol):
    """The embedder in use, as `models.embedder_choice` chooses it."""

    def current(self) -> Embedder | None:
        """The embedder, loaded on first use; None when there is none."""
        ...

    def why(self) -> str:
        """The reason of the choice, or what is missing."""
        ...


class KeptIndex(Protocol):
    """A vector index, as `models.vector_index` keeps it."""

    @property
    def kind(self) -> str:
        """Of which rows."""
        ...

    def status(self) -> IndexStatus:
        """How it is."""
        ...

    def rebuild(self, watch: Watch) -> object:
        """Make all vectors anew."""
        ...


@dataclass(frozen=True, slots=True)
class SlotState:
    """A slot as it is shown: `url` and `model` as set (either may be empty), `server` scheme, host and port (empty
    while there is no usable address), `preset` the id of the well-known server, `key` where its key is kept, `local`
    whether it is this machine; `warnings` untranslated, worst first."""

    slot: Slot
    state: State
    url: str
    model: str
    server: str
    preset: str
    local: bool
    key: KeyPlace
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EmbedderState:
    """The embedder in use: its fingerprint (None: there is none), and why it is this one."""

    fingerprint: Fingerprint | None
    why: str


class ModelCare:
    """What a person does with models. Thread-safe; its calls may take seconds (server, keyring, loading)."""

    def __init__(
        self,
        db: Database,
        settings: SettingsStore,
        keys: ModelKeys,
        client: ModelClient,
        clock: Clock,
        events: EventBus,
        embedder: EmbedderSource | None = None,
        indexes: Sequence[KeptIndex] = (),
    ) -> None:
        self._settings = settings
        self._keys = keys
        self._client = client
        self._ledger = Ledger(db, clock)
        self._events = events
        self._embedder = embedder
        self._indexes = tuple(indexes)
        events.subscribe(SettingChanged, self._on_setting_changed)

    def presets(self) -> tuple[Preset, ...]:
        """Well-known servers; those of this machine first, `other` last."""
        return PRESETS

    def slots(self) -> tuple[SlotState, ...]:
        """Every slot with its state.

        Raises:
            StorageError: the file with the keys cannot be read.
        """
        return tuple(self.slot(slot) for slot in SLOTS)

    def slot(self, slot: Slot) -> SlotState:
        """One slot. Raises StorageError: the file with the keys cannot be read."""
        models = self._settings.current().models
        url, model = str(getattr(models, f"{slot}_url")).strip(), str(getattr(models, f"{slot}_model")).strip()
        fault = problem(self._settings.current(), slot)
        if not url or fault is not None:
            state: State = "unset" if fault is None else "bad_address"
            return SlotState(
                slot, state, url, model, "", "other", False, "none", () if fault is None else (fault.message,)
            )
        server, preset, place = server_of(url), preset_of(url), self._keys.place(server_of(url))
        notes = (warning_of(url), FILE_WARNING if place == "file" else "")
        state = "no_name" if not model else "no_key" if preset.needs_key and place == "none" else "ready"
        warnings = tuple(note for note in notes if note)
        return SlotState(slot, state, url, model, server, preset.id, is_local(url), place, warnings)

    def set_slot(self, slot: Slot, url: str, model: str) -> SlotState:
        """Put a model into a slot; returns its new state.

        Raises:
            InvalidInputError: address or name cannot be used; nothing was changed. StorageError: it cannot be kept.
        """
        checked, name = check_url(url), model.strip()
        if not name or name != clean_title(name):
            raise InvalidInputError(
                mark("The name of the model cannot be used"), mark("It has to be one line that is not empty."),
                mark("Write it as the server lists it."),
            )  # fmt: skip
        if self.slot(slot).url != checked:
            self._settings.reset(f"models.{slot}_model")  # so that no other model is asked there in between
            self._settings.set(f"models.{slot}_url", checked)
        self._settings.set(f"models.{slot}_model", name)
        return self.slot(slot)

    def clear_slot(self, slot: Slot) -> None:
        """Take the model out of a slot; the key of its server stays. Raises StorageError."""
        self._settings.reset(f"models.{slot}_model")
        self._settings.reset(f"models.{slot}_url")

    def key_place(self, url: str) -> KeyPlace:
        """Where the key of an address' server is kept.

        Raises:
            InvalidInputError: the address cannot be used. StorageError: the file with the keys cannot be read.
        """
        return self._keys.place(server_of(url))

    def set_key(self, url: str, key: str) -> KeyPlace:
        """Keep the key of an address' server; returns where. In `file`, `FILE_WARNING` is to be shown.

        Raises:
            InvalidInputError: address or key cannot be used. StorageError: it cannot be kept.
        """
        place = self._keys.set(server_of(url), key)
        self._events.publish(ModelsChanged())
        return place

    def forget_key(self, url: str) -> None:
        """Remove the key of an address' server.

        Raises:
            InvalidInputError: the address cannot be used. StorageError: the key is still there.
        """
        self._keys.forget(server_of(url))
        self._events.publish(ModelsChanged())

    def test(self, slot: Slot, go_on: Callable[[], bool] | None = None) -> TestResult:
        """Ask the model in a slot a tiny question; takes up to a minute, `go_on` False gives it up. `explain` says what
        a failure means."""
        return self._client.test(slot, go_on)

    def explain(self, failure: Failure) -> Advice:
        """What a failure means and what to do, untranslated."""
        return advice(failure)

    def offered(self, url: str) -> tuple[str, ...]:
        """The models that a server offers, by name; takes up to ten seconds.

        Raises:
            InvalidInputError: the address cannot be used. UnavailableError: the server does not tell.
        """
        found = self._client.list_models(url)
        if isinstance(found, Failure):
            told = advice(found)
            raise UnavailableError(mark("The server does not list its models"), told.what, told.hint)
        return found

    def calls(self, limit: int = 50, before: int | None = None) -> CallPage:
        """The call ledger, newest first; `before` is the cursor of the page before. Raises StorageError."""
        return self._ledger.page(limit, before)

    def totals(self, days: int = 30) -> tuple[TaskTotal, ...]:
        """Sums of the ledger by task over the last days. Raises StorageError."""
        return self._ledger.totals(days)

    def embedder_state(self) -> EmbedderState:
        """The embedder in use; loads it when it is not yet loaded, which takes seconds."""
        if self._embedder is None:
            return EmbedderState(None, "")
        embedder = self._embedder.current()
        return EmbedderState(embedder.fingerprint if embedder else None, self._embedder.why())

    def indexes(self) -> tuple[IndexStatus, ...]:
        """How each vector index is. Raises StorageError."""
        return tuple(index.status() for index in self._indexes)

    def rebuild(self, kind: str, watch: Watch = UNWATCHED) -> IndexStatus:
        """Make all vectors of a kind anew; the old ones serve until the new ones are complete. Returns the new state.

        Raises:
            NotFoundError: there is no index of that kind. UnavailableError: there is no embedder.
            CancelledError: stopped; the old vectors are still in use. StorageError: the database cannot be used.
        """
        for index in self._indexes:
            if index.kind == kind:
                index.rebuild(watch)
                return index.status()
        known = ", ".join(index.kind for index in self._indexes)
        raise NotFoundError(mark("There is no such index"), kind, known)

    def _on_setting_changed(self, event: SettingChanged) -> None:
        if event.key.startswith("models."):
            self._events.publish(ModelsChanged())
