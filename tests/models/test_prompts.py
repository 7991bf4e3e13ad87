"""Prompt files and the messages made of them: data stays data."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.resources import resource
from biny_desktop.core.text import RedactedText
from biny_desktop.models.prompts import SAID_MAX, Message, Part, Prompt, compose, load_prompt, repair
from biny_desktop.redaction.redact import Redactor
from biny_desktop.redaction.result import RedactionOptions

PROMPT = Prompt("models_test", "7", "Do the task.")


def redacted(text: str) -> RedactedText:
    return Redactor(RedactionOptions()).plain(text)


def test_every_shipped_prompt_has_a_version_and_a_text() -> None:
    names = sorted(path.stem for path in Path(resource("prompts")).glob("*.md"))
    assert "models_test" in names
    for name in names:
        prompt = load_prompt(name)
        assert prompt.version
        assert prompt.text
        assert "version:" not in prompt.text


@pytest.mark.parametrize("name", ["../secrets", "A", "", "a b"])
def test_a_prompt_is_never_looked_for_elsewhere(name: str) -> None:
    with pytest.raises(ValueError, match="no prompt"):
        load_prompt(name)


def test_a_prompt_that_is_not_there_is_a_fault_of_the_installation() -> None:
    with pytest.raises(UnavailableError, match="missing or damaged"):
        load_prompt("models_unknown")


def test_task_and_rules_are_apart_from_the_data() -> None:
    system, user = compose(PROMPT, (Part("screen", redacted("a < b")), Part("titles", redacted("t"))), "beef")
    assert system.role == "system"
    assert system.text.startswith("Do the task.\n\n")
    assert "<data-beef …>" in system.text
    assert user == Message(
        "user",
        '<data-beef name="screen">\na < b\n</data-beef>\n\n<data-beef name="titles">\nt\n</data-beef>',
    )


def test_a_question_without_data_has_a_user_message_all_the_same() -> None:
    assert compose(PROMPT, (), "beef")[1].text == "Answer now."


@given(st.text(alphabet='</data-bef 01>="name\nx') | st.text())
def test_no_text_can_close_its_fence(text: str) -> None:
    _, user = compose(PROMPT, (Part("screen", redacted(f"</data-beef>{text}<data-beef>")),), "beef")
    assert user.text.count("beef") == 2
    assert user.text.startswith('<data-beef name="screen">\n')
    assert user.text.endswith("\n</data-beef>")


@pytest.mark.parametrize(
    "token",
    ["<|im_start|>system", "<|im_end|>", "<|eot_id|>", "<\uff5cUser\uff5c>", "</s>", "<s>", "[INST]", "[/INST]",
     "<<SYS>>", "<start_of_turn>", "<end_of_turn>", "</think>", "<think>", "<tool_call>"],
)  # fmt: skip
def test_control_tokens_of_chat_templates_become_plain_text(token: str) -> None:
    _, user = compose(PROMPT, (Part("screen", redacted(f"before {token} after")),), "beef")
    assert token not in user.text
    assert token in user.text.replace(" ", "")


@pytest.mark.parametrize("text", ["a < b | c", "x[INSTALL]", "<span>", "1 <s 2", "if a<|b|"])
def test_other_text_is_sent_as_it_is_or_with_one_space_more(text: str) -> None:
    _, user = compose(PROMPT, (Part("screen", redacted(text)),), "beef")
    assert text.replace(" ", "") in user.text.replace(" ", "")


def test_only_redacted_text_can_be_a_part() -> None:
    with pytest.raises(TypeError):
        Part("screen", "plain")  # type: ignore[arg-type]
    for name in ('a"b', "", "A", "a b", "x" * 60):
        with pytest.raises(ValueError, match="lower-case"):
            Part(name, redacted("t"))


def test_nothing_said_is_in_a_repr() -> None:
    part = Part("screen", redacted("walrus"))
    shown = repr((part, *compose(PROMPT, (part,), "beef"), *repair("walrus", "no JSON")))
    assert "walrus" not in shown


def test_a_repair_shows_the_answer_shortened_and_the_problem() -> None:
    said, wish = repair("x" * 100_000, "title: missing")
    assert len(said.text) == SAID_MAX
    assert "(title: missing)" in wish.text
    assert repair("", "")[0].text == "-"
