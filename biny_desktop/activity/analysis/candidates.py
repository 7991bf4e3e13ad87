"""What of a segment may be offered for remembering: seven checks in order, each refusal with its reason; pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from biny_desktop.activity.analysis.answer import SaidCandidate
from biny_desktop.activity.analysis.checks import one_line, source_ids
from biny_desktop.activity.analysis.material import Material
from biny_desktop.activity.analysis.ports import FactKind
from biny_desktop.activity.claim_check import supported
from biny_desktop.core.text import normalise

CONTENT_MAX, WHY_MAX = 240, 200
"""Characters (spec 03 §3, output)."""
LOOKED_AT: Final = 40
"""Candidates of one answer that are looked at; more is a model that runs on."""
Refusal = Literal["no_kind", "no_source", "not_in_source", "not_from_screen", "narration", "repeat", "over_limit"]
_KINDS: Final[tuple[FactKind, ...]] = get_args(FactKind)
_PERSONAL: Final[frozenset[FactKind]] = frozenset({"user", "feedback"})
# Words that tell what was being done and not what is so; the first list before a word in -ing, the second alone.
_NARRATION: Final = re.compile(
    r"\b(?:is|are|was|were|be|been|being|am|keeps?|kept)\s+(?:currently\s+|now\s+|just\s+|also\s+)?(?:edit|writ|typ|read|"
    r"look|view|brows|watch|work|review|debug|runn|test|open|search|scroll|click|discuss|chat|compar|check|us|prepar|"
    r"fix|commit|install|download|upload|listen|play|switch|navigat|draft|plan)(?:t|p|n|m|g)?ing\b"
    r"|\b(?:clicked|scrolled|typed|opened|closed|switched|navigated|browsed|viewed|looked at|hovered|pasted|copied|"
    r"logged in|visited|watched|searched for|currently|right now|at the moment|this session|in this segment|"
    r"on the screen|screenshot)\b"
    r"|正在|点击了|打开了|关闭了|滚动了|浏览了|查看了|切换到|输入了|目前在|刚刚|本次会话|屏幕上|截图"
    r"|現在編集|クリックし|開いた|見ている|編集中|作業中",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence with its sources (frame ids); `refusal` None when it may be offered."""

    kind: str
    content: str
    why: str
    frame_ids: tuple[int, ...]
    refusal: Refusal | None


def judged(
    said: Sequence[SaidCandidate], material: Material, *, limit: int, personal: bool, known: Iterable[str] = ()
) -> list[Candidate]:
    """All candidates in the order of the answer, each with the first check it fails.

    Args:
        said: of the answer. material: what was sent. limit: how many may pass (`activity.max_candidates`).
        personal: whether what the screen seems to say of the person may pass. known: contents offered before.
    """
    seen = {_key(content) for content in known}
    passed = 0
    out: list[Candidate] = []
    for each in said[:LOOKED_AT]:
        content, ids = one_line(each.content, CONTENT_MAX), source_ids(each.sources, material.sources)
        if not content:
            continue
        refusal = _refusal(each, content, ids, material, personal=personal)
        if refusal is None and _key(content) in seen:
            refusal = "repeat"
        if refusal is None and passed >= limit:
            refusal = "over_limit"
        if refusal is None:
            seen.add(_key(content))
            passed += 1
        frames, why = tuple(int(name[1:]) for name in ids), one_line(each.why, WHY_MAX)
        why = why if supported(why, material.source) else ""
        out.append(Candidate(each.kind.strip().lower(), content, why, frames, refusal))
    return out


def _refusal(
    said: SaidCandidate, content: str, ids: Sequence[str], material: Material, *, personal: bool
) -> Refusal | None:
    if not ids:
        return "no_source"
    if not supported(content, material.source_of(ids)):
        return "not_in_source"
    kind = said.kind.strip().lower()
    if kind in _PERSONAL and not personal:
        return "not_from_screen"
    if kind not in _KINDS:
        return "no_kind"
    return "narration" if _NARRATION.search(content) else None


def _key(content: str) -> str:
    """NFKC, case folded, spaces joined, without the last mark (spec 03 §4.2)."""
    return " ".join(normalise(content).split()).rstrip(".。!！ ")
