"""One tray app a home: a lock file held while it runs; a second start asks the first to come to the front."""

from types import TracebackType

from biny_desktop.core.errors import UnavailableError
from biny_desktop.storage.file_lock import FileLock
from biny_desktop.storage.folders import Folders


class InstanceLock(FileLock):
    """Held while the app runs; as a block it refuses to start a second one."""

    def __init__(self, folders: Folders) -> None:
        super().__init__(folders.data / "app.lock")

    def __enter__(self) -> "InstanceLock":
        if not self.take():
            raise UnavailableError("Biny is already running", "The app of this home is running.", "Use that one.")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
