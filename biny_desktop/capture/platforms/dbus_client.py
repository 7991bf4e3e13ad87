"""Questions on a bus and nothing else: the connection begins with the first one."""

from collections.abc import Sequence

from biny_desktop.capture.platforms.dbus_bus import ASK_TIMEOUT_S, RETRY_S, Body, BusThread, Place


class BusClient:
    """Asks services from one thread at a time; see `BusThread.ask` for the errors."""

    def __init__(self, address: str, name: str, retry_s: Sequence[float] = RETRY_S) -> None:
        self._bus = BusThread(address, name, lambda _bus: None, lambda _message: None, lambda: None, retry_s)

    def ask(
        self, place: Place, member: str, signature: str = "", body: Body = (), timeout_s: float = ASK_TIMEOUT_S
    ) -> Body:
        """The body of the answer.

        Raises:
            UnavailableError: no bus, no service, or an error came back.
            TimeoutError: no answer in time.
        """
        self._bus.start()
        return self._bus.ask(place, member, signature, body, timeout_s)

    def close(self) -> None:
        """Hang up; the next question begins anew."""
        self._bus.stop()
