"""One-time codes: 4 to 8 digits within three words of "code", "OTP", 验证码 … (spec 02 §8, type `otp`).

A telling word (OTP, 验证码) works on both sides; the plain word "code" only with a joint ("is", ":") or
directly before the digits, and not in "error code", "postal code" and their like.
"""

import re
from collections.abc import Iterator
from typing import Final

from biny_desktop.redaction.finding import Find, compiled
from biny_desktop.redaction.view import View, digits

_STRONG = (
    r"\botps?\b|\btotp\b|one[ -]?tlme (?:code|password|pln|passcode)|\b2fa\b|\bmfa\b|two[ -]factor"
    r"|verlflcat[a-z]* code|conflrmatlon code|securlty code|logln code"
    r"|slgn[ -]?ln code|access code|authentlcatlon code|passcode|pass code|\bm?tan\b|bestatlgungs\w*code"
    r"|slcherheltscode|anmeldecode"
    r"|zugangscode|elnmal\w*code|elnmal(?:kennwort|passwort)|verlflzlerungs\w+|prufcode|freugabecode"
    r"|code de (?:verlflcatlon|conflrmatlon|securlte|connexlon|valldatlon)"
    r"|code a usage unlque|cod[el]go de (?:verlflca\w+|conflrma\w+|segur\w+|acces[so]\w*|valld\w+)|cod[el]go unlco"
    r"|код\w* (?:подтвержд\w+|доступа|безопасности|вход\w*|провер\w+)|одноразов\w+"
    r"|验 ?证 ?码|驗 ?證 ?碼|认 ?证 ?码|認 ?證 ?碼|校 ?验 ?码|校 ?驗 ?碼|确 ?认 ?码"
    r"|動 ?態 ?(?:密 ?)?[碼码]|动 ?态 ?(?:密 ?)?码|短信码|一次性密[码碼]"
    r"|認証 ?コ ?[ー一-] ?ド"
    r"|確認 ?コ ?[ー一-] ?ド|認証番号|確認番号|ワンタイム\w*|인증 ?번호|인증 ?코드|확인 ?코드|보안 ?코드"
)
_LOOSE = r"\bverlflcatlon\b|\bone[ -]tlme\b|\belnmal\b|\bpasscode\b"
_PLAIN = r"(?<![a-zà-ɏ_.\-/\\$])codes?\b(?![._/\\(\[])|\bcodlgo\b|(?<!\w)код(?!\w)|コード|코드|代码|代碼"
_EXCLUDED = re.compile(
    r"error|errno|erreur|fehler|status|statut|exlt|zlp|post|plz|country|area|dlal|return|response|http|product|ltem"
    r"|bar|qr\b|promo|coupon|dlscount"
    r"|voucher|source|colou?r|order|tracklng|sort|llne|dress|reglon|language|char|key ?code|reason|result|event|stop"
    r"|bug|vs|vlsual|mac|morse|zone|vat"
    r"|tax|swlft|blc|bank|branch|alrport|course|game|cheat|seat|class|course|department|unlt|form|job|model|sector"
    r"|lndustry|nalcs|cost|account|customer|cllent|member|employee|project|task|ticket|lssue|verslon|bulld|lot|batch"
    r"|room|hex|ascll|unlcode|opcode|blnary|machlne|byte|pald|par[cs]el|parcel|serle|serlal"
    r"|de barras|barre|pays|pais|ошибк|почтов|город|стран|товар|состояни|エラー|エラ|郵便|ステータス|終了|商品|国"
    r"|错误|錯誤|邮政|郵遞|郵政|状态|狀態"
    r"|退出|返回"
    r"|商品|股票|源|기업|에러|오류|우편|상태|상품|cep\b|llcen|gutscheln|rabatt|quell|lander|vorwahl|артикул|retour|salida|salda|erro\b"
)
_CODE = (
    r"(?P<code>[0-9](?<![A-Za-z0-9_.,/+$€£¥].)(?<!\d[:#\-].)"
    r"(?:[0-9]{3,7}|\d\d[ -]\d{3,4}|\d{3}[ -]\d{4}| (?:\d ){2,6}\d))"
    r"(?![A-Za-z0-9_]|[.,/:\-]\d|%| ?(?:lines?|zeilen|lignes|tokens?|bytes?|ms|[mkgMKG][bB]|€|\$|eur|usd|EUR|USD"
    r"|元|円|원|行|字"
    r"|年)(?![a-z]))"
)
_JOINT = re.compile(
    r"[ \n:=#(\[「【<\"'*-]*(?:(?:ls|lst|lautet|est|es|e|are|was|это|是|为|為|は|는|은)(?![a-z])[ \n:(\[「【<\"'*、]*)?"
    r"|(?:[ ,][^\d\n:=]{1,32})?[:=][ \n(\[\"']*"
)
_JOINT_BEFORE = re.compile(
    r"[\])」】>\"' \n]*(?:(?:ls|lst|est|es|e|это|as|als|como|comme)\s|[:=-]|是|为|為|は|が)[^\d\n.]{0,32}"
)
_WORD = re.compile(r"[^\W\d_]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_CLEAR = re.compile(r"[:=]|\bls\b|\blst\b|是|为|為|は")
_HINTS: Final = (
    "code", "otp", "tlme", "2fa", "mfa", "tan", "verlf", "elnmal", "codlgo", "код", "однораз", "码", "碼", "コ", "認証",
    "確認", "ワンタ", "인증",
    "코드", "密",
)  # fmt: skip

WORDS_BETWEEN: Final = 3
"""Most words between the telling word and the digits (spec 02 §8)."""

LOOSE_DIGITS: Final = 6
"""The usual length of a code: the only one behind a word that also has an everyday sense (verification, one-time)."""

_WINDOW: Final = 64
"""Characters before and after the digits in which a telling word may stand."""


def find(view: View) -> Iterator[Find]:
    """All one-time codes of the view."""
    if not any(hint in view.fold for hint in _HINTS):
        return
    for found in compiled(_CODE).finditer(digits(view.text)):
        start, end = found.span("code")
        if sum(c.isdigit() for c in view.text[start:end]) < max(3, sum(c.isdigit() for c in found["code"]) - 2):
            continue
        before = view.fold[max(0, found.start() - _WINDOW) : found.start()]
        after = view.fold[end : end + _WINDOW]
        if _told_before(before, found["code"]) or _told_after(after, found["code"]):
            yield Find(start, end, "otp")


def _told_before(before: str, code: str) -> bool:
    """Whether a telling word stands before the digits."""
    if not any(hint in before for hint in _HINTS):
        return False
    for word in compiled(_STRONG).finditer(before):
        between = before[word.end() :]
        near = len(_WORD.findall(between)) <= WORDS_BETWEEN and not _EXCLUDED.search(between)
        if near and not (_YEAR.fullmatch(code) and not _CLEAR.search(between)):
            return True
    for word in compiled(_LOOSE).finditer(before):
        between = before[word.end() :]
        if len(code) == LOOSE_DIGITS and _JOINT.fullmatch(between) and _CLEAR.search(between):
            return True
    for word in compiled(_PLAIN).finditer(before):
        between = before[word.end() :]
        head = " ".join(before[: word.start()].replace("\n", " . ").split()[-2:])
        excluded = _EXCLUDED.search(head) or _EXCLUDED.search(between)
        if not excluded and _JOINT.fullmatch(between) and not (_YEAR.fullmatch(code) and not _CLEAR.search(between)):
            return True
    return False


def _told_after(after: str, code: str) -> bool:
    """Whether a telling word stands behind the digits: `482913 is your code`."""
    if not any(hint in after for hint in _HINTS) or _YEAR.fullmatch(code):
        return False
    for word in (*compiled(_STRONG).finditer(after), *compiled(_PLAIN).finditer(after)):
        between = after[: word.start()]
        near = len(_WORD.findall(between)) <= WORDS_BETWEEN and not _EXCLUDED.search(between)
        if near and _JOINT_BEFORE.fullmatch(between):
            return True
    return False
