"""The detector bench: its keys, its two kinds of folder, and a folder with nothing in it."""

import json
from pathlib import Path

import cv2
import pytest

from tests.bench import detector
from tests.capture.screens import HEIGHT, LIGHT, NOISE, PANEL, WANTED, WIDTH, base, happen

CONTEXT = {"workarea": [0, 0, WIDTH, HEIGHT - PANEL], "pointer_a": [700, 20], "pointer_b": [700, 20]}


def pairs(folder: Path) -> None:
    entries = []
    for label, events in (("changed", WANTED), ("unchanged", NOISE)):
        name = next(iter(events))
        for side, shot in zip("ab", happen(events[name], LIGHT, 1), strict=True):
            cv2.imwrite(str(folder / f"{label}-{side}.png"), shot.pixels[..., :3])
        active = {"active_a": None, "active_b": {"rect": [0, 0, 400, 300], "app": "drawn", "title": ""}}
        named = {"id": label, "a": f"{label}-a.png", "b": f"{label}-b.png", "label": label, "kind": name}
        entries.append({**named, "what": name, "scene": "drawn", "context": {**CONTEXT, **active}})
    (folder / "labels.json").write_text(json.dumps({"version": 1, "pairs": entries}), "utf-8")


def test_pairs_give_every_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs(tmp_path)
    assert detector.main(["--data", str(tmp_path), "--json"]) == 0
    out, progress = capsys.readouterr()
    result = json.loads(out)
    assert (result["kept_rate"], result["dropped_rate"], result["misses"]) == (1.0, 1.0, [])
    assert set(result["peers"]) == {"phash", "dhash", "ssim", "histogram"}
    assert all(result[key] > 0 for key in ("ms_median", "phash_ms_median", "ratio"))
    assert "changed" not in progress.split(":")[0]


def test_sequence_is_compared_with_the_last_kept_frame(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frames = []
    for number, words in enumerate(["", "", "a new line", "a new line"]):
        screen = base(LIGHT, 1)
        screen.text(24, 320, words)
        cv2.imwrite(str(tmp_path / f"{number}.png"), screen.shot().pixels[..., :3])
        expected = "keep" if number in (0, 3) else "skip"  # the third label is wrong on purpose
        known = {"workarea": CONTEXT["workarea"], "pointer": [700, 20], "app": "drawn", "window": [0, 0, 400, 300]}
        frames.append({"frame": f"{number}.png", "t": number, "what": words, "expect": expected, **known})
    (tmp_path / "session.json").write_text(json.dumps({"scale": 1, "frames": frames}), "utf-8")
    assert detector.main(["--data", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "miss 2.png (skip, parts)" in out
    assert "miss 3.png (keep, same_exact)" in out


def test_folder_without_labels_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert detector.main(["--data", str(tmp_path), "--json"]) == 2
    assert "no labels.json" in capsys.readouterr().err
