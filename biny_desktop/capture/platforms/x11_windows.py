"""Windows on X11: the one in front, those that can be seen, and a notice when either changes."""

import logging
import os
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final, TypeVar

from biny_desktop.capture.platforms.app_names import AppNames
from biny_desktop.capture.platforms.process_hint import ProcessHints
from biny_desktop.capture.platforms.x11_thread import CALL_TIMEOUT_S, Connection, XThread, events
from biny_desktop.capture.platforms.x11_tree import Record, WindowTree
from biny_desktop.capture.ports import Notify, Unknown, WindowInfo
from biny_desktop.core.errors import UnavailableError

T = TypeVar("T")

_PROPERTY_CHANGE: Final = 0x400000
_SUBSTRUCTURE: Final = 0x080000
_EVENT_MASK: Final = 0x0800
_ROOT_NEWS = ("_NET_ACTIVE_WINDOW", "_NET_CLIENT_LIST_STACKING", "_NET_CURRENT_DESKTOP", "_NET_SUPPORTING_WM_CHECK")
_TITLE_NEWS = ("_NET_WM_NAME", "WM_NAME")

log = logging.getLogger(__name__)


class X11Windows:
    """`WindowSource` over one X connection of its own.

    `own_pids` are the processes of this app. Answers that take longer than 200 ms are `Unknown("timeout")`, or None for
    the list.
    """

    def __init__(self, display: str, own_pids: Collection[int] | None = None) -> None:
        self._own_pids = frozenset(own_pids) if own_pids is not None else frozenset({os.getpid()})
        self._thread = XThread(display, "x11-windows", on_connect=self._watch, on_readable=self._handle)
        self._notify: Notify = lambda: None
        self._hints = ProcessHints()
        self._names = AppNames()
        self._tree: WindowTree | None = None
        self._watched = 0
        self._root_news: frozenset[int] = frozenset()
        self._title_news: frozenset[int] = frozenset()

    def start(self, notify: Notify) -> None:
        """Begin to watch; without a server nothing is known until it comes."""
        self._notify = notify
        self._thread.start()

    def stop(self) -> None:
        self._thread.stop()
        self._notify = lambda: None

    def front(self) -> WindowInfo | Unknown:
        record = self._ask(self._front)
        if isinstance(record, Unknown):
            return record
        if not record.wm_class:
            return Unknown("no_app_id")
        return self._info(record)

    def visible(self) -> list[WindowInfo] | None:
        records = self._ask(lambda tree: tree.visible())
        return None if isinstance(records, Unknown) else [self._info(record) for record in records]

    def _ask(self, question: Callable[[WindowTree], T | Unknown]) -> T | Unknown:
        """The answer of the X thread, or why there is none; never raises."""

        def answer(_conn: Connection) -> T | Unknown:
            return Unknown("no_display") if self._tree is None else question(self._tree)

        try:
            return self._thread.call(answer, CALL_TIMEOUT_S)
        except TimeoutError:
            return Unknown("timeout")
        except UnavailableError:
            return Unknown("no_display")
        except Exception as error:  # whatever X or a broken window gives: the front window is not known
            log.info("Windows cannot be read: %s", type(error).__name__)
            return Unknown("failed")

    def _front(self, tree: WindowTree) -> Record | Unknown:
        cover = tree.cover()
        if cover is not None:
            return cover
        manager = tree.manager()
        active = next(iter(tree.root_numbers("_NET_ACTIVE_WINDOW")), 0) if manager is not None else tree.focused()
        record = next(iter(tree.records([active])), None) if active else None
        return record if record is not None else self._bare_desktop(tree, manager)

    def _bare_desktop(self, tree: WindowTree, manager: str | None) -> Record | Unknown:
        """With nothing on the screen the desktop itself is in front; with windows and no focus nobody can tell.

        Also asked when the active window is gone: openbox goes on naming the last one.
        """
        if not manager or any(not record.furniture for record in tree.visible()):
            return Unknown("no_front_window")
        return replace(tree.root_record(), wm_class=manager)

    def _info(self, record: Record) -> WindowInfo:
        app_id = record.wm_class.lower()
        return WindowInfo(
            window_id=f"{record.window:#x}",
            app_id=app_id,
            app_name=self._names.name_of(record.wm_class),
            pid=record.pid,
            title=record.title,
            rect=record.rect,
            dialog=record.dialog,
            private_hint=self._hints.hint(app_id, record.pid),
            own=record.pid in self._own_pids,
        )

    def _watch(self, conn: Connection) -> None:
        self._tree, self._watched = WindowTree(conn), 0
        conn.core.ChangeWindowAttributes(self._tree.root, _EVENT_MASK, [_PROPERTY_CHANGE | _SUBSTRUCTURE])
        self._root_news = frozenset(self._tree.atoms(*_ROOT_NEWS))
        self._title_news = frozenset(self._tree.atoms(*_TITLE_NEWS))
        self._watch_active(conn, self._tree)
        self._notify()

    def _watch_active(self, conn: Connection, tree: WindowTree) -> None:
        """Listen for title changes of the active window only."""
        active = next(iter(tree.root_numbers("_NET_ACTIVE_WINDOW")), 0)
        if active == self._watched:
            return
        if self._watched:
            conn.core.ChangeWindowAttributes(self._watched, _EVENT_MASK, [0])
        if active:
            conn.core.ChangeWindowAttributes(active, _EVENT_MASK, [_PROPERTY_CHANGE])
        self._watched = active

    def _handle(self, conn: Connection) -> None:
        """Drain the events; one notice for all of them."""
        import xcffib.xproto as x

        tree, news = self._tree, False
        for event in events(conn):
            if isinstance(event, x.PropertyNotifyEvent):
                news |= event.atom in (self._root_news if tree and event.window == tree.root else self._title_news)
            else:  # mapped, unmapped, restacked: all there is without a window manager, and how a locker comes
                news |= isinstance(event, x.MapNotifyEvent | x.UnmapNotifyEvent | x.ReparentNotifyEvent)
        if news and tree is not None:
            self._watch_active(conn, tree)
            self._notify()
