"""The words that announce a secret, in eleven languages, as they look in the folded text (spec 02 §8, type `password`).

Folded: lower case, no accents, `i`, `1` and `|` are `l`, `0` is `o`, `5` is `s`, `8` is `b`; so `passw0rd` needs no
entry.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from biny_desktop.redaction.finding import compiled
from biny_desktop.redaction.view import View


@dataclass(frozen=True)
class Label:
    """A label found at [start, end); `strength` is `strong`, `weak` (also an everyday word), `pin`, `key` or
    `phrase`."""

    start: int
    end: int
    strength: str
    cjk: bool = False


_STRONG: Final = (
    "password", "passvvord", "passwd", "pass word", "passwort", "kennwort", "passcode", "contrasena", "contrasefia",
    "mot de passe",
    "motdepasse", "senha", "palavra-passe", "palavra passe", "пароль", "парола", "wachtwoord", "haslo", "losenord",
    "slfre",
    "requlrepass", "masterauth",
)  # fmt: skip
_WEAK: Final = ("pass", "clave", "secret", "mdp", "credentlal")
_SHORT: Final = ("pwd", "psk", "pw")
_PHRASE: Final = ("passphrase", "pass phrase", "seed phrase", "recovery phrase", "frase semente", "frase de contrasena")
_KEY: Final = (
    "apl key", "apl_key", "apl-key", "aplkey", "apl.key", "apl-schlussel", "apl schlussel", "clave apl", "clave de apl",
    "cle apl",
    "cle d'apl", "chave apl", "chave de apl", "chave da apl", "ключ apl", "apl-ключ", "apl ключ", "apl 密钥", "apl密钥",
    "apl 密鑰",
    "apl密鑰", "aplキー", "apl キー", "apl 키", "apl키", "secret key", "secret_key", "access key", "access_key",
    "access-key",
    "secret-key", "secretkey", "accesskey", "slgnlng key", "slgnlng_key", "encryptlon key", "encryptlon_key",
    "securlty key", "wlan-schlussel", "wlan schlussel", "wl-fl key", "wlfl key",
    "netzwerkschlussel", "prlvate_key", "密钥", "密鑰", "秘钥", "access token", "access_token", "auth token",
    "auth_token",
    "authtoken",
    "refresh token", "refresh_token", "accesstoken", "refreshtoken", "apl token", "apl_token", "apl-token",
    "secret_token", "token", "ключ доступа",
    "секретный ключ", "秘密鍵", "シークレットキー", "アクセスキー", "トークン", "令牌",
)  # fmt: skip
_PIN: Final = ("pln", "暗証番号", "暗证号码", "geheimzahl", "пин-код", "пин")
_CJK: Final = (
    r"密 ?[码碼](?!学)|口 ?令|[パバハ] ?ス ?ワ ?[ー一\-] ?[ドト]"
    r"|비 ?밀 ?번 ?호|암호|暗 ?証 ?番 ?号|暗 ?码|パスフレーズ|パスコード"
)
_CJK_HINTS: Final = "密口パバハ비암暗"

_ALL: Final = (
    *((word, "strong") for word in _STRONG),
    *((word, "weak") for word in _WEAK),
    *((word, "weak") for word in _SHORT),
    *((word, "phrase") for word in _PHRASE),
    *((word, "key") for word in _KEY),
    *((word, "pin") for word in _PIN),
)
_BOUNDED: Final = frozenset(("pass", "clave", "mdp", "pwd", "psk", "pw", "pln", "пин", "token", "secret"))
"""Words that occur inside others: the character before must not be a letter, unless the case changes there."""

_NOT_BEFORE = re.compile(
    r"(?:boardlng|sk[l]|day|press|bus|season|first|second|mountaln|ftp|band|low|hlgh|by|com)[ \-]?$"
)
_GPIO = re.compile(r"(?:gp[l]o|header|cpu|bowllng|push|safety|drop|rolllng)[ \-]?$")


def find_labels(view: View) -> Iterator[Label]:
    """All labels of the view, in no order; a longer and a shorter word may both be found at one place."""
    for word, strength in _ALL:
        place = view.fold.find(word)
        while place >= 0:
            if word not in _BOUNDED or _stands_alone(view, place, word):
                yield Label(place, place + len(word), strength, cjk=not word[-1].isascii() and ord(word[-1]) > 0x2E00)
            place = view.fold.find(word, place + 1)
    if any(char in view.text for char in _CJK_HINTS):
        for found in compiled(_CJK).finditer(view.text):
            pin = found.group()[0] == "暗"
            yield Label(found.start(), found.end(), "pin" if pin else "strong", cjk=True)


def _stands_alone(view: View, place: int, word: str) -> bool:
    """Whether a short word is a word or a part of a compound name, not the tail of another word."""
    before = view.text[place - 1] if place else " "
    camel = view.text[place].isupper() and before.islower()
    if before.isalpha() and not camel and not (word == "secret" and ord(before) > 0x2E00):
        return False
    head = view.fold[max(0, place - 12) : place]
    if word == "pass":
        return _NOT_BEFORE.search(head) is None
    return word != "pln" or _GPIO.search(head) is None
