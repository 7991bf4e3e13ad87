"""Words of imports: every reason and fault has some, what is nought is left out."""

import re
from pathlib import Path
from typing import get_args

import biny_desktop.conversation.importers as importers
from biny_desktop.conversation.importers.model import BatchState, Counts, RollbackReport
from biny_desktop.conversation.importers.source import FORMATS, Fault
from biny_desktop.core.i18n import use_language
from biny_desktop.ui import import_words as words


def test_every_format_fault_and_reason_has_words() -> None:
    use_language("en")
    assert all(words.format_words(each) != each for each in FORMATS)
    assert all(words.fault_words(each) != each for each in get_args(Fault) if each != "empty")
    sources = "".join(each.read_text() for each in Path(importers.__file__).parent.glob("*.py"))
    reasons = set(re.findall(r"""(?:\.skip\(|\.skip = )"([a-z_]+)\"""", sources))
    assert len(reasons) > 8
    for reason in reasons:
        assert words.left_out_words({reason: 1}) != f"{reason} 1", reason


def test_reasons_that_read_alike_are_one_and_most_come_first() -> None:
    assert words.left_out_words({"thoughts": 2, "tool": 4, "reasoning": 3}) == (
        "the model's thoughts 5\N{NO-BREAK SPACE}· tool results 4"
    )
    assert words.malformed_words({"cycle": 1, "no_id": 2}) == ("without an id 2\N{NO-BREAK SPACE}· going in a circle 1")


def test_what_is_nought_is_left_out() -> None:
    facts = {each.label: each.value for each in words.count_facts(Counts(sessions_grown=1, messages_new=1_200))}
    assert facts == {"Chats": "1 that grow", "Messages": "1,200 new"}
    assert words.count_facts(Counts())[0].value == "none is new"


def test_every_state_has_words() -> None:
    said = [words.state_words(each) for each in get_args(BatchState)]
    assert len(set(said)) == len(said)


def test_chats_that_stay_are_named_as_far_as_there_is_room() -> None:
    stayed = tuple((f"s{n}", f"Chat {n}" if n else "") for n in range(15))
    facts = {each.label: each.value for each in words.undone_facts(RollbackReport(1, 1, 2, 0, stayed))}
    assert facts["Taken out"] == "1 chat, 2 messages"
    assert facts["Stay"].splitlines() == ["s0", *(f"Chat {n}" for n in range(1, 12)), "and 3 more"]
