"""The list of chats: fetched page by page, a title found wherever it stands, a change that keeps its place."""

from collections.abc import Iterator

import pytest

from biny_desktop.conversation.model import Session, SessionPage
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.item_models.sessions import PAGE, RUNNING, SESSION, SessionsModel


class FakeChats:
    """Ten thousand chats, last used first, as the desk pages them."""

    def __init__(self, many: int) -> None:
        self.all = [self.made(n, many - n) for n in range(many)]
        self.now: frozenset[str] = frozenset()
        self.read = 0

    @staticmethod
    def made(n: int, at: int, project: str | None = None) -> Session:
        return Session(f"s{n:05}", f"chat {n}", "rule", "chat", at, at, "UTC", project_id=project)

    def page(
        self, limit: int = 100, before: tuple[int, str] | None = None, project_id: str | None = None
    ) -> SessionPage:
        self.read += 1
        found = [each for each in self.all if project_id is None or each.project_id == project_id]
        left = [each for each in found if before is None or (each.updated_at_ms, each.id) < before]
        last = left[limit - 1] if len(left) > limit else None
        return SessionPage(tuple(left[:limit]), (last.updated_at_ms, last.id) if last else None)

    def running(self) -> frozenset[str]:
        return self.now


class Home:
    """As much of a product as the list takes."""

    def __init__(self, many: int) -> None:
        self.chat = FakeChats(many)


@pytest.fixture
def calls(qapp: object) -> Iterator[Calls]:
    made = Calls()
    yield made
    made.close()


def listed(home: Home, calls: Calls, qtbot: object) -> SessionsModel:
    model = SessionsModel(home, calls)
    model.load()
    qtbot.waitUntil(lambda: not calls.busy())
    return model


def titles(model: SessionsModel) -> list[str]:
    return [model.index(row).data() for row in range(model.rowCount())]


def test_ten_thousand_chats_come_page_by_page(calls: Calls, qtbot: object) -> None:
    home = Home(10_000)
    model = listed(home, calls, qtbot)
    assert (model.rowCount(), home.chat.read) == (PAGE, 1)
    model.fetchMore(model.index(-1))
    qtbot.waitUntil(lambda: model.rowCount() == 2 * PAGE)
    assert titles(model)[-1] == "chat 199"


def test_a_title_is_found_in_chats_that_were_not_fetched(calls: Calls, qtbot: object) -> None:
    model = listed(Home(10_000), calls, qtbot)
    model.filter("Chat 9876")
    assert model.searching()
    qtbot.waitUntil(lambda: titles(model) == ["chat 9876"], timeout=15_000)
    qtbot.waitUntil(lambda: not model.searching(), timeout=15_000)
    model.filter("")
    assert model.rowCount() == 10_000


def test_a_change_is_shown_and_what_was_fetched_stays(calls: Calls, qtbot: object) -> None:
    home = Home(3_000)
    model = listed(home, calls, qtbot)
    model.filter("chat")
    qtbot.waitUntil(lambda: model.rowCount() == 3_000)
    home.chat.all.insert(0, FakeChats.made(3_000, 9_999))
    home.chat.now = frozenset({"s03000"})
    model.load()
    qtbot.waitUntil(lambda: model.rowCount() == 3_001)
    assert titles(model)[0] == "chat 3000"
    assert [model.index(row).data(RUNNING) for row in (0, 1)] == [True, False]


def test_only_the_chats_of_a_project_are_shown(calls: Calls, qtbot: object) -> None:
    home = Home(5)
    home.chat.all[2] = FakeChats.made(2, 3, "p")
    model = listed(home, calls, qtbot)
    model.set_project("p")
    qtbot.waitUntil(lambda: titles(model) == ["chat 2"])
    assert model.index(0).data(SESSION).project_id == "p"
    model.set_project(None)
    qtbot.waitUntil(lambda: model.rowCount() == 5)
