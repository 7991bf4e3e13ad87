"""What an X server can do, asked once before back ends are chosen."""

from biny_desktop.capture.platforms.x11_thread import Connection, XThread
from biny_desktop.core.errors import UnavailableError

EXTENSIONS = ("MIT-SCREEN-SAVER", "RANDR", "XInputExtension")
PROBE_TIMEOUT_S = 2.0


def probe(display: str) -> dict[str, bool]:
    """Whether the server at that display has each of `EXTENSIONS`, XInput in a version that suffices.

    Raises:
        UnavailableError: no server answers there.
    """
    thread = XThread(display, "x11-probe")
    try:
        if not thread.start(PROBE_TIMEOUT_S):
            raise UnavailableError("No display", "The X server does not answer.")
        return thread.call(_extensions, PROBE_TIMEOUT_S)
    except TimeoutError:
        raise UnavailableError("No display", "The X server does not answer.") from None
    finally:
        thread.stop()


def _extensions(conn: Connection) -> dict[str, bool]:
    from biny_desktop.capture.platforms.x11_input import xinput_version

    cookies = [conn.core.QueryExtension(len(name), name) for name in EXTENSIONS]
    found = {name: bool(cookie.reply().present) for name, cookie in zip(EXTENSIONS, cookies, strict=True)}
    found["XInputExtension"] = xinput_version(conn) is not None
    return found
