"""What is accepted as the address of a model server, and what stands in a slot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.settings import build
from biny_desktop.models.model import SLOTS
from biny_desktop.models.slots import PLAIN_HTTP, check_url, configured, is_local, problem, server_of, warning_of


@pytest.mark.parametrize(
    ("text", "url", "server"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com/v1", "https://api.openai.com:443"),
        (" https://API.OpenAI.com/v1/ ", "https://api.openai.com/v1", "https://api.openai.com:443"),
        ("https://x.io:443/v1", "https://x.io/v1", "https://x.io:443"),
        ("http://127.0.0.1:11434/v1/chat/completions", "http://127.0.0.1:11434/v1", "http://127.0.0.1:11434"),
        ("http://[::1]:8080", "http://[::1]:8080", "http://[::1]:8080"),
        ("http://box", "http://box", "http://box:80"),
        ("https://x.io/api/v1/models", "https://x.io/api/v1", "https://x.io:443"),
    ],
)
def test_an_address_is_normalised(text: str, url: str, server: str) -> None:
    assert check_url(text) == url
    assert check_url(url) == url
    assert server_of(text) == server


@pytest.mark.parametrize(
    "text",
    ["", "localhost:11434", "api.openai.com/v1", "ftp://x/v1", "file:///etc/passwd", "http://", "http:///v1",
     "https://user:secret@x.io/v1", "https://token@x.io", "https://x.io/v1?key=secret", "https://x.io/#a",
     "http://x:99999", "http://x:y/", "http://[::1", "http://a b/", "http://x.io/a b", "javascript:alert(1)"],
)  # fmt: skip
def test_another_address_is_refused_with_a_reason_and_without_repeating_it(text: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        check_url(text)
    assert caught.value.message
    assert caught.value.hint
    assert "secret" not in str(caught.value)


@given(st.text() | st.text(alphabet="htp:/@?#[]1.a ").map(lambda rest: f"http://{rest}"))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        url = check_url(text)
    except InvalidInputError:
        return
    assert check_url(url) == url
    assert server_of(url).count("@") == 0


@pytest.mark.parametrize(
    ("url", "local"),
    [("http://127.0.0.1:1", True), ("http://127.8.8.8/v1", True), ("http://localhost", True), ("http://[::1]:1", True),
     ("http://a.localhost", True), ("http://192.168.1.5", False), ("http://localhost.example.com", False),
     ("https://api.openai.com", False), ("http://0.0.0.0", False)],
)  # fmt: skip
def test_this_machine_is_told_from_others(url: str, local: bool) -> None:
    assert is_local(url) is local


def test_plain_http_to_another_machine_is_warned_of() -> None:
    assert warning_of("http://192.168.1.5:11434/v1") == PLAIN_HTTP
    assert warning_of("http://127.0.0.1:11434/v1") == ""
    assert warning_of("https://api.openai.com/v1") == ""


def test_a_slot_needs_an_address_and_a_model() -> None:
    settings = build({"models": {"chat_url": "https://x.io/v1/", "chat_model": " big ", "small_url": "https://x.io"}})
    config = configured(settings, "chat")
    assert config is not None
    assert (config.url, config.model, config.server) == ("https://x.io/v1", "big", "https://x.io:443")
    assert configured(settings, "small") is None
    assert configured(settings, "rewrite") is None
    assert [problem(settings, slot) for slot in SLOTS] == [None, None, None]


def test_an_unusable_address_in_the_file_is_a_problem_and_no_crash() -> None:
    settings = build({"models": {"small_url": "nonsense", "small_model": "m"}})
    assert configured(settings, "small") is None
    found = problem(settings, "small")
    assert found is not None
    assert "http" in found.message
