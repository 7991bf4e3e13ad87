"""Passwords on command lines: `mysql -pVALUE`, `sshpass -p VALUE`, `curl -u user:VALUE` (spec 02 §8, type
`password`)."""

import re
from collections.abc import Iterator

from biny_desktop.redaction.finding import Find, compiled
from biny_desktop.redaction.placeholders import is_placeholder
from biny_desktop.redaction.view import View

_VALUE = r"(?:\"(?P<a>[^\"\n\x01]+)\"|'(?P<b>[^'\n\x01]+)'|(?P<c>[^\s\"'\x01][^\s\x01]*))"
_GLUED = r"(?:mysql\w*|mariadb[\w\-]*|mysqladmin|mysqldump|7za?|unrar|rar|mongo(?:sh|dump|restore)?|sshpass|ldap\w+)"
_SPACED = (
    r"(?:sshpass|docker login|podman login|mongo(?:sh|dump|restore)?|ccmpass|az login|keytool|openconnect"
    r"|htpasswd -\w*b\w*)"
)

_RULES = (
    (("sql", "marla", "7z", "rar", "mongo", "sshpa"), rf"\b{_GLUED}\b[^\n|]{{0,160}}? -p(?![a-z]+\b(?:=| )){_VALUE}"),
    (("sshpa", "logln", "mongo"), rf"\b{_SPACED}\b(?:[^\n|]{{0,160}}? |(?<=sshpass))-p[ =]{_VALUE}"),
    (("curl", "wget", "http"),
    r"\b(?:curl|wget|https?)\b(?:[^\n|]{0,300}? |(?<=curl)|(?<=wget))"
     r"(?:-u|--user|-a|--proxy-user)[ =]?[\"']?[^\s:\"'/]{1,64}:(?!//)"
     + _VALUE),
    (("redls",), rf"\bredis-cli\b[^\n|]{{0,160}}? -a {_VALUE}"),
    (("pllnk", "putty", "pscp", "wlnscp"), rf"\b(?:plink|putty|pscp|psftp|winscp)\b[^\n|]{{0,160}}? -pw {_VALUE}"),
    (("openssl", "opensst", "pass:"), rf"\bpass:{_VALUE}"),
    (("sql",), rf"\b(?:sqlcmd|bcp|isql)\b[^\n|]{{0,160}}? -P ?{_VALUE}"),
    (("smb", "net use"), rf"\b(?:smbclient|rpcclient)\b[^\n|]{{0,160}}? -U [\"']?[^\s%]{{1,40}}%{_VALUE}"),
    (("net user",), rf"\bnet user [\w.\-]{{1,40}} {_VALUE}"),
    (("zlp",), rf"\b(?:un)?zip\b[^\n|]{{0,160}}? -P ?{_VALUE}"),
    (("openssl",), rf"\bopenssl\b[^\n|]{{0,160}}? -k {_VALUE}"),
    (("useradd", "usermod"), rf"\buser(?:add|mod)\b[^\n|]{{0,160}}? (?:-p|--password)[ =]{_VALUE}"),
    (("net use",), rf"\bnet use\b[^\n|]{{0,120}}? /user:\S{{1,60}} {_VALUE}"),
    (("lftp",), rf"\blftp\b[^\n|]{{0,120}}? -u [^\s,]{{1,60}},{_VALUE}"),
    (("sudo",), rf"\becho (?:-n )?{_VALUE} ?\| ?sudo\b[^\n]{{0,20}}? -S\b"),
    (("ldentlfled by",), rf"\bidentified (?:with \w+ )?by (?=[\"']){_VALUE}"),
)  # fmt: skip


def find(view: View) -> Iterator[Find]:
    """All passwords given as arguments."""
    for hints, pattern in _RULES:
        if not any(hint in view.fold for hint in hints):
            continue
        for found in compiled(pattern, re.IGNORECASE if "-P " not in pattern else 0).finditer(view.text):
            group = next(name for name in "abc" if found[name] is not None)
            value, start = found[group], found.start(group)
            bare = value.rstrip("'\",;)") if group == "c" else value
            if len(bare) >= 3 and not is_placeholder(bare) and not bare.startswith("-"):
                yield Find(start, start + len(bare), "password")
