"""Writes one setting into `settings.toml` without touching the others."""

import threading
from pathlib import Path

import tomli_w

from biny_desktop.core.settings import Value, parse, read_file
from biny_desktop.storage.atomic import write_atomic
from biny_desktop.storage.file_lock import held

_WRITING = threading.Lock()


def set_value(path: Path, key: str, text: str) -> Value:
    """Check and store a setting; returns the value as it now is. Keys the app does not know stay in the file.

    Raises:
        InvalidSettingError: the key or the value is not accepted, or the file cannot be read; nothing changed.
        StorageError: the file cannot be written.
    """
    value = parse(key, text)
    group, _, name = key.partition(".")
    with _WRITING, held(path.with_name("settings.lock")):
        content = read_file(path)
        content.setdefault(group, {})[name] = value
        write_atomic(path, tomli_w.dumps(content).encode())
    return value


def unset(path: Path, key: str) -> None:
    """Back to the default.

    Raises:
        InvalidSettingError: the file cannot be read. StorageError: it cannot be written.
    """
    group, _, name = key.partition(".")
    with _WRITING, held(path.with_name("settings.lock")):
        content = read_file(path)
        if content.get(group, {}).pop(name, None) is not None:
            write_atomic(path, tomli_w.dumps(content).encode())
