"""Who has a home open, and who left it without closing."""

from pathlib import Path

from biny_desktop.storage.folders import prepare, resolve
from biny_desktop.storage.presence import Presence, in_use, sweep


def test_a_clean_exit_leaves_no_sign(tmp_path: Path) -> None:
    folders = prepare(resolve(tmp_path))
    assert not in_use(folders)
    one, two = Presence(folders), Presence(folders)
    assert in_use(folders)
    assert not sweep(folders)
    one.leave()
    one.leave()
    assert in_use(folders)
    two.leave()
    assert not in_use(folders)
    assert not sweep(folders)


def test_a_sign_without_its_holder_is_an_unclean_exit_told_once(tmp_path: Path) -> None:
    folders = prepare(resolve(tmp_path))
    Presence(folders).leave()
    (folders.data / "open" / "0123").touch()
    here = Presence(folders)
    assert sweep(folders)
    assert not sweep(folders)
    assert in_use(folders)
    here.leave()
