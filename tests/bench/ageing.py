"""Ageing of many real pictures with kills: `python -m tests.bench.ageing --pictures DIR [--count 2000] [--kills 8]`.

Every picture of DIR (screen shots, PNG or JPEG) is encoded as the recorder does; frames with texts are spread over 40
days. A child process ages them and is killed (SIGKILL) again and again; then it is let run to its end. Said at the end:
bytes before and after by tier, the time a picture takes, and whether text, search and files are whole.
"""

import argparse
import hashlib
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
from PIL import Image

from biny_desktop.activity.ageing_plan import DAY_MS, MAX_FAULTS
from biny_desktop.activity.ageing_store import use
from biny_desktop.activity.recover import recover
from biny_desktop.activity.shrink import is_whole
from biny_desktop.capture.encode import encode
from biny_desktop.capture.ports import NewPicture
from tests.bench.make_home import TextMaker
from tests.fakes.activity import ActivityHome, jpeg
from tests.fakes.clock import START_MS, FakeClock

SPAN_DAYS = 40
CHILD = """
import sys
from pathlib import Path
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock
home = ActivityHome(Path(sys.argv[1]), FakeClock(int(sys.argv[2])), secret=bytes(range(32)))
print("ready", flush=True)
home.retention.run()
home.close()
"""


def fill(home: ActivityHome, sources: list[Path], count: int) -> None:
    """Frames with real pictures and made-up texts, oldest first, the last one now."""
    maker, seen = TextMaker(5), {}
    for number in range(count):
        source = sources[number % len(sources)]
        if source not in seen:
            with Image.open(source) as image:
                rgb = np.asarray(image.convert("RGB"))
            bgra = np.dstack([rgb[..., ::-1], np.full(rgb.shape[:2], 255, np.uint8)])
            seen[source] = encode(np.ascontiguousarray(bgra), 2_560, 70)
        made = seen[source]
        home.clock.set_wall(START_MS - (count - 1 - number) * SPAN_DAYS * DAY_MS // count)
        picture = NewPicture(made.jpeg, made.width, made.height, 70, f"{number:032x}", f"{number:016x}", jpeg(number))
        frame_id = home.keep(f"page {number}", picture=picture)
        home.read(frame_id, *maker.lines(number), f"rareword{number % 50}x")
    home.clock.set_wall(START_MS)


def print_of_texts(home: ActivityHome) -> str:
    """One hash over all texts."""
    with home.db.read() as r:
        rows = r.query("SELECT frame_id, text FROM frame_text ORDER BY frame_id")
    digest = hashlib.blake2b(digest_size=8)
    for row in rows:
        digest.update(f"{row.int('frame_id')}:{row.text('text')}\n".encode())
    return f"{len(rows)} texts {digest.hexdigest()}"


def found(home: ActivityHome) -> list[list[int]]:
    """What fifty searches find."""
    return [home.found(f"rareword{word}x", limit=500) for word in range(50)]


def tiers(home: ActivityHome) -> dict[str, tuple[int, int]]:
    """Tier → (live pictures, bytes)."""
    with home.db.read() as r:
        return {tier: (each.pictures, each.bytes) for tier, each in use(r, MAX_FAULTS).tiers.items()}


def kill_now_and_then(folder: Path, kills: int, at_ms: int) -> int:
    """Age in a child that is killed at random moments, then in one that is not; returns how many kills hit it."""
    chance, hit = random.Random(3), 0
    for number in range(kills + 1):
        command = [sys.executable, "-c", CHILD, str(folder), str(at_ms)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.readline()
            if number < kills:
                time.sleep(chance.uniform(0.05, 4.0))
                hit += child.poll() is None
                child.kill()
            child.wait()
    return hit


def check(home: ActivityHome) -> Counter[str]:
    """Every live row has one readable file of its size, and there is no other file."""
    said: Counter[str] = Counter()
    with home.db.read() as r:
        rows = r.query("SELECT path, width, height, state FROM pictures WHERE state <> 'gone'")
    on_disk = set(home.pictures_on_disk())
    for row in rows:
        path = row.text("path")
        on_disk.discard(path)
        whole = row.text("state") == "live" and is_whole(home.files.read(path), row.int("width"), row.int("height"))
        said["whole" if whole else row.text("state")] += 1
    said["files without a row"] = len(on_disk)
    return said


def run(folder: Path, sources: list[Path], count: int, kills: int) -> None:
    home = ActivityHome(folder, FakeClock(), secret=bytes(range(32)))
    began = time.monotonic()
    fill(home, sources, count)
    print(f"{count} pictures made in {time.monotonic() - began:.0f} s")
    home.retention.run()
    due = home.retention.preview()
    print(f"preview: {due.shrink} smaller, {due.by_age} by age")
    home.retention.agree_now()
    before, texts, hits = tiers(home), print_of_texts(home), found(home)
    forecast = home.timeline.storage().forecast_bytes
    home.close()
    began = time.monotonic()
    hit = kill_now_and_then(folder, kills, START_MS + 1_000)
    took = time.monotonic() - began
    again = ActivityHome(folder, FakeClock(START_MS + 200_000), secret=bytes(range(32)))
    again.clock.set_wall(int(time.time() * 1000) + 120_000)  # files are as old as the sweep wants them
    recovered = recover(again.db, again.files, again.deletes, again.clock)
    again.clock.set_wall(START_MS + 2_000)
    left = again.retention.run()
    after = tiers(again)
    print(f"{'tier':10} {'before':>24} {'after':>24}")
    for tier in before:
        print(f"{tier:10} {before[tier][0]:8,} {before[tier][1]:15,} {after[tier][0]:8,} {after[tier][1]:15,}")
    print(f"{'all':10} {sum(n for n, _ in before.values()):8,} {sum(b for _, b in before.values()):15,} ", end="")
    print(f"{sum(n for n, _ in after.values()):8,} {sum(b for _, b in after.values()):15,}")
    print(f"killed {hit} times, {took:.0f} s with all starts, {recovered.orphans_removed} half-way files swept")
    print(f"left to do afterwards: {left.rewrites}, {left.by_age} deletes; files: {dict(check(again))}")
    print("texts the same:", texts == print_of_texts(again), "searches the same:", hits == found(again))
    print("index whole:", again.index_is_whole(), f"forecast {forecast:,} bytes")
    again.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=Path, required=True, help="folder of screen shots")
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--kills", type=int, default=8)
    asked = parser.parse_args()
    sources = sorted(path for path in asked.pictures.rglob("*") if path.suffix.lower() in (".png", ".jpg", ".jpeg"))
    with tempfile.TemporaryDirectory() as folder:
        run(Path(folder) / "data", sources, asked.count, asked.kills)


if __name__ == "__main__":
    main()
