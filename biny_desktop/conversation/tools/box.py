"""`AgentTools`: the tools that a chat may use now, by the settings and the kind of its session."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from biny_desktop.conversation.ports import Tool
from biny_desktop.conversation.tools.activity_search import ActivitySearch, ScreenTexts
from biny_desktop.conversation.tools.answers import Redacting
from biny_desktop.conversation.tools.folders import OpenedFolders
from biny_desktop.conversation.tools.read_file import ReadFile
from biny_desktop.conversation.tools.todo_write import TodoWrite
from biny_desktop.conversation.tools.write_file import WriteFile
from biny_desktop.core.clock import Clock
from biny_desktop.core.settings import Settings


class AgentTools:
    """Implements `ports.Toolbox`: asked anew for every request, so that a setting counts at once. Thread-safe."""

    def __init__(
        self,
        settings: Callable[[], Settings],
        redactor: Redacting,
        clock: Clock,
        *,
        texts: ScreenTexts | None = None,
        others: Sequence[Tool] = (),
        own_folders: Sequence[Path] = (),
    ) -> None:
        """Put the tools together.

        Args:
            texts: the search of the screen; None: there is none here.
            others: tools of other packages (`session_search`, `read_original_evidence`).
            own_folders: of the program itself (data, config, logs), which stay closed.
        """
        self._settings = settings
        self._folders = OpenedFolders(settings, own_folders)
        self._todos = TodoWrite(redactor)
        self._files: tuple[Tool, ...] = (ReadFile(self._folders, redactor), WriteFile(self._folders, redactor))
        self._activity = None if texts is None else ActivitySearch(texts, redactor, settings, clock)
        self._others = tuple(others)

    def tools(self, *, incognito: bool) -> Mapping[str, Tool]:
        """By name; none while `agent.tools` is off, only the to-do list in an incognito session (spec 05 §9.3)."""
        agent = self._settings().agent
        found: list[Tool] = []
        if agent.tools:
            found.append(self._todos)
        if agent.tools and not incognito:
            found += self._others
            found += [self._activity] if self._activity is not None and agent.activity else []
            found += self._files if self._folders.all() else ()
        return {each.spec.name: each for each in found}
