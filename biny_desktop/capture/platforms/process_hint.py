"""Private browsing as the arguments of a browser's process tell it (spec 02 §3.5)."""

from typing import Final, Literal

_BROWSERS: Final = (
    "chrom", "firefox", "edge", "brave", "vivaldi", "opera", "librewolf", "waterfox", "floorp", "zen", "palemoon",
    "epiphany", "navigator", "thorium", "yandex",
)  # fmt: skip
"""Parts of the app ids of browsers; a wrong hit costs one look at a process, no more."""
_ARGUMENTS: Final = frozenset(
    {"--incognito", "--inprivate", "-inprivate", "--private-window", "-private-window", "--private", "-private",
     "--incognito-mode"}
)  # fmt: skip
_CACHE_MAX = 256


class ProcessHints:
    """Answers by process, remembered for as long as it lives (pid and start time)."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, float], bool] = {}

    def hint(self, app_id: str, pid: int | None) -> Literal["private"] | None:
        """`private` when this browser's process was started for private browsing; None when not, or nobody can tell.

        The arguments belong to the process, so its later ordinary windows count as private too: the safe side.
        """
        if pid is None or pid <= 0 or not any(part in app_id for part in _BROWSERS):
            return None
        import psutil

        try:
            process = psutil.Process(pid)
            key = (pid, process.create_time())
            if key not in self._known:
                if len(self._known) >= _CACHE_MAX:
                    self._known.clear()
                arguments = process.cmdline()
                if not arguments:  # between two programs, or ending: ask again next time
                    return None
                self._known[key] = not _ARGUMENTS.isdisjoint(_option(part) for part in arguments)
            return "private" if self._known[key] else None
        except (psutil.Error, OSError):
            return None


def _option(argument: str) -> str:
    return argument.split("=", 1)[0].lower()
