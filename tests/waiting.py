"""Waiting for real threads and processes: a condition with a deadline, never a fixed time."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

STEP_S = 0.01


def wait_until(condition: Callable[[], T], timeout: float = 10.0, what: str = "") -> T:
    """The first true value of `condition`; fails the test when there is none within `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {timeout} s: {what or getattr(condition, '__name__', condition)}")
        time.sleep(STEP_S)
