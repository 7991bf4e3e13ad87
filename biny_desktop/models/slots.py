"""Which server and model stand in a slot, and what makes an address of a server acceptable."""

import ipaddress
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit, urlunsplit

from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.i18n import mark
from biny_desktop.core.settings import Settings
from biny_desktop.models.model import Slot

URL_MAX: Final = 500
"""Characters, as the settings take them."""
_PORTS: Final = {"http": 80, "https": 443}
_ENDINGS: Final = ("/chat/completions", "/completions", "/models")
"""What people copy along with the address."""


@dataclass(frozen=True, slots=True)
class SlotConfig:
    """A slot that is set: base URL (normalised, without a slash at the end) and the model's name on that server."""

    slot: Slot
    url: str
    model: str

    @property
    def server(self) -> str:
        """Scheme, host and port of the server."""
        return server_of(self.url)


def configured(settings: Settings, slot: Slot) -> SlotConfig | None:
    """What stands in a slot; None if nothing does, or the address is not usable (then `problem` says why)."""
    url, model = _raw(settings, slot)
    if not url or not model:
        return None
    try:
        return SlotConfig(slot, check_url(url), model)
    except InvalidInputError:
        return None


def problem(settings: Settings, slot: Slot) -> InvalidInputError | None:
    """Why a slot with an address in it cannot be used; None if it can, or is not set."""
    url, _ = _raw(settings, slot)
    try:
        if url:
            check_url(url)
    except InvalidInputError as error:
        return error
    return None


def _raw(settings: Settings, slot: Slot) -> tuple[str, str]:
    models = settings.models
    url, model = {
        "chat": (models.chat_url, models.chat_model),
        "small": (models.small_url, models.small_model),
        "rewrite": (models.rewrite_url, models.rewrite_model),
    }[slot]
    return url.strip(), model.strip()


def check_url(text: str) -> str:
    """The base URL of a server, normalised: scheme and host in lower case, no slash and no end point at the end.

    Raises:
        InvalidInputError: no http(s) address, or one with a user name, password, query or fragment in it.
    """
    parts, port = _split(text.strip())
    if len(text) > URL_MAX:
        raise InvalidInputError(_TITLE, mark("It is too long."), _EXAMPLE)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise InvalidInputError(_TITLE, mark("It has to begin with http:// or https:// and name a host."), _EXAMPLE)
    if "@" in parts.netloc:
        raise InvalidInputError(_TITLE, mark("It must not hold a user name or password."), _KEY_HINT)
    if parts.query or parts.fragment:
        raise InvalidInputError(_TITLE, mark("It must not hold anything after ? or #."), _KEY_HINT)
    if any(char.isspace() or not char.isprintable() for char in text.strip()):
        raise InvalidInputError(_TITLE, mark("It must not hold spaces."), _EXAMPLE)
    path = parts.path.rstrip("/")
    for ending in _ENDINGS:
        path = path.removesuffix(ending)
    return urlunsplit((parts.scheme, _place(parts.hostname, port, parts.scheme), path.rstrip("/"), "", ""))


def server_of(url: str) -> str:
    """Scheme, host and port of an address, always with the port: what a key belongs to.

    Raises:
        InvalidInputError: see `check_url`.
    """
    parts, port = _split(check_url(url))
    host = parts.hostname or ""
    return f"{parts.scheme}://{_bracketed(host)}:{port or _PORTS[parts.scheme]}"


def is_local(url: str) -> bool:
    """Whether the server is this machine, by its name or a loopback address."""
    host = (_split(url)[0].hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def warning_of(url: str) -> str:
    """What a person should know about an address before using it (untranslated), or nothing."""
    plain = urlsplit(url).scheme == "http" and not is_local(url)
    return PLAIN_HTTP if plain else ""


def _split(text: str) -> tuple[SplitResult, int | None]:
    try:
        parts = urlsplit(text)
        return parts, parts.port
    except ValueError as error:
        raise InvalidInputError(_TITLE, mark("Its host or port cannot be read."), _EXAMPLE) from error


def _place(host: str, port: int | None, scheme: str) -> str:
    return _bracketed(host) + ("" if port is None or port == _PORTS[scheme] else f":{port}")


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


PLAIN_HTTP: Final = mark(
    "The connection to this server is not encrypted: what is sent, and its key, can be read on the way."
)
_TITLE: Final = mark("The address of the server cannot be used")
_EXAMPLE: Final = mark("For example https://api.example.com/v1 or http://127.0.0.1:11434/v1.")
_KEY_HINT: Final = mark("A key is given separately and kept in the keyring.")
