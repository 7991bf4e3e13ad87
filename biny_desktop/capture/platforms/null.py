"""The platform that gives nothing and raises nothing: no display, or one this version cannot read yet."""

from biny_desktop.capture.ports import InputTotals, Monitor, Notify, PresenceNotice, Shot, Unknown, WindowInfo
from biny_desktop.core.errors import UnavailableError


class NullSource:
    """Starts and stops; nothing ever happens."""

    def start(self, notify: Notify) -> None:
        """Nothing will ever be told."""

    def stop(self) -> None:
        """Nothing to end."""


class NullWindows(NullSource):
    """`WindowSource` that does not know; `reason` is the word for status and Doctor."""

    def __init__(self, reason: str = "no_display") -> None:
        self._reason = reason

    def front(self) -> WindowInfo | Unknown:
        return Unknown(self._reason)

    def visible(self) -> list[WindowInfo] | None:
        return None


class NullInput(NullSource):
    """`InputSource` that counts nothing."""

    name = "null"

    def totals(self) -> InputTotals:
        return InputTotals()


class PollInput(NullInput):
    """`InputSource` where input cannot be seen at all: starting it fails, so that idle time is polled instead."""

    name = "poll"

    def start(self, notify: Notify) -> None:
        """Refuse.

        Raises:
            UnavailableError: always.
        """
        raise UnavailableError("No input counts", "This system lets no app see input.")


class NullPresence(NullSource):
    """`PresenceSource` that cannot tell."""

    def idle_ms(self) -> int | None:
        return None

    def locked(self) -> bool | None:
        return None

    def notices(self) -> list[PresenceNotice]:
        return []


class NullScreen:
    """`ScreenSource` without monitors."""

    name = "null"

    def monitors(self) -> list[Monitor]:
        return []

    def grab(self, monitor: Monitor) -> Shot:
        raise UnavailableError("No display", "There is nothing to take a picture of.")

    def pointer(self) -> tuple[int, int] | None:
        return None

    def renew(self) -> None:
        """Nothing to make anew."""

    def close(self) -> None:
        """Nothing to free."""
