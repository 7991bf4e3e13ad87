"""A question is next, however many passages wait."""

import threading

from biny_desktop.models.embedders.turns import Turns
from tests.waiting import wait_until


def test_a_question_goes_before_the_passages_that_wait() -> None:
    turns, order, waiting = Turns(), [], []

    def use(name: str, *, question: bool) -> None:
        waiting.append(name)
        with turns.take(question=question):
            order.append(name)

    with turns.take(question=False):
        threads = [threading.Thread(target=use, args=(f"passage {n}",), kwargs={"question": False}) for n in range(3)]
        threads.append(threading.Thread(target=use, args=("question",), kwargs={"question": True}))
        for thread in threads:
            thread.start()
        wait_until(lambda: turns._questions == 1 and len(waiting) == 4, what="all wait")
    for thread in threads:
        thread.join()
    assert order[0] == "question"
    assert len(order) == 4


def test_a_failed_text_gives_its_turn_back() -> None:
    turns = Turns()
    for _ in range(2):
        try:
            with turns.take(question=True):
                raise ValueError
        except ValueError:
            pass
    with turns.take(question=False):
        pass
