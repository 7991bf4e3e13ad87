"""The redactor of the present settings, made anew only when they change."""

from collections.abc import Callable

from biny_desktop.core.settings import RedactSettings, Settings
from biny_desktop.redaction.redact import Redactor
from biny_desktop.redaction.result import RedactionOptions


class CurrentRedactor:
    """Callable: gives the `Redactor` for the settings of this moment. Thread-safe: a race only makes one twice."""

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self._settings = settings
        self._made: tuple[RedactSettings, Redactor] | None = None

    def __call__(self) -> Redactor:
        wanted = self._settings().redact
        made = self._made
        if made is None or made[0] != wanted:
            made = (wanted, Redactor(RedactionOptions(email=wanted.email, phone=wanted.phone)))
            self._made = made
        return made[1]
