# ruff: noqa
"""Names that only a framework or another process uses; vulture would call them dead."""

