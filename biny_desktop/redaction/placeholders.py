"""Values that are no secret: gaps to fill in, masks, names of variables, code (spec 02 §8, check of `password`)."""

import re

from biny_desktop.redaction.finding import is_mask

_TEMPLATE = re.compile(
    r"\$\{.*|\$\(.*|\{\{.*|\{[\w.]*\}|\$[A-Z_][A-Z0-9_]*|\$[a-z_]+|%\w+%|%\(?\w+\)?s?|<[A-Za-z_ ].*|\[[\w \-]+\]?|\*+"
    r"|&[lg]t;.*|@\w+@|:\w+|!\w+ .*|#\{.*"
)
_WORD_LIST = (
    "null none nil undefined true false empty unset required optional yes no on off hidden redacted masked secret "
    "password passwort kennwort passwd pwd pass passphrase token string str text bytes bool boolean int integer "
    "number char varchar any object input value default example placeholder changed incorrect wrong invalid weak "
    "strong expired missing todo tbd n/a na xxx pflichtfeld erforderlich falsch vergessen obligatoire incorrecto "
    "requerido obrigatoria secretstr optional[str] str|none self this read getpass enabled disabled ok failed "
    "success show hide forgot reset change login"
)
_WORDS = frozenset(_WORD_LIST.split())
_FILL_IN = re.compile(
    r"(?:your|my|the|dein|ihr|tu|votre|enter|insert|type)[_\-. ].*|.*[_\-]here|x{3,}|\.{3,}", re.IGNORECASE
)
_CODE = re.compile(
    r"[A-Za-z_]+(?:\.\w+)*(?:\(|\[[\"'\w:\-])|"
    r"(?:self|this|config|settings|os|process|request|req|args|opts|options|params|env|ctx|cfg|props|secrets|vault"
    r"|var|local|module"
    r"|data|form|user|values|state|event|kwargs|app|current_app|flask|django|import"
    r"|meta)\.[A-Za-z_]\w*(?:\.\w+)*[,;)]*$"
)
_NAME = re.compile(
    r"[A-Za-z_]*(?:password|passwd|passphrase|pass|secret|token|api_?key|pwd|pw)(?:_?[A-Za-z]+)?[,;)]*", re.IGNORECASE
)


def is_placeholder(value: str) -> bool:
    """Whether the value stands for a secret without being one."""
    bare = value.strip(" \"'`,;:.()[]{}?!")
    if len(bare) < 1 or is_mask(bare) or _TEMPLATE.fullmatch(value.strip(" \"'`,;")) is not None:
        return True
    return bare.lower() in _WORDS or _FILL_IN.fullmatch(bare) is not None


def is_code(value: str) -> bool:
    """Whether an unquoted value is an expression: a call, an index, a known object's field, a variable's name."""
    return bool(_CODE.match(value.lstrip("(")) or _NAME.fullmatch(value))
