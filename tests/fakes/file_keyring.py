"""A keyring back end that keeps secrets in the JSON file named by BINY_TEST_KEYRING."""

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend


class FileKeyring(KeyringBackend):
    priority = 1

    def get_password(self, service: str, username: str) -> str | None:
        return self._load().get(f"{service}/{username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._path().write_text(json.dumps({**self._load(), f"{service}/{username}": password}))

    def delete_password(self, service: str, username: str) -> None:
        kept = self._load()
        kept.pop(f"{service}/{username}", None)
        self._path().write_text(json.dumps(kept))

    def _load(self) -> dict[str, str]:
        return json.loads(self._path().read_text()) if self._path().exists() else {}

    @staticmethod
    def _path() -> Path:
        return Path(os.environ["BINY_TEST_KEYRING"])
