"""A home with N frames for benches: `python -m tests.bench.make_home --home DIR --rows N [--plain] [--pictures]`.

Texts are synthetic (English and Chinese, seeded, word frequencies as in real text), written by the product's own store
functions in large transactions. Without `--pictures` the picture files count as deleted by age.
"""

import argparse
import random
import time
from pathlib import Path

from biny_desktop.activity import event_store, frame_store, picture_store, read_store
from biny_desktop.activity.index import FRAME_INDEX, fields_of, prepare_index
from biny_desktop.activity.safe_fields import SafeWindow
from biny_desktop.core.clock import Stamp
from biny_desktop.core.text import RedactedText
from biny_desktop.core.tiles import TileMask
from biny_desktop.storage.database import Database, Writer, open_database
from biny_desktop.storage.folders import prepare, resolve
from biny_desktop.storage.keys import Key, obtain
from biny_desktop.storage.migrate import migrate
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.rows import dump_json
from tests.fakes.activity import jpeg

BATCH = 5_000
END_MS = 1_780_000_000_000
STEP_MS = 17_000
COMMON = [
    "the",
    "of",
    "and",
    "to",
    "a",
    "in",
    "is",
    "it",
    "you",
    "that",
    "he",
    "was",
    "for",
    "on",
    "are",
    "with",
    "as",
    "his",
    "they",
    "be",
    "at",
    "one",
    "have",
    "this",
    "from",
    "or",
    "had",
    "by",
    "hot",
    "but",
    "some",
    "what",
    "there",
    "we",
    "can",
    "out",
    "other",
    "were",
    "all",
    "your",
    "when",
    "up",
    "use",
    "word",
    "how",
    "said",
    "an",
    "each",
    "she",
    "which",
    "do",
    "their",
    "time",
    "if",
    "will",
    "way",
    "about",
    "many",
]
SYLLABLES = "ba ce di fo gu ha ki lo mu ne pa qui ro sta ti vex wo ya zu".split()  # noqa: SIM905
HAN = (
    "的一是不了人我在有他这中大来上个国和也子时道说出得要于就下可你年生自会那后能对着事其里所去行过家十用发天如然作"
    "方成者多日都三小军二无同么经法当起与好看学进种将还分此心前面又定见只主没公从"
)
APPS = (
    ("code", "Visual Studio Code"), ("org.mozilla.firefox", "Firefox"), ("terminal", "Terminal"), ("mail", "Mail"),
    ("com.tencent.wechat", "微信"), ("calc", "Sheets"), ("slack", "Slack"), ("notes", "Notes"), ("zoom", "Zoom"),
)  # fmt: skip
TRIGGERS = ("click", "typing_pause", "app_switch", "visual_change", "manual")
RARE_EVERY = 997
"""Every 997th frame holds the word `rarewordN` and the characters 罕见词."""


class NoKeyring:
    """Makes `obtain` put the key in a file."""

    def get(self, user: str) -> str | None:
        raise OSError(user)

    def set(self, user: str, secret: str) -> None:
        raise OSError(user)

    def forget(self, user: str) -> None:
        raise OSError(user)


