"""Answers as models really give them, read into a value or a typed failure; nothing is ever made up."""

import json
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, field_validator

from biny_desktop.models.model import Failure
from biny_desktop.models.parsing import read_answer, without_reasoning

ANSWERS = json.loads((Path(__file__).parents[1] / "data/model_outputs/tiny_model.json").read_text(encoding="utf-8"))


class Verdict(BaseModel):
    duplicate: bool
    of: int | None = None
    reason: str = Field("", max_length=200)


class Item(BaseModel):
    text: str
    kind: Literal["fact", "plan"] = "fact"


class Items(BaseModel):
    model_config = ConfigDict(extra="forbid")

    items: list[Item]
    meta: Item | None = None


class Names(BaseModel):
    names: dict[str, int]


class Clumsy(BaseModel):
    text: str

    @field_validator("text", mode="before")
    @classmethod
    def _first(cls, value: object) -> object:
        return value["first"]  # type: ignore[index]  # fails with TypeError on anything but a dict


SCHEMAS = (Verdict, Item, Items, Names)
GOOD = '{"duplicate": true, "of": 2, "reason": "same"}'
WANTED = Verdict(duplicate=True, of=2, reason="same")


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  {GOOD}\n\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"~~~JSON\n{GOOD}\n~~~",
        f"Sure, here it is:\n\n```json\n{GOOD}\n```\nAsk me for more.",
        f"```json\n{GOOD}",
        f"The answer is {GOOD} as you asked.",
        f"See [1] and {{braces}}: {GOOD}",
        f"<think>maybe {{}} or {GOOD.replace('2', '3')}</think>\n{GOOD}",
        f"I should say {{\"duplicate\": false}}\n</think>\n\n{GOOD}",
        f"<THINKING>a</THINKING><reasoning>b</reasoning>{GOOD}",
        f"<|channel|>analysis<|message|>{{}}<|end|><|start|>assistant<|channel|>final<|message|>{GOOD}",
        f"A bracket :-[ and one {{more: {GOOD}",
        json.dumps(GOOD),
        json.dumps(json.dumps(GOOD)),
        json.dumps(f"```json\n{GOOD}\n```"),
        GOOD.replace('"', '\\"'),
        '{"duplicate": true, "of": 2, "reason": "same",}',
        f'{{"result": {GOOD}}}',
        f"[{GOOD}]",
        f"{GOOD}\n{GOOD}",
        f"﻿{GOOD}",
    ],
)  # fmt: skip
def test_what_stands_around_the_value_does_not_matter(text: str) -> None:
    assert read_answer(text, "stop", Verdict) == WANTED


@pytest.mark.parametrize(
    ("text", "finish", "kind"),
    [
        ("", "stop", "empty"),
        (" \n\t", "stop", "empty"),
        ("<think>only thoughts, with {\"duplicate\": true}</think>", "stop", "empty"),
        ("<think>thoughts that go on {\"duplicate\": true}", "stop", "empty"),
        ("<think>thoughts cut off", "length", "truncated"),
        ("", "length", "truncated"),
        ('{"duplicate": true, "reason": "cut he', "length", "truncated"),
        ('{"duplicate": true, "reason": "cut he', "stop", "truncated"),
        ('```json\n{"duplicate": true, "of": 2', "", "truncated"),
        (f"{GOOD}\n{GOOD}\n{{\"dupl", "length", "truncated"),
        ("Here you are:\n[{\"duplicate\": true}, {\"dup", "stop", "truncated"),
        ("Here you are: [{\"duplicate\": true}, {\"dup", "stop", "truncated"),
        ("{\"inner\": {\"duplicate\": true}, 'broken': 1}", "stop", "invalid_json"),
        ("I am sorry, I cannot do that.", "stop", "invalid_json"),
        ("{braces in prose} and {more, :-[ too", "stop", "invalid_json"),
        ("null", "stop", "invalid_json"),
        ('"just words"', "stop", "invalid_json"),
        ('{"duplicate": NaN}', "stop", "invalid_json"),
        ("[" * 100_000, "stop", "truncated"),
        ("[" * 5_000 + "]" * 5_000, "stop", "invalid_json"),
        ('{"of": 1}', "stop", "invalid_shape"),
        ("[1, 2]", "stop", "invalid_shape"),
        ('{"duplicate": true}\n{"duplicate": false}', "stop", "invalid_shape"),
    ],
)  # fmt: skip
def test_everything_else_is_a_typed_failure(text: str, finish: str, kind: str) -> None:
    answer = read_answer(text, finish, Verdict)
    assert isinstance(answer, Failure)
    assert answer.kind == kind


def test_a_whole_answer_at_the_very_limit_counts() -> None:
    assert read_answer(GOOD, "length", Verdict) == WANTED
    assert read_answer(f"```json\n{GOOD}\n```", "length", Verdict) == WANTED
    more = read_answer(f"```json\n{GOOD}\n```\nNo, better: ```json", "length", Verdict)
    assert more == Failure("truncated", "length")


