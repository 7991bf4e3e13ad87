"""One setting is written without touching the others; lists too."""

import tomllib
from pathlib import Path

import pytest

from biny_desktop.core.errors import InvalidSettingError
from biny_desktop.core.settings import get, load
from biny_desktop.storage.settings_file import set_value, unset


def test_a_list_is_written_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[read]\nevery = 2\n[later]\nkey = [1, 2]\n", encoding="utf-8")
    assert set_value(path, "agent.folders", '/home/me/notes\n\n  C:\\Users\\me\\"x"  \n/笔记\n') == (
        "/home/me/notes", 'C:\\Users\\me\\"x"', "/笔记",
    )  # fmt: skip
    assert get(load(path), "agent.folders") == ("/home/me/notes", 'C:\\Users\\me\\"x"', "/笔记")
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    assert content["read"] == {"every": 2}
    assert content["later"] == {"key": [1, 2]}
    assert set_value(path, "agent.folders", "") == ()
    assert get(load(path), "agent.folders") == ()
    unset(path, "agent.folders")
    assert "folders" not in tomllib.loads(path.read_text(encoding="utf-8"))["agent"]


def test_a_part_of_one_or_a_word_is_written(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    assert set_value(path, "compaction.trigger_percent", "0.8") == 0.8
    assert get(load(path), "compaction.trigger_percent") == 0.8
    assert set_value(path, "compaction.trigger_percent", "auto") == "auto"
    for wrong in ("0.4", "1", "soon", ""):
        with pytest.raises(InvalidSettingError) as refused:
            set_value(path, "compaction.trigger_percent", wrong)
        assert "0.5 to 0.95, or auto" in refused.value.hint
    assert get(load(path), "compaction.trigger_percent") == "auto"


def test_too_long_a_line_of_a_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettingError):
        set_value(tmp_path / "settings.toml", "agent.folders", "x" * 1_001)
    assert not (tmp_path / "settings.toml").exists()
