"""What a desktop tells about one window, made into a `WindowInfo`: the same rules for every compositor."""

import os
from collections.abc import Collection

from biny_desktop.capture.platforms.app_names import AppNames
from biny_desktop.capture.platforms.outputs import LayoutSource
from biny_desktop.capture.platforms.process_hint import ProcessHints
from biny_desktop.capture.ports import Unknown, WindowInfo
from biny_desktop.core.geometry import Rect
from biny_desktop.core.text import clean_title


class WindowInfos:
    """Makes `WindowInfo`s. `own_pids` are the processes of this app, `layout` turns layout units into pixels."""

    def __init__(self, layout: LayoutSource, own_pids: Collection[int] | None = None) -> None:
        self._layout = layout
        self._own_pids = frozenset(own_pids) if own_pids is not None else frozenset({os.getpid()})
        self._names, self._hints = AppNames(), ProcessHints()

    def make(
        self, window_id: str, app: str, title: str, pid: int | None, rect: Rect | None, *, dialog: bool = False
    ) -> WindowInfo | Unknown:
        """The window; Unknown when it has no app id. `rect` in layout units, `app` as the system spells it."""
        app = clean_title(app)
        if not app:
            return Unknown("no_app_id")
        pid = pid if pid is not None and pid > 0 else None
        app_id = app.lower()
        layout = self._layout.layout() if rect is not None else None
        return WindowInfo(
            window_id=window_id,
            app_id=app_id,
            app_name=self._names.name_of(app),
            pid=pid,
            title=clean_title(title),
            rect=layout.physical(rect) if rect is not None and layout is not None else rect,
            dialog=dialog,
            private_hint=self._hints.hint(app_id, pid),
            own=pid in self._own_pids,
        )

    def nameless(self, window_id: str, rect: Rect | None) -> WindowInfo:
        """A visible window without app id, for the list of windows: it counts as unknown there."""
        layout = self._layout.layout() if rect is not None else None
        placed = layout.physical(rect) if rect is not None and layout is not None else rect
        return WindowInfo(window_id, "", "", None, "", placed)
