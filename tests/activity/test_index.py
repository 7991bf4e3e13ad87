"""The text index: terms recomputed from rows always remove a row fully, and a cut-off rebuild goes on."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from biny_desktop.activity.deletes import Selection
from biny_desktop.activity.index import FRAME_INDEX, prepare_index, token
from biny_desktop.storage.database import Writer
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock

TEXT = st.text(max_size=40)


@given(title=TEXT, app=TEXT, lines=st.lists(TEXT, max_size=4), again=st.lists(TEXT, max_size=3))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_recomputed_terms_remove_a_row_fully(
    home: ActivityHome, title: str, app: str, lines: list[str], again: list[str]
) -> None:
    frame_id = home.keep(title, app)
    home.read(frame_id, *lines)
    home.read(frame_id, *again)
    assert home.index_is_whole()
    home.deletes.run(Selection.of_frames(frame_id))
    assert home.index_is_whole()
    assert home.count("frame_fts_docsize") == 0


@pytest.mark.parametrize("value", ["", "org.gnome.Files", "微信", "C++", "a b", "é", "\u0000", "𞤀", "x" * 500])
def test_tokens_are_plain_ascii_words(value: str) -> None:
    made = token("app", value)
    assert made.isascii()
    assert made.isalnum()


def test_a_rebuild_that_was_killed_goes_on_at_the_next_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = ActivityHome(tmp_path / "data", FakeClock())
    ids = [home.seen(f"t{n}", "word") for n in range(7)]
    with home.db.write() as w:
        w.run("UPDATE meta SET value = '0' WHERE key = 'frame_fts.index_version'")
    monkeypatch.setattr("biny_desktop.activity.index.REBUILD_BATCH", 2)
    real_run, left = Writer.run, 9

    def run(self: Writer, sql: str, params=None):  # type: ignore[no-untyped-def]
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return real_run(self, sql, params)

    with monkeypatch.context() as patch:
        patch.setattr(Writer, "run", run)
        with pytest.raises(KeyboardInterrupt):
            prepare_index(home.db)
    assert 0 <= home.count("frame_fts_docsize") < 7
    assert prepare_index(home.db) > 0
    assert prepare_index(home.db) == 0
    assert home.found("word") == ids[::-1]
    assert home.index_is_whole()
    with home.db.read() as r:
        assert FRAME_INDEX.count(r) == 7
    home.close()
