"""The three folders of one home (config, data, logs), made with mode 0700 and never through a link."""

import json
import os
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from biny_desktop.core.errors import UnsafePathError
from biny_desktop.storage.faults import explained


@dataclass(frozen=True, slots=True)
class Folders:
    """Absolute paths. `config` holds `settings.toml` (and later the vault), `data` the database and pictures."""

    config: Path
    data: Path
    logs: Path

    @property
    def settings_file(self) -> Path:
        return self.config / "settings.toml"

    @property
    def database_file(self) -> Path:
        return self.data / "biny.db"

    @property
    def identity_file(self) -> Path:
        return self.data / "biny.json"

    @property
    def place_file(self) -> Path:
        """Names where the pictures lie when it is not the data folder (`picture_place`)."""
        return self.data / "pictures.json"

    @property
    def pictures(self) -> Path:
        """Where the pictures lie: in the data folder, or where the person moved them."""
        return _moved_to(self.place_file) or self.data / "pictures"

    @property
    def socket_name(self) -> str:
        """A short name that is the same for all processes of this home (a socket path may not exceed 108 bytes)."""
        return "biny-" + blake2b(str(self.data).encode(), digest_size=8).hexdigest()

    def runtime_dir(self, env: Mapping[str, str] = os.environ) -> Path:
        """A private folder for the socket: the session's runtime folder, else one below the temporary folder."""
        base = env.get("XDG_RUNTIME_DIR")
        if base and Path(base).is_dir():
            return Path(base)
        return private_folder(Path(tempfile.gettempdir()) / f"biny-{os.getuid() if hasattr(os, 'getuid') else 'user'}")


def resolve(home: Path | None, env: Mapping[str, str] = os.environ) -> Folders:
    """The folders of `--home`, else of `BINY_HOME`, else where this system keeps such things. Makes nothing."""
    chosen = home or (Path(env["BINY_HOME"]) if env.get("BINY_HOME") else None)
    if chosen is not None:
        base = chosen.expanduser().absolute()
        return Folders(base / "config", base / "data", base / "logs")
    import platformdirs

    dirs = platformdirs.PlatformDirs("biny", appauthor=False)
    config = Path(env.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "biny"
    return Folders(config, Path(dirs.user_data_dir), Path(dirs.user_log_dir))


def prepare(folders: Folders) -> Folders:
    """Make the folders that are missing; returns them.

    The pictures folder is made only with a new home: later it may be on another disk that is not connected, and must
    not be made anew on this one (spec 02 §6.8).

    Raises:
        UnsafePathError: one of them is a link or belongs to another user.
        StorageError: one cannot be made.
    """
    for path in (folders.config, folders.data, folders.logs):
        private_folder(path)
    if not folders.identity_file.exists():
        private_folder(folders.pictures)
    return folders


def private_folder(path: Path) -> Path:
    """Make a folder with mode 0700 if it is missing and check that it is ours; returns it.

    Raises:
        UnsafePathError: it is a link, not a folder, or belongs to another user.
        StorageError: it cannot be made.
    """
    with explained("Making the data folder"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True) if not path.is_symlink() else None
        info = path.lstat()
    if not stat.S_ISDIR(info.st_mode):
        raise UnsafePathError("The folder is not safe", f"{path} is a link or a file.", "Put a plain folder there.")
    _check_owner(path, info)
    if os.name == "posix" and stat.S_IMODE(info.st_mode) & 0o077:
        path.chmod(0o700)
    return path


def check_file(path: Path) -> None:
    """Refuse a file that is a link, has other names (hard links) or another owner; a missing one is fine.

    Raises:
        UnsafePathError: see above.
    """
    try:
        info = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISREG(info.st_mode):
        raise UnsafePathError(
            "The file is not safe", f"{path.name} is a link or no plain file.", "Put it back by hand."
        )
    if info.st_nlink > 1:
        raise UnsafePathError(
            "The file is not safe", f"{path.name} has a second name (hard link).", "Remove the other."
        )
    _check_owner(path, info)


def _moved_to(place_file: Path) -> Path | None:
    """Where the pictures were moved; a file that cannot be read counts as the data folder, where then none is found."""
    try:
        folder = json.loads(place_file.read_bytes()).get("folder")
    except (OSError, ValueError, AttributeError):
        return None
    return Path(folder) if isinstance(folder, str) and Path(folder).is_absolute() else None


def _check_owner(path: Path, info: os.stat_result) -> None:
    if hasattr(os, "getuid") and info.st_uid != os.getuid():
        raise UnsafePathError(
            "The folder is not yours", f"{path} belongs to another user.", "Use a folder of your own."
        )
