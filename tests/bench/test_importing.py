"""The bench of imports measures what it says, on a small file."""

from pathlib import Path

from tests.bench.importing import MB, measure, write


def test_a_small_export_comes_in_once(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    with path.open("w", encoding="utf-8") as file:
        size = write(file, MB // 8)
    found = measure(path, tmp_path / "home")
    assert size == path.stat().st_size - 2 - 2 * (found["sessions"] - 1)  # type: ignore[operator]
    assert found["messages"] > 50  # type: ignore[operator]
    assert found["again"] == 0
    assert found["peak_mb"] >= found["base_mb"] > 1  # type: ignore[operator]
