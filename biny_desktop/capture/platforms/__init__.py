"""Back ends of the ports of capture: X11, and null where nothing can be recorded.

`pick` looks at the session and gives a `Platform`: one source a port, none started, each with the reason for it.
The sources open connections and threads of their own when started, touch no file and no row, and hand out raw text.
"""

from biny_desktop.capture.platforms.pick import Choice, Platform, pick

__all__ = ["Choice", "Platform", "pick"]
