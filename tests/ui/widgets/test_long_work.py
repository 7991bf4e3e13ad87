"""Long work: progress, a guess of the time left, Cancel, and no second work beside it."""

import threading
from collections.abc import Iterator

import pytest

from biny_desktop.core.errors import StorageError
from biny_desktop.core.i18n import use_language
from biny_desktop.storage.progress import Progress, Watch
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.widgets.long_work import LongWork, step_words, time_left


@pytest.fixture
def calls(qapp) -> Iterator[Calls]:
    use_language("en")
    made = Calls()
    yield made
    made.close()


@pytest.fixture
def strip(calls: Calls, qtbot) -> LongWork:
    made = LongWork(calls)
    qtbot.addWidget(made)
    return made


def no_error(error: object) -> None:
    raise AssertionError(error)


def test_it_shows_how_far_the_work_is_and_gives_the_result(strip: LongWork, qtbot) -> None:
    go = threading.Event()
    results: list[str] = []

    def work(watch: Watch) -> str:
        watch.at("pictures", 30, 100)
        go.wait(10)
        return "done"

    strip.start("Backing up", work, results.append, no_error)
    qtbot.waitUntil(lambda: strip.bar.value() == 300)
    assert (strip.what.text(), strip.how_far.text()) == ("Backing up", "Pictures")
    strip.start("Another", work, results.append, no_error)
    assert strip.what.text() == "Backing up"
    go.set()
    qtbot.waitUntil(lambda: results == ["done"])
    assert strip.isHidden()
    assert not strip.running()


def test_cancel_stops_at_the_next_safe_place_and_is_no_error(strip: LongWork, qtbot) -> None:
    begun, busy = threading.Event(), []
    strip.busy.connect(busy.append)

    def work(watch: Watch) -> None:
        begun.set()
        while True:
            watch.at("database", 1, 2)

    strip.start("Backing up", work, no_error, no_error)
    begun.wait(10)
    strip.cancel.click()
    assert not strip.cancel.isEnabled()
    qtbot.waitUntil(lambda: busy == [True, False])


def test_the_end_of_the_window_stops_it(strip: LongWork, calls: Calls) -> None:
    begun, ended = threading.Event(), threading.Event()

    def work(watch: Watch) -> None:
        try:
            while True:
                watch.at("database", 1, 2)
                begun.set()
        finally:
            ended.set()

    strip.start("Backing up", work, no_error, no_error)
    begun.wait(10)
    calls.close()
    assert ended.is_set()


def test_an_error_is_handed_on(strip: LongWork, qtbot) -> None:
    errors: list[object] = []

    def work(watch: Watch) -> None:
        raise StorageError("The disk is full", "Nothing was kept.")

    strip.start("Backing up", work, no_error, errors.append)
    qtbot.waitUntil(lambda: len(errors) == 1)
    assert strip.isHidden()


def test_the_time_left_is_guessed_when_there_is_something_to_guess_from() -> None:
    assert time_left(Progress("pictures", 25, 100), 30) == "about 1 min 30 s left" or time_left(
        Progress("pictures", 25, 100), 30
    ).startswith("about 1 min")
    assert time_left(Progress("pictures", 25, 100), 0.5) == ""
    assert time_left(Progress("pictures", 0, 100), 30) == ""
    assert step_words("later_step") == "Later step"
