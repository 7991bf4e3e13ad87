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
        """The window; Unknown when it has no app id. `rect` in layout units, `app` as the system spells it.

        Without a layout the place in pixels is not known, and a wrong one would mask the wrong part of a picture.
        """
        app = clean_title(app)
        if not app:
            return Unknown("no_app_id")
        pid = pid if pid is not None and pid > 0 else None
        app_id = app.lower()
        return WindowInfo(
            window_id=window_id,
            app_id=app_id,
            app_name=self._names.name_of(app),
            pid=pid,
            title=clean_title(title),
            rect=self._placed(rect),
            dialog=dialog,
            private_hint=self._hints.hint(app_id, pid),
            own=pid in self._own_pids,
        )

    def listed(
        self, window_id: str, app: str, title: str, pid: int | None, rect: Rect | None, *, dialog: bool = False
    ) -> WindowInfo:
        """As `make`, for the list of windows: one without app id stays in it, without name, and counts as unknown."""
        info = self.make(window_id, app, title, pid, rect, dialog=dialog)
        return WindowInfo(window_id, "", "", None, "", self._placed(rect)) if isinstance(info, Unknown) else info

    def can_place(self) -> bool:
        """Whether places of windows are known; if not, a list of windows would protect nothing."""
        return self._layout.layout() is not None

    def _placed(self, rect: Rect | None) -> Rect | None:
        layout = self._layout.layout() if rect is not None else None
        return layout.physical(rect) if rect is not None and layout is not None else None