def test_a_tag_inside_a_value_is_content() -> None:
    text = '{"text": "the tag </think> closes <think>"}'
    assert read_answer(text, "stop", Item) == Item(text="the tag </think> closes <think>")


def test_a_comma_inside_a_text_stays() -> None:
    assert read_answer('{"text": "a,} b,]",}', "stop", Item) == Item(text="a,} b,]")


def test_a_line_end_inside_a_text_is_read() -> None:
    assert read_answer('{"text": "a\nb"}', "stop", Item) == Item(text="a\nb")


def test_fields_that_are_encoded_twice_are_opened() -> None:
    inner = json.dumps([{"text": "a"}, {"text": "b", "kind": "plan"}])
    wanted = Items(items=[Item(text="a"), Item(text="b", kind="plan")], meta=Item(text="m"))
    text = json.dumps({"items": inner, "meta": json.dumps({"text": "m"})})
    assert read_answer(text, "stop", Items) == wanted
    rows = json.dumps({"items": ['{"text": "a"}', '{"text": "b", "kind": "plan"}'], "meta": {"text": "m"}})
    assert read_answer(rows, "stop", Items) == wanted


def test_a_text_field_that_holds_json_stays_text() -> None:
    assert read_answer(json.dumps({"text": '{"a": 1}'}), "stop", Item) == Item(text='{"a": 1}')


def test_a_shape_fault_names_declared_fields_and_no_content() -> None:
    answer = read_answer('{"items": [{"kind": "secretword"}], "secretkey": 1}', "stop", Items)
    assert isinstance(answer, Failure)
    assert answer.detail == "items.0.text: missing; items.0.kind: literal_error; *: extra_forbidden"
    answer = read_answer('{"names": {"secretkey": "x"}}', "stop", Names)
    assert isinstance(answer, Failure)
    assert answer.detail == "names.*: int_parsing"


@pytest.mark.logs_warning("a validator of Clumsy failed with TypeError")
def test_a_validator_that_breaks_is_a_shape_fault() -> None:
    assert read_answer('{"text": "plain"}', "stop", Clumsy) == Failure("invalid_shape", "validator")


@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize("answer", ANSWERS, ids=range(len(ANSWERS)))
def test_no_answer_of_a_tiny_model_crashes_or_is_made_up(answer: dict[str, str], schema: type[BaseModel]) -> None:
    read = read_answer(answer["output"], answer["finish_reason"], schema)
    if isinstance(read, Failure):
        assert read.kind in ("empty", "truncated", "invalid_json", "invalid_shape")
        return
    assert isinstance(read, schema)
    for value in read.model_dump(exclude_unset=True).values():  # what it holds stands in the answer
        assert not isinstance(value, str) or value in answer["output"]


def test_the_tiny_model_gives_every_kind_of_answer() -> None:
    read = [read_answer(answer["output"], answer["finish_reason"], Verdict) for answer in ANSWERS]
    assert {answer.kind for answer in read if isinstance(answer, Failure)} >= {"truncated", "invalid_json"}


PIECES = st.sampled_from(
    ["{", "}", "[", "]", '"', "\\", ",", ":", "\n", "```", "```json\n", "<think>", "</think>", '"text"', "null",
     '{"text": "a"}',
     "1e999", "NaN", "<|channel|>final", "<|message|>", "\ud800", "é", "\x00", " ", "word", '\\"', "~~~"]
)  # fmt: skip


@given(
    text=st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)),
    finish=st.sampled_from(["stop", "length", ""]),
)
def test_reading_never_raises(text: str, finish: str) -> None:
    for schema in SCHEMAS:
        assert isinstance(read_answer(text, finish, schema), schema | Failure)


@given(st.dictionaries(st.text(), st.recursive(st.text() | st.integers() | st.none(), st.lists, max_leaves=5)))
def test_whatever_json_is_wrapped_is_read_as_it_is(content: dict[str, object]) -> None:
    class Anything(BaseModel):
        content: object

    text = json.dumps({"content": content})
    for wrapped in (text, f"```json\n{text}\n```", f"<think>x</think>{text}", json.dumps(text)):
        assert read_answer(wrapped, "stop", Anything) == Anything(content=content)


@pytest.mark.parametrize(
    "piece", ["<think>", "```a\n", '\\"', '"', "{x", '{"', ",  ", "</think>", "[[", "\\", "<|channel|>", '"\\']
)  # fmt: skip
def test_what_is_repeated_without_end_takes_no_time(piece: str) -> None:
    for begin in ("", '"', "{", "```\n"):
        assert isinstance(read_answer(begin + piece * 60_000, "stop", Verdict), Failure)


def test_reasoning_without_an_answer_leaves_nothing() -> None:
    assert without_reasoning("<|channel|>analysis<|message|>hm<|end|>") == ""
    assert without_reasoning("a</think>b") == "b"
