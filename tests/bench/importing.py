"""Import of a large ChatGPT export into a fresh home: `python -m tests.bench.importing [--mb 200] [--json]`.

`peak_mb` the highest resident memory of the process that reads, redacts and writes (target 500, spec 05 §12),
`base_mb` what it has before it reads, `seconds` of the import, `preview_seconds` of the preview before it, `messages`
that came in, `again` of the same import a second time (0), `longest_silence_s` between two words of progress.

The file has chats of 4 to 60 messages, a tenth of them with versions, and one chat of 5 MB; a third of the text is
Chinese.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from tests.bench.messages import EVERYDAY

TARGET_MB = 500
MB = 1 << 20
LONG_CHAT = 5 * MB
START_S = 1_700_000_000


def words(chance: random.Random, n: int) -> str:
    """So many words, half of them everyday ones; now and then Chinese, a number or an address."""
    out = []
    for _ in range(n):
        kind = chance.random()
        if kind < 0.5:
            out.append(chance.choice(EVERYDAY))
        elif kind < 0.97:
            out.append(f"word{chance.randrange(20_000)}")
        elif kind < 0.99:
            out.append(str(chance.randrange(100_000)))
        else:
            out.append(f"https://example.org/{chance.randrange(999)}")
    return " ".join(out)


def conversation(chance: random.Random, n: int, size: int) -> dict[str, object]:
    """A chat of about `size` bytes, as the export has it."""
    mapping: dict[str, object] = {f"{n}-root": {"id": f"{n}-root", "parent": None, "message": None}}
    parent, at, length, count = f"{n}-root", START_S + n * 5_000, 0, 0
    while length < size:
        role = "assistant" if count % 2 else "user"
        text = words(chance, chance.randint(20, 400) if count % 2 else chance.randint(4, 40))
        name = f"{n}-{count}"
        message = {
            "author": {"role": role}, "create_time": at + count + 0.5, "weight": 1.0, "recipient": "all",
            "content": {"content_type": "text", "parts": [text]}, "metadata": {"model_slug": "gpt"}, "status": "done",
        }  # fmt: skip
        mapping[name] = {"id": name, "parent": parent, "children": [], "message": message}
        if count % 2 and chance.random() < 0.05:
            mapping[f"{name}b"] = {"id": f"{name}b", "parent": parent, "children": [], "message": message}
        parent, length, count = name, length + len(text.encode()), count + 1
    return {
        "conversation_id": f"c{n}", "title": words(chance, 4), "create_time": at, "mapping": mapping,
        "current_node": parent,
    }  # fmt: skip


def write(file: IO[str], size: int) -> int:
    """An export of about `size` bytes; returns how many."""
    chance = random.Random(7)
    file.write("[")
    done = n = 0
    while done < size:
        wanted = LONG_CHAT if n == 3 else chance.randint(4, 60) * 700
        text = json.dumps(conversation(chance, n, min(wanted, size)), ensure_ascii=n % 2 == 0)
        file.write((", " if n else "") + text)
        done += len(text.encode())
        n += 1
    file.write("]")
    return done


def measure(path: Path, folder: Path) -> dict[str, object]:
    """Import a file, in this process."""
    from biny_desktop.storage.progress import Progress, Watch
    from tests.fakes.import_home import import_home

    told: list[float] = []
    silence = [0.0]

    def tell(_progress: Progress) -> None:
        now = time.perf_counter()
        silence[0] = max(silence[0], now - told[-1]) if told else 0.0
        told[:] = [now]

    with import_home(folder) as home:
        plan = home.imports.plan(path)
        base = peak_mb()
        began = time.perf_counter()
        home.imports.preview(plan)
        previewed = time.perf_counter()
        report = home.imports.apply(plan, watch=Watch(tell))
        ended = time.perf_counter()
        again = home.imports.apply(plan)
    return {
        "peak_mb": round(peak_mb(), 1), "target_mb": TARGET_MB, "base_mb": round(base, 1),
        "seconds": round(ended - previewed, 1), "preview_seconds": round(previewed - began, 1),
        "messages": report.counts.messages_new, "sessions": report.counts.sessions_new,
        "again": again.counts.messages_new, "longest_silence_s": round(silence[0], 2),
    }  # fmt: skip


def peak_mb() -> float:
    """The highest resident memory of this process so far."""
    kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kib / (1024 * 1024 if sys.platform == "darwin" else 1024)


def run(mb: int) -> dict[str, object]:
    """Make a file and import it in a process of its own."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "conversations.json"
        with path.open("w", encoding="utf-8") as file:
            size = write(file, mb * MB)
        asked = [sys.executable, "-m", "tests.bench.importing", "--file", str(path), "--home", name]
        done = subprocess.run(asked, capture_output=True, text=True, check=True)
    found: dict[str, object] = json.loads(done.stdout)
    return {"file_mb": round(size / MB, 1), **found}


def each_line(found: dict[str, object]) -> Iterator[str]:
    """For a person."""
    for name, value in found.items():
        yield f"{name:>20}  {value}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.file is not None:
        print(json.dumps(measure(asked.file, asked.home)))
        return
    found = run(asked.mb)
    print(json.dumps(found) if asked.json else "\n".join(each_line(found)))


if __name__ == "__main__":
    main()
