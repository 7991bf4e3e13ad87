"""The one declaration of settings, its checks and its sources."""

from pathlib import Path

import pytest

from biny_desktop.core.errors import InvalidSettingError
from biny_desktop.core.settings import allowed, declarations, get, load, parse


def test_every_setting_has_help_and_a_default_inside_its_bounds() -> None:
    for item in declarations():
        assert item.help, item.key
        assert item.group_help, item.key
        written = "\n".join(item.default) if isinstance(item.default, tuple) else str(item.default)
        assert parse(item.key, written) == item.default
        assert allowed(item.key)


def test_a_missing_file_means_defaults(tmp_path: Path) -> None:
    assert load(tmp_path / "none.toml").capture.enabled is False


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[capture]\nmerge_ms = 5000\ntyping_pause_ms = 900\n")
    monkeypatch.setenv("BINY_CAPTURE__MERGE_MS", "6000")
    settings = load(path)
    assert (settings.capture.merge_ms, settings.capture.typing_pause_ms) == (6000, 900)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("capture.merge_ms", "0"),
        ("capture.merge_ms", ""),
        ("capture.merge_ms", "soon"),
        ("capture.monitors", "none"),
        ("day.start", "09:00"),
        ("day.start", "24:00"),
        ("read.every", "1.5"),
        ("pictures.delete_days", "0"),
        ("pictures.delete_days", ""),
        ("pictures.delete_days", "1"),
        ("pictures.delete_days", "never"),
        ("pictures.quota_mb", "0"),
        ("pictures.quota_mb", ""),
        ("pictures.quota_to", "96"),
        ("pictures.disk_stop_mb", "0"),
        ("pictures.disk_stop_mb", ""),
        ("nothing.here", "1"),
        ("capture", "1"),
        ("", ""),
    ],
)
def test_a_bad_value_is_refused_with_what_is_allowed(key: str, text: str) -> None:
    with pytest.raises(InvalidSettingError) as caught:
        parse(key, text)
    assert caught.value.hint


@pytest.mark.parametrize("content", ["[capture\n", "\x00", "[capture]\nmerge_ms = 1\n"])
def test_a_broken_file_is_an_error_that_names_the_remedy_and_stays(tmp_path: Path, content: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(content)
    with pytest.raises(InvalidSettingError) as caught:
        load(path)
    assert caught.value.hint
    assert path.read_text() == content


def test_values_are_read_by_key(tmp_path: Path) -> None:
    assert get(load(tmp_path / "none.toml"), "read.every") == 3
    with pytest.raises(InvalidSettingError):
        get(load(tmp_path / "none.toml"), "read.nothing")


def test_a_limit_is_a_number_or_its_own_word() -> None:
    assert parse("pictures.delete_days", "keep") == "keep"
    assert parse("pictures.delete_days", "365") == 365
    assert parse("pictures.disk_stop_mb", "auto") == "auto"
    assert parse("pictures.disk_stop_mb", "500") == 500
    assert allowed("pictures.delete_days") == "A number from 2 to 3650, or keep."
    assert allowed("pictures.quota_mb") == "A number from 100 to 200000."


def test_the_message_about_a_limit_names_its_key_and_no_type(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[pictures]\ndelete_days = 0\n")
    with pytest.raises(InvalidSettingError) as caught:
        load(path)
    assert caught.value.message.startswith("pictures.delete_days: ")


def test_a_kept_for_ever_limit_is_read_back_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('[pictures]\ndelete_days = "keep"\nmedium_h = 48\n')
    pictures = load(path).pictures
    assert (pictures.delete_days, pictures.medium_h) == ("keep", 48)
