"""Questions over a bus thread: answers, refusals, silence, services and buses that die."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from jeepney import DBusAddress, MessageType, new_method_call
from jeepney.io.blocking import open_dbus_connection

from biny_desktop.capture.platforms.dbus_bus import BusThread, Message, Place, RefusedError
from biny_desktop.capture.platforms.dbus_client import BusClient
from biny_desktop.core.errors import UnavailableError
from tests.fakes.dbus_services import BusService
from tests.fakes.desktop import PrivateBus
from tests.fakes.desktop_services import ScriptedService
from tests.waiting import wait_until

NAME = "org.example.Echo"
PLACE: Place = (NAME, "/", "org.example.Echo")


class Silent(ScriptedService):
    """Never answers."""

    def on_call(self, path: str, member: str, body: tuple[object, ...], sender: str) -> tuple[str, tuple[object, ...]]:
        return self.NO_ANSWER


def make(address: str, calls: list[str] | None = None) -> BusThread:
    def on_call(message: Message) -> bool:
        assert calls is not None
        calls.append(str(message.body[0]))
        return message.body[0] == "known"

    return BusThread(address, "test-bus", lambda _bus: None, lambda _message: None, lambda: None, (0.05,), on_call)


@pytest.fixture
def bus(private_bus: PrivateBus) -> Iterator[BusThread]:
    thread = make(private_bus.address, [])
    thread.start()
    yield thread
    thread.stop()


def test_answers_reach_whoever_asked(bus: BusThread, private_bus: PrivateBus) -> None:
    answers = {("/", f"Get{number}"): ("i", (number,)) for number in range(20)}
    service = BusService(private_bus.address, NAME, answers)
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda number: bus.ask(PLACE, f"Get{number}", timeout_s=5)[0], range(20)))
    service.close()

    assert got == list(range(20))


def test_an_error_and_a_missing_service_are_refusals_with_their_names(bus: BusThread, private_bus: PrivateBus) -> None:
    with pytest.raises(RefusedError) as caught:
        bus.ask(PLACE, "Get")
    assert caught.value.name.endswith("NameHasNoOwner")
    service = BusService(private_bus.address, NAME, {})
    with pytest.raises(RefusedError) as caught:
        bus.ask(PLACE, "Get")
    service.close()
    assert caught.value.name == "org.example.Unknown"


def test_a_silent_service_is_a_timeout_and_one_that_dies_a_refusal(bus: BusThread, private_bus: PrivateBus) -> None:
    service = Silent(private_bus.address, NAME)
    with pytest.raises(TimeoutError):
        bus.ask(PLACE, "Get", timeout_s=0.05)
    killer = threading.Thread(target=lambda: (wait_until(lambda: len(service.asked) == 2), service.close()))
    killer.start()
    with pytest.raises(RefusedError):
        bus.ask(PLACE, "Get", timeout_s=10)
    killer.join()


def test_a_bus_that_dies_ends_open_questions_and_comes_back() -> None:
    private = PrivateBus()
    private.start()
    thread = make(private.address, [])
    thread.start()
    service = Silent(private.address, NAME)
    killer = threading.Thread(target=lambda: (wait_until(lambda: service.asked), private.kill()))
    killer.start()
    with pytest.raises(UnavailableError, match="went away"):
        thread.ask(PLACE, "Get", timeout_s=10)
    killer.join()
    service.close()
    with pytest.raises(UnavailableError):
        thread.ask(PLACE, "Get")
    private.start()
    again = BusService(private.address, NAME, {("/", "Get"): ("s", ("back",))})

    def asked() -> str:
        try:
            return str(thread.ask(PLACE, "Get")[0])
        except UnavailableError:
            return ""

    assert wait_until(asked) == "back"
    thread.stop()
    again.close()
    private.close()


def test_calls_to_us_are_answered_whether_known_or_not(private_bus: PrivateBus) -> None:
    calls: list[str] = []
    thread = make(private_bus.address, calls)
    thread.start()
    wait_until(lambda: thread.unique_name)
    conn = open_dbus_connection(private_bus.address)
    kinds = []
    for word in ("known", "other"):
        call = new_method_call(DBusAddress("/", thread.unique_name, "org.example"), "Update", "s", (word,))
        kinds.append(conn.send_and_get_reply(call, timeout=5).header.message_type)
    conn.close()
    thread.stop()

    assert kinds == [MessageType.method_return, MessageType.error]
    assert calls == ["known", "other"]
    assert thread.unique_name == ""


def test_a_client_connects_at_the_first_question_and_again_after_it_was_closed(private_bus: PrivateBus) -> None:
    service = BusService(private_bus.address, NAME, {("/", "Get"): ("i", (1,))})
    client = BusClient(private_bus.address, "test-client")
    for _ in range(3):
        assert client.ask(PLACE, "Get", timeout_s=5) == (1,)
        client.close()
        client.close()
    service.close()
    assert "test-client" not in {thread.name for thread in threading.enumerate()}


def test_stopping_ends_the_thread_also_without_a_bus() -> None:
    thread = make("unix:path=/nowhere/bus", [])
    thread.start()
    with pytest.raises(UnavailableError):
        thread.ask(PLACE, "Get")
    thread.stop()
    thread.stop()
    with pytest.raises(UnavailableError):
        thread.ask(PLACE, "Get", timeout_s=0.01)
