"""A Windows registry in memory."""


class FakeRegistry:
    """`run_key.Registry`; `fault` is raised by every method."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], str | bytes] = {}
        self.fault: OSError | None = None

    def _check(self) -> None:
        if self.fault is not None:
            raise self.fault

    def read(self, key: str, value: str) -> str | bytes | None:
        self._check()
        return self.values.get((key, value))

    def write(self, key: str, value: str, text: str) -> None:
        self._check()
        self.values[key, value] = text

    def delete(self, key: str, value: str) -> None:
        self._check()
        self.values.pop((key, value), None)
