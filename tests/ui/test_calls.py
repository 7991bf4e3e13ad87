"""Calls run off the GUI thread and come back only to those who still wait."""

import threading

import pytest
from PySide6.QtCore import QObject
from shiboken6 import delete

from biny_desktop.core.errors import BinyError, NotFoundError
from biny_desktop.ui.calls import Calls


@pytest.fixture
def calls(qapp):
    made = Calls()
    yield made
    made.close()


def test_the_work_runs_elsewhere_and_the_answer_comes_home(calls: Calls, qtbot) -> None:
    threads: dict[str, str] = {}
    calls.run(
        lambda: threads.setdefault("work", threading.current_thread().name),
        lambda _name: threads.setdefault("answer", threading.current_thread().name),
    )
    qtbot.waitUntil(lambda: "answer" in threads)
    assert threads["work"].startswith("biny-ui")
    assert threads["answer"] == threading.main_thread().name


def test_a_known_error_reaches_the_caller_or_else_the_window(calls: Calls, qtbot) -> None:
    def work() -> None:
        raise NotFoundError("Gone")

    own: list[BinyError] = []
    shown: list[BinyError] = []
    calls.failed.connect(shown.append)
    calls.run(work, on_error=own.append)
    calls.run(work)
    qtbot.waitUntil(lambda: bool(own and shown))
    assert (own[0].title, shown[0].title, len(shown)) == ("Gone", "Gone", 1)


@pytest.mark.logs_warning("a call from the window failed")
def test_a_bug_is_logged_with_its_traceback_and_shown_as_an_error(calls: Calls, qtbot, caplog) -> None:
    shown: list[BinyError] = []
    calls.failed.connect(shown.append)
    calls.run(lambda: 1 // 0)
    qtbot.waitUntil(lambda: bool(shown))
    assert isinstance(shown[0], BinyError)
    assert "ZeroDivisionError" in caplog.text


def test_nothing_comes_back_to_an_owner_that_is_gone(calls: Calls, qtbot) -> None:
    owner, gate, answers = QObject(), threading.Event(), []
    calls.run(gate.wait, answers.append, owner=owner)
    delete(owner)
    gate.set()
    qtbot.waitUntil(lambda: not calls.busy())
    assert answers == []


def test_of_calls_with_one_name_only_the_newest_answers(calls: Calls, qtbot) -> None:
    owner, gate, answers = QObject(), threading.Event(), []
    calls.run(lambda: gate.wait() and "old", answers.append, owner=owner, latest="list")
    calls.run(lambda: gate.wait() and "new", answers.append, owner=owner, latest="list")
    gate.set()
    qtbot.waitUntil(lambda: bool(answers))
    qtbot.waitUntil(lambda: not calls.busy())
    assert answers == ["new"]


def test_a_cancelled_call_never_answers(calls: Calls, qtbot) -> None:
    gate, answers = threading.Event(), []
    calls.run(gate.wait, answers.append).cancel()
    gate.set()
    calls.run(lambda: "after", answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    assert answers == ["after"]
