"""Reading the value behind a label: where it ends, and whether it looks like a secret or like prose."""

import re
from typing import Final, NamedTuple

from biny_desktop.core.text import is_cjk
from biny_desktop.redaction.finding import compiled, goes_on, line_end, looks_random
from biny_desktop.redaction.view import HIDDEN, View

_STOPS = "，；！？、。"
_LONG: Final = 10
"""Least characters of a generated value that may go on behind a gap."""

RUN_MAX: Final = 512
"""Longest unquoted value that is examined; a longer one that is a secret goes on to the end of its run."""

_RUN = rf"[^\s{HIDDEN}]{{1,{RUN_MAX}}}"
_CLOSERS = ",;\"'`)]}>."
_NEXT_FIELD = re.compile(r"[;&,|](?=\"?'?[A-Za-z_][\w \-.]{0,30}\"?'?[=:])")
_FUNCTION_WORD_LIST = "to of the and or in out up on as for a an de la le un und der die per by not"
_FUNCTION_WORDS = frozenset(_FUNCTION_WORD_LIST.split())
_SYMBOLS = re.compile(r"[^\w\s\-'.,;:!?()/]|(?<=\w)[!?:;,](?=\w)")
_TOLD = re.compile(
    r"请|請|输入|輸入|入力|忘|必[填须須要]|错误|錯誤|重置|修改|设置|設定|不[能可正匹符]|至少|长度|변경|입력|분실|재설정|필수|확인|ください|です|ます"
)


class Value(NamedTuple):
    """A value at [start, end) of the view, without quotes; `quoted` when quotes stood round it."""

    start: int
    end: int
    text: str
    quoted: bool


def read_value(view: View, start: int, cjk: bool) -> Value | None:
    """The value that begins at `start`; `cjk` when its label is written without spaces. None when there is none."""
    text = view.text
    prefix = compiled(r"(?:[bruf]{1,2}(?=[\"']))?([\"'`]|\\[\"'])").match(text, start)
    if prefix:
        if text.startswith(prefix.group(1), prefix.end()):
            return None  # an empty string, or the start of a docstring
        quoted = _quoted(text, prefix.end(), prefix.group(1))
        if quoted:
            return quoted
        start = prefix.end()
    digits = compiled(r"\d{2,4}[ \-]\d{2,4}(?![\w\-])").match(text, start)
    if digits:
        return Value(start, digits.end(), digits.group(), quoted=False)
    run = compiled(_RUN).match(text, start)
    if run is None:
        return None
    end = _cut(text, start, run.end(), cjk)
    end = _over_gap(text, start, end)
    while end > start + 1 and text[end - 1] in _CLOSERS and not (text[end - 1] == ">" and text[start] == "<"):
        if text[end - 1] in ")]}" and _opened(text[start:end]):
            break
        end -= 1
    return Value(start, end, text[start:end], quoted=False) if end > start else None


def _quoted(text: str, start: int, mark: str) -> Value | None:
    """The value up to the closing mark, at most one line end away; None when the mark is never closed."""
    close, place = -1, start
    limit = min(line_end(text, line_end(text, start) + 1), start + 400)
    while place < limit:
        close = text.find(mark, place, limit)
        if close < 0:
            return None
        if text[close - 1] != "\\" or mark.startswith("\\") or close - 1 < start:
            break
        place = close + 1
    value = text[start:close] if close >= 0 else ""
    if not value or HIDDEN in value or (value.count("\n") and "  " in value):
        return None
    if "\n" in value and (":" in value or "=" in value or len(value.split()) > 2):
        return None
    return Value(start, close, value, quoted=True)


def _cut(text: str, start: int, end: int, cjk: bool) -> int:
    """Where an unquoted run really ends: before the next field, a Chinese sentence mark, or prose without spaces."""
    field = _NEXT_FIELD.search(text, start + 1, end)
    if field:
        end = field.start()
    for place in range(start, end):
        if text[place] in _STOPS:
            after = text[place + 1 : place + 2]
            if not after or after.isspace() or is_cjk(after):
                return place
    bare = compiled(r"[!-~]{5,}(?=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]{2,}$)").match(text[start:end])
    if bare and not text[start + bare.end() : end].isascii() and (cjk or len(text[start:end]) > bare.end() + 3):
        return start + bare.end()
    tag = text.find("</", start, end)
    return tag if tag > start else end


def _over_gap(text: str, start: int, end: int) -> int:
    """The end after a gap that OCR or a line end made: the value stops in a joint (`Blue-Ferry-` `77`)."""
    gap = compiled(r" ?\n ?| ").match(text, end)
    if gap is None or end - start < 4:
        return end
    tail = compiled(r"[A-Za-z0-9+/=_\-.~%|]+").match(text, gap.end())
    if (
        tail
        and end - start >= _LONG
        and text[end - 1] not in _CLOSERS
        and looks_random(_bare(text[start:end]))
        and goes_on(tail.group())
    ):
        return _over_gap(text, start, tail.end())
    chunk = compiled(_RUN).match(text, gap.end())
    if chunk is None or chunk.group()[0] in "-/<" or compiled(r"[A-Za-z_]+[:=]").match(chunk.group()):
        return end
    joint = text[end - 1] in "-_+@#&/" and chunk.group()[0].isalnum()
    leads = (
        chunk.group()[0] in "+_@#$%&!" and gap.group() == " " and len(chunk.group()) <= 12 and chunk.group()[1:2] != "&"
    )
    return chunk.end() if joint or leads else end


def _bare(text: str) -> str:
    return re.sub(r"[-_/+=.]", "", text)


def _opened(value: str) -> bool:
    """Whether the closing bracket at the end belongs to the value."""
    pair = {")": "(", "]": "[", "}": "{"}[value[-1]]
    return value.count(pair) >= value.count(value[-1])


def is_strong(text: str) -> bool:
    """Whether the value cannot be an everyday word: digits with letters, symbols, inner capitals, or joined words."""
    if len(text) < 4 or text.endswith("%"):
        return False
    letters = any(c.isalpha() for c in text)
    if letters and any(c.isdigit() for c in text):
        return not re.fullmatch(
            r"\d+(?:st|nd|rd|th|ms|kb|mb|gb|px|min|h|days?|-bit|-digit|[x-]\w{1,6})", text, re.IGNORECASE
        )
    if letters and (_SYMBOLS.search(text) or re.search(r"[a-z][A-Z]", text)):
        return True
    parts = [part for part in re.split(r"[-_.]", text) if part]
    return letters and len(parts) >= 3 and not _FUNCTION_WORDS & {part.lower() for part in parts}


def is_prose(view: View, value: Value) -> bool:
    """Whether the value is the first word of a sentence about passwords ("Password: must contain …")."""
    if value.quoted:
        return " " in value.text and len(value.text.split()) > 4
    text = value.text
    if any(is_cjk(c) for c in text) and not re.search(r"[A-Za-z]{2}|\d{3}", text):
        return len(text) > 12 or _TOLD.search(text) is not None
    rest = view.text[value.end : line_end(view.text, value.end)]
    words = rest.split()
    if is_strong(text):
        return False
    if text.isdigit():
        return len(text) < 4 and len(words) >= 2
    if len(words) < 2 or re.search(r"[:=]", " ".join(words[:2])):
        return False
    plain = re.fullmatch(r"[^\W\d_]+(?:['’\-][^\W\d_]+)?", text) is not None
    return plain and re.fullmatch(r"[^\W\d_]+[,.;!?]?|\d{1,3}|-|–", words[0]) is not None
