"""Which server answers for a slot, with its key: looked up for each call, so that a change holds at once."""

import logging
from collections.abc import Callable

from biny_desktop.core.errors import BinyError
from biny_desktop.core.settings import Settings
from biny_desktop.models.model import Failure, Slot
from biny_desktop.models.slots import SlotConfig, configured, is_local, server_of
from biny_desktop.models.wire import Server
from biny_desktop.storage.model_keys import ModelKeys

log = logging.getLogger(__name__)


class Servers:
    """Slots and keys of one home. Thread-safe."""

    def __init__(self, settings: Callable[[], Settings], keys: ModelKeys) -> None:
        self._settings, self._keys = settings, keys

    def config(self, slot: Slot) -> SlotConfig | None:
        """What stands in the slot now."""
        return configured(self._settings(), slot)

    def ready(self, slot: Slot) -> bool:
        """Whether a model stands in the slot; says nothing about its server."""
        return self.config(slot) is not None

    def model_of(self, slot: Slot) -> str | None:
        """The name of the model in the slot."""
        config = self.config(slot)
        return config.model if config else None

    def is_here(self, slot: Slot) -> bool:
        """Whether the model in the slot works on this machine, so that the person feels a call; False without one."""
        config = self.config(slot)
        return config is not None and is_local(config.url)

    def server(self, url: str) -> Server | Failure:
        """The server of an address that is checked already, with its key."""
        try:
            return Server(url, self._keys.get(server_of(url)))
        except BinyError as error:
            log.warning("the key of a model server cannot be read: %s", error.title)
            return Failure("http", "key_unreadable")
