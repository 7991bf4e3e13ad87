"""The recovery key of real homes: lost and typed in again, wrong ones refused."""

from pathlib import Path

import pytest

from biny_desktop.core.errors import InvalidInputError, WrongKeyError
from biny_desktop.service.data_care.encryption import change_encryption
from biny_desktop.service.data_care.recovery import export_key, import_key
from biny_desktop.storage.keys import identity_of, make_key
from biny_desktop.storage.rekey import Change, _write, pending
from tests.fakes.homes import Home, MemoryKeyring, NoKeyring, zero_page


@pytest.mark.parametrize("ring", [MemoryKeyring, NoKeyring])
def test_a_lost_key_comes_back_by_its_recovery_key(tmp_path: Path, ring: type[MemoryKeyring | NoKeyring]) -> None:
    home = Home(tmp_path / "h", ring()).fill(encrypted=True)
    before, typed = home.content(), export_key(home.folders, home.ring)
    if isinstance(home.ring, MemoryKeyring):
        home.ring.kept.clear()
    else:
        (home.folders.config / "biny.key").unlink()
    with pytest.raises(WrongKeyError):
        home.open()
    with pytest.raises(WrongKeyError):
        export_key(home.folders, home.ring)
    done = import_key(home.folders, home.ring, typed.lower().replace("-", " "))
    assert done.key_place == ("keyring" if ring is MemoryKeyring else "file")
    assert home.content() == before


def test_the_key_of_another_home_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    home = Home(tmp_path / "h", MemoryKeyring()).fill(1, encrypted=True)
    other = Home(tmp_path / "o", MemoryKeyring()).fill(1, encrypted=True)
    wrong, before = export_key(other.folders, other.ring), home.folders.identity_file.read_bytes()
    kept = dict(home.ring.kept)  # type: ignore[attr-defined]
    with pytest.raises(WrongKeyError):
        import_key(home.folders, home.ring, wrong)
    assert home.folders.identity_file.read_bytes() == before
    assert home.ring.kept == kept  # type: ignore[attr-defined]
    with pytest.raises(InvalidInputError):
        import_key(home.folders, home.ring, wrong[:-1] + ("0" if wrong[-1] != "0" else "1"))


def test_a_lost_identity_is_made_anew(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(encrypted=True)
    before, typed = home.content(), export_key(home.folders, home.ring)
    home.folders.identity_file.unlink()
    with pytest.raises(WrongKeyError):
        home.open()
    import_key(home.folders, home.ring, typed)
    assert home.content() == before


def test_a_keyring_that_is_gone_is_replaced_by_a_file(tmp_path: Path) -> None:
    home = Home(tmp_path / "h", MemoryKeyring()).fill(encrypted=True)
    before, typed = home.content(), export_key(home.folders, home.ring)
    home.ring = NoKeyring()
    with pytest.raises(WrongKeyError):
        home.open()
    assert import_key(home.folders, home.ring, typed).key_place == "file"
    assert home.content() == before


def test_the_key_is_taken_also_when_the_first_page_is_damaged(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(1, encrypted=True)
    typed = export_key(home.folders, home.ring)
    (home.folders.config / "biny.key").unlink()
    zero_page(home.folders.database_file, 1)
    assert import_key(home.folders, home.ring, typed).key_place == "file"


def test_the_former_key_is_taken_while_a_change_is_under_way(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(encrypted=True)
    before, typed = home.content(), export_key(home.folders, home.ring)
    opened = home.open()
    opened.database.close()
    opened.presence.leave()
    new = make_key(home.folders, home.ring, encrypted=True)
    from biny_desktop.storage.atomic import RealFileOps

    _write(home.folders, Change(identity_of(opened.key), identity_of(new), "database"), RealFileOps())
    (home.folders.config / "biny.key").unlink()
    with pytest.raises(WrongKeyError):
        home.open()
    import_key(home.folders, home.ring, typed)
    assert home.content() == before
    assert pending(home.folders) is None


def test_there_is_none_without_encryption_or_data(tmp_path: Path) -> None:
    home = Home(tmp_path / "h")
    with pytest.raises(InvalidInputError):
        export_key(home.folders, home.ring)
    home.fill(1, encrypted=True)
    typed = export_key(home.folders, home.ring)
    with pytest.raises(InvalidInputError, match="no database"):
        import_key(Home(tmp_path / "none").folders, home.ring, typed)
    change_encryption(home.folders, home.ring, home.clock, "off")
    with pytest.raises(InvalidInputError):
        export_key(home.folders, home.ring)
    with pytest.raises(WrongKeyError):
        import_key(home.folders, home.ring, typed)


def test_a_home_of_an_older_version_gets_its_fingerprint(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(1, encrypted=True)
    file = home.folders.identity_file
    file.write_text(file.read_text().partition(', "check"')[0] + "}")
    before = home.content()
    assert '"check": "' in file.read_text()
    assert home.content() == before