class TextMaker:
    """Seeded lines of text with word frequencies that fall like those of real text."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        made = ["".join(self._random.choices(SYLLABLES, k=self._random.randint(2, 4))) for _ in range(30_000)]
        self._words = COMMON + made
        self._weights = [1 / (rank + 5) for rank in range(len(self._words))]
        self._han_weights = [1 / (rank + 3) for rank in range(len(HAN))]
        self._pool = self._random.choices(self._words, self._weights, k=200_000)
        self._han = "".join(self._random.choices(HAN, self._han_weights, k=200_000))

    def lines(self, number: int) -> list[str]:
        """About 12 lines: 60 English words and 60 Chinese characters."""
        out = []
        for place in range(12):
            if place % 3 == 2:
                start = self._random.randrange(len(self._han) - 20)
                out.append(self._han[start : start + 15])
            else:
                start = self._random.randrange(len(self._pool) - 8)
                out.append(" ".join(self._pool[start : start + 8]))
        if number % RARE_EVERY == 0:
            out.append(f"rareword{number} 罕见词")
        return out


def make_home(home: Path, rows: int, *, plain: bool = False, pictures: bool = False, seed: int = 7) -> Path:
    """Fill a new home; returns the database file. `pictures` writes a small file and thumbnail for every frame."""
    folders = prepare(resolve(home))
    key: Key = obtain(folders, NoKeyring(), encrypt_new=not plain)
    db = open_database(folders.database_file, key.secret)
    migrate(db)
    prepare_index(db)
    files = PictureFiles(folders.pictures, key.secret) if pictures else None
    fill(db, files, rows, seed)
    db.close()
    return folders.database_file


def fill(db: Database, files: PictureFiles | None, rows: int, seed: int) -> None:
    """Write the rows in transactions of 5,000."""
    maker, chance = TextMaker(seed), random.Random(seed + 1)
    small, thumb = jpeg(1, (640, 360)), jpeg(1, (160, 90))
    for start in range(0, rows, BATCH):
        with db.write() as w:
            ids = []
            for number in range(start, min(rows, start + BATCH)):
                at = END_MS - (rows - number) * STEP_MS
                path = (
                    files.write(small, at, f"{number:012x}").path if files else f"2026-01-01/000000-{number:012x}.jpg"
                )
                picture = picture_store.PictureRow(
                    path, len(small), 640, 360, 70, False, "0", "0", "0", thumb if files else b"", "M1", at
                )
                ids.append(_frame(w, maker, chance, number, at, picture_store.insert_picture(w, picture)))
            if files is None:
                w.run("UPDATE pictures SET state = 'gone', tier = 'gone', thumb = NULL WHERE state = 'live'")
            for frame_id, fields in fields_of(w, ids).items():
                FRAME_INDEX.add(w, frame_id, fields)


def _frame(w: Writer, maker: TextMaker, chance: random.Random, number: int, at: int, picture_id: int) -> int:
    stamp = Stamp(at, "UTC", at - 1_000_000_000_000, "boot")
    app_id, app_name = APPS[min(int(chance.expovariate(0.6)), len(APPS) - 1)]
    lines = maker.lines(number)
    window = SafeWindow(RedactedText(app_id), RedactedText(app_name), RedactedText(f"{lines[0]} – {app_name}"), None)
    tiles = TileMask.for_picture(1920, 1080, 60)
    row = frame_store.NewRow(
        stamp, TRIGGERS[number % len(TRIGGERS)], "M1", 1.0, window, 100, 3, 1, picture_id, None, (1920, 1080), tiles,
        "parts", (), "done", False, dump_json({"trigger": "click", "parts": 3, "grab_ms": 21, "compare_ms": 4}),
    )  # fmt: skip
    frame_id = frame_store.insert_frame(w, row)
    placed, start = [], 0
    for place, line in enumerate(lines):
        placed.append({"box": [10, 20 * place, 300, 16], "start": start, "end": start + len(line)})
        start += len(line) + 1
    text = RedactedText("\n".join(lines))
    read_store.put_text(w, read_store.NewText(frame_id, text, dump_json(placed), "made", 12, 0, 400, at))
    if number % 4 == 0:
        event = event_store.NewEvent(stamp, "skip", "same_exact", 2, at + 2_000, None, None, None, "{}")
        event_store.insert_event(w, event)
    return frame_id


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--plain", action="store_true", help="no encryption")
    parser.add_argument("--pictures", action="store_true", help="write a small picture file for every frame")
    asked = parser.parse_args()
    began = time.monotonic()
    file = make_home(asked.home, asked.rows, plain=asked.plain, pictures=asked.pictures)
    print(f"{asked.rows} frames in {time.monotonic() - began:.0f} s, {file.stat().st_size / 1e6:.0f} MB: {file}")


if __name__ == "__main__":
    main()
