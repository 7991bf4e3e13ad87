"""Linux: a desktop entry in the user's autostart folder (freedesktop Desktop Application Autostart)."""

from collections.abc import Mapping
from pathlib import Path

from biny_desktop.core.errors import StorageError
from biny_desktop.service.autostart.files import read_small, remove_small, write_small
from biny_desktop.service.autostart.ports import AutostartState, StartCommand

FILE = "biny-desktop.desktop"
_RESERVED = set(" \t\n\"'\\><~|&;$*?#()`")
_OFF = {
    "hidden": "true",
    "x-gnome-autostart-enabled": "false",
    "x-kde-autostart-enabled": "false",
    "x-mate-autostart-enabled": "false",
}
"""Key → value with which a session or its settings switch an entry off, without removing it."""


class XdgAutostart:
    """The entry `biny-desktop.desktop`. `env`: where the user's configuration is; `command`: what it should start."""

    name = "xdg"

    def __init__(self, command: StartCommand, env: Mapping[str, str], home: Path) -> None:
        self._command = command
        base = Path(env["XDG_CONFIG_HOME"]) if env.get("XDG_CONFIG_HOME") else home / ".config"
        self.path = base / "autostart" / FILE

    def state(self) -> AutostartState:
        """Read the entry as a session would."""
        where = str(self.path)
        try:
            raw = read_small(self.path)
        except StorageError as error:
            return AutostartState("other", where, error.message)
        if raw is None:
            return AutostartState("off", where)
        entry = _entry(raw)
        if entry is None or not entry.get("exec"):
            return AutostartState("other", where, "The entry is damaged.")
        if any(entry.get(key, "").lower() == value for key, value in _OFF.items()):
            return AutostartState("off_by_system", where, "The entry is there, but switched off.")
        if entry["exec"] != _exec(self._command.words):
            return AutostartState("other", where, "The entry starts something else.")
        return AutostartState("on", where)

    def on(self, command: StartCommand) -> None:
        """Write the entry; one that was damaged, foreign or switched off is replaced."""
        lines = [
            "[Desktop Entry]", "Type=Application", "Version=1.0", "Name=Biny Desktop",
            "Comment=Keeps understanding one person, on that person's own machine",
            "Comment[zh_CN]=在自己的电脑上，持续理解一个人",
            f"Exec={_exec(command.words)}", f"Icon={command.icon}", "Terminal=false", "StartupNotify=false",
            "X-GNOME-Autostart-enabled=true",
        ]  # fmt: skip
        self._command = command
        write_small(self.path, ("\n".join(lines) + "\n").encode())

    def off(self) -> None:
        """Remove the entry."""
        remove_small(self.path)


def _exec(words: tuple[str, ...]) -> str:
    """The Exec value: arguments quoted, `%` doubled, then escaped once more as any string of a desktop entry."""
    quoted = []
    for word in words:
        plain = word.replace("%", "%%")
        if not plain or _RESERVED & set(plain):
            for sign in ("\\", '"', "`", "$"):
                plain = plain.replace(sign, "\\" + sign)
            plain = f'"{plain}"'
        quoted.append(plain)
    return " ".join(quoted).replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def _entry(raw: bytes) -> dict[str, str] | None:
    """The keys (lower case) of the group `Desktop Entry`; None when it is no desktop file."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    found: dict[str, str] = {}
    inside = False
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("["):
            inside = stripped == "[Desktop Entry]"
        elif inside and "=" in stripped and not stripped.startswith("#"):
            key, _, value = stripped.partition("=")
            found.setdefault(key.strip().lower(), value.strip())
    return found or None
