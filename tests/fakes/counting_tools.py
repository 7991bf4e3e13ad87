"""Tools of each effect class that leave a line in a file for every run, so that a test can tell what ran how often."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from biny_desktop.conversation.model import Effect, Execution, ToolStatus
from biny_desktop.conversation.ports import Admission, Tool, ToolAnswer, ToolScene
from biny_desktop.conversation.session_events import NewEvent, TodoData, TodosReplaced
from biny_desktop.models.model import ToolSpec
from biny_desktop.redaction import from_row, safe_constant

Act = Callable[[str], None]


def nothing(_place: str) -> None:
    """No test wants anything here."""


def sha(path: Path) -> str | None:
    """The hash of a file, None when there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else None


@dataclass
class CountingTool:
    """`act` is called with `before` and `after` around the effect; a line of `ran` is one run of the effect."""

    name: str
    effect: Effect
    folder: Path
    act: Act = nothing
    approval: bool = False
    veiled: bool = False
    """The other side cannot be asked what came of it."""
    spec_of: Mapping[str, str] = field(default_factory=dict)

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, f"Does {self.name}.", {"type": "object", "properties": {"q": {"type": "string"}}})

    @property
    def target(self) -> Path:
        return self.folder / f"{self.name}.txt"

    @property
    def ran(self) -> int:
        """How often the effect ran."""
        path = self.folder / f"{self.name}.ran"
        return len(path.read_text().splitlines()) if path.exists() else 0

    def admit(self, arguments: str, scene: ToolScene) -> Admission | ToolAnswer:
        args = json.loads(arguments)
        shown = safe_constant("do it?") if self.approval else None
        if self.effect != "file":
            return Admission(args, approval=shown)
        intended = hashlib.sha256(str(args["q"]).encode()).hexdigest()
        return Admission(args, str(self.target), sha(self.target), intended, approval=shown)

    def run(self, admission: Admission, scene: ToolScene) -> ToolAnswer:
        self.act("before")
        with (self.folder / f"{self.name}.ran").open("a") as file:
            file.write(f"{admission.args}\n")
        if self.effect == "file":
            self.target.write_text(str(admission.args["q"]))
        self.act("after")
        events = ()
        if self.effect == "local":
            todos = scene.log.todos(scene.session_id)
            item = TodoData(content=f"item {todos.revision + 1}")
            events = (NewEvent(TodosReplaced(items=(item,), revision=todos.revision + 1, by="agent")),)
        return ToolAnswer("succeeded", from_row(f"{self.name} is done"), events)

    def found(self, execution: Execution) -> ToolStatus:
        if self.effect == "file":
            now = sha(Path(execution.target))
            if now == execution.intended_hash:
                return "succeeded"
            return "cancelled" if now == execution.before_hash else "unknown"
        if self.veiled:
            return "unknown"
        return "succeeded" if self.ran else "cancelled"


class CountingTools:
    """One tool a class; implements `ports.Toolbox`. `allowed` are those that may be used."""

    def __init__(self, folder: Path, act: Act = nothing) -> None:
        effects: dict[str, Effect] = {"look": "read", "note": "local", "write": "file", "send": "external"}
        self.all = {name: CountingTool(name, effect, folder, act) for name, effect in effects.items()}
        self.allowed = set(self.all)

    def tools(self, *, incognito: bool) -> Mapping[str, Tool]:
        return {name: tool for name, tool in self.all.items() if name in self.allowed}

    def ran(self) -> dict[str, int]:
        """How often each effect ran."""
        return {name: tool.ran for name, tool in self.all.items()}
