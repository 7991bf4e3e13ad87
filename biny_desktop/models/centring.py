"""Two-sided centring: vectors of stored texts and of questions minus the mean of their own side and script group.

Raw cosines of e5 models are squeezed (unrelated pairs: median 0.82); one mean for both sides makes it worse than none
(spec 01, Similarity). For the group of a text a Han, kana or hangul character counts as much as a word of other
letters: Chinese with Latin names in it lies by 0.1–0.17 nearer to the mean of Chinese than to that of English (12 of 12
measured), although most of its letters are Latin.
"""

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from biny_desktop.models.model import Script, Vectors
from biny_desktop.models.quantise import unit
from biny_desktop.storage.rows import dump_json

Side = Literal["passage", "question"]
Group = tuple[Side, Script]
GROUPS: Final[tuple[Group, ...]] = (
    ("passage", "cjk"), ("passage", "other"), ("question", "cjk"), ("question", "other"),
)  # fmt: skip
OWN_MIN: Final = 20
"""Texts of a kind and group from which their own mean is used instead of that of the reference texts (spec 01)."""
QUESTIONS_MAX: Final = 500
"""Newest questions of a group whose mean is taken (spec 01)."""
MOVED: Final = 0.02
"""Length by which a mean has to have moved for vectors to be centred anew (spec 01)."""
Mean = npt.NDArray[np.float32]

_CJK = re.compile(
    "[\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f"
    "\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff]"
)
_WORD = re.compile(r"[^\W\d_]+")


def script_of(text: str) -> Script:
    """`cjk` when it has as many Han, kana and hangul characters as words of other letters, else `other`."""
    rest, cjk = _CJK.subn(" ", text)
    return "cjk" if cjk and cjk >= len(_WORD.findall(rest)) else "other"


def name_of(group: Group) -> str:
    """As the calibration keeps it and the inspector shows it: `passage/cjk`."""
    return "/".join(group)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The means of both sides and script groups; `own` those that come from the store itself."""

    means: Mapping[Group, Mean]
    own: frozenset[Group] = frozenset()

    @property
    def id(self) -> str:
        """16 hexadecimal digits that name these means."""
        parts = b"".join(name_of(group).encode() + self._bytes(group) for group in GROUPS)
        return hashlib.blake2b(parts, digest_size=8).hexdigest()

    @property
    def dims(self) -> int:
        """Length of each mean."""
        return len(self.means[GROUPS[0]])

    def _bytes(self, group: Group) -> bytes:
        return np.asarray(self.means[group], "<f4").tobytes()

    def to_json(self) -> str:
        """For a column."""
        return dump_json({
            name_of(group): {"own": group in self.own, "mean": base64.b64encode(self._bytes(group)).decode()}
            for group in GROUPS
        })  # fmt: skip

    def passages(self, raw: Vectors, scripts: Sequence[Script]) -> Vectors:
        """Centred unit vectors of stored texts, from their raw ones (n × dims) and groups."""
        which = np.array([script == "cjk" for script in scripts], np.bool_)
        means = np.where(which[:, None], self.means["passage", "cjk"], self.means["passage", "other"])
        return unit(np.asarray(raw - means, np.float32))

    def questions(self, raw: Vectors, script: Script) -> Vectors:
        """Centred unit vectors of questions of one group, n × dims."""
        return unit(raw - self.means["question", script])

    def moved_from(self, other: "Calibration", side: Side) -> bool:
        """Whether a side has other means than there: one went further than `MOVED`, or became the store's own."""
        groups = [group for group in GROUPS if group[0] == side]
        far = max(float(np.linalg.norm(self.means[group] - other.means[group])) for group in groups)
        return far > MOVED or any((group in self.own) != (group in other.own) for group in groups)

    def taking(self, side: Side, other: "Calibration") -> "Calibration":
        """These means, but one side's from there."""
        means = {group: (other if group[0] == side else self).means[group] for group in GROUPS}
        own = {group for group in GROUPS if group in (other if group[0] == side else self).own}
        return Calibration(means, frozenset(own))


def from_json(text: str) -> Calibration | None:
    """What `to_json` wrote; None when it is damaged."""
    try:
        kept = json.loads(text)
        means = {group: np.frombuffer(base64.b64decode(kept[name_of(group)]["mean"]), "<f4") for group in GROUPS}
        own = frozenset(group for group in GROUPS if kept[name_of(group)]["own"])
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
    if len({len(mean) for mean in means.values()}) != 1:
        return None
    return Calibration({group: np.asarray(mean, np.float32) for group, mean in means.items()}, own)
