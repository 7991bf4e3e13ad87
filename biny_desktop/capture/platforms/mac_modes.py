"""Private browsing on macOS (spec 02 §3.5): titles of Chromium and Safari windows do not tell it there.

Chromium browsers tell the mode of their front window by an Apple event, if the person allowed Biny to automate them.
Safari tells nobody. A window whose mode is not known has the hint "unknown" and counts as private.
"""

from collections.abc import Callable
from typing import Final, Literal

from biny_desktop.capture.platforms.mac_ports import MacSystem

TELLING: Final = {
    each.lower(): each
    for each in (
        "com.google.Chrome", "com.google.Chrome.beta", "com.google.Chrome.dev", "com.google.Chrome.canary",
        "org.chromium.Chromium", "com.microsoft.edgemac", "com.microsoft.edgemac.Beta", "com.microsoft.edgemac.Dev",
        "com.brave.Browser", "com.brave.Browser.beta", "com.brave.Browser.nightly", "com.vivaldi.Vivaldi",
        "com.operasoftware.Opera", "com.operasoftware.OperaGX", "company.thebrowser.Browser",
    )
}  # fmt: skip
"""Chromium browsers whose windows have a mode; as they spell their bundle ids, by the id in lower case."""
SILENT: Final = ("com.apple.safari", "com.apple.safaritechnologypreview", "ru.yandex.desktop.yandex-browser")
"""Browsers that tell nothing by title or event."""
_KNOWN_MAX = 512


class BrowserModes:
    """What is known about the windows of browsers; a window keeps its mode for life, and ids are not used again."""

    def __init__(self, system: MacSystem) -> None:
        self._system = system
        self._private: dict[str, bool] = {}

    def hint(self, app_id: str, window_id: str) -> Literal["private", "unknown"] | None:
        """The hint for a window; asks nobody, so it is fast."""
        if app_id.startswith(SILENT):
            return "unknown"
        if app_id not in TELLING:
            return None
        private = self._private.get(window_id)
        if private is None:
            return "unknown"
        return "private" if private else None

    def learn(self, app_id: str, window_id: str, front_id: Callable[[], str]) -> None:
        """Ask the browser about its front window; slow. Nothing is learned if another window is in front by then."""
        bundle = TELLING.get(app_id)
        if bundle is None or not self._system.may_automate(bundle):
            return
        mode = self._system.window_mode(bundle)
        if mode in ("normal", "incognito") and front_id() == window_id:
            if len(self._private) >= _KNOWN_MAX:
                self._private.clear()
            self._private[window_id] = mode == "incognito"
