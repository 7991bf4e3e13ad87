"""The checker of what models say: what is written in the source stays, what is invented goes."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from biny_desktop.activity.claim_check import Sentence, Source, kept, supported
from biny_desktop.activity.claims import claims

LINES = {
    "L1": "2026-03-12 Thursday. Active 5 h 45 min, 09:04–18:37 · 14 activities · 8 apps · 2 h 48 min away",
    "L2": "Storage module (2 h 41 min)",
    "L3": "09:10–10:02 Page cache of storage.py · 52 min · Visual Studio Code, Terminal",
    "L4": "10:50–11:21 Review of pull request #57 by Mara · 31 min · Firefox",
    "L5": "13:09–13:56 码头维修报价 v3.11.2 · 47 min · 表格",
    "L6": "15:00–15:30 Release notes 4,512 downloads, 40 %  https://harbour.example/notes · 30 min",
}
ALL = tuple(LINES.values())
SOURCE = Source(ALL)


@pytest.mark.parametrize(
    "sentence",
    [
        "Most of the day, 2 h 41 min, went into the storage module.",
        "You spent 2 hours 41 minutes on the storage module.",
        "You spent 161 minutes on the storage module.",
        "You worked on storage.py from 9:10 to 10:02.",
        "You worked on storage.py from ９：１０ to １０：０２.",
        "You began at 9:04 am and ended at 6:37 pm.",
        "You reviewed pull request #57 by Mara in Firefox.",
        "You reviewed Mara's pull request.",
        "On 12 March 2026 you used 8 apps.",
        "On March 12th you used eight apps.",
        "On Thursday there were 14 activities.",
        "Half an hour went into the release notes.",
        "You read https://harbour.example/notes about 4512 downloads.",
        "You read “Release notes”.",
        "A 52-minute stretch went into “page cache of storage.py”.",
        "Working in Visual Studio Code/Terminal took 52 min.",
        "3月12日你在8款应用里活动了5小时45分钟。",
        "下午1点09分你打开了《码头维修报价》，用了47分钟。",
        "你在上午9点10分到10点02分看了storage.py。",
        "你用Firefox看了#57。",
        "两小时41分钟用在 Storage module 上。",
        "你从15点开始看 Release notes。",
        "After that the rest was quiet.",
        "The version v3.11.2 was on the screen; 40 % was the share.",
    ],
)
def test_what_the_lines_say_stays(sentence: str) -> None:
    assert supported(sentence, SOURCE), sorted(map(str, claims(sentence)))


@pytest.mark.parametrize(
    "sentence",
    [
        "You fixed 41 files.",  # the 41 of 2 h 41 min is no number of files
        "You worked for 3 hours.",
        "You worked for three hours.",
        "You spent an hour on it.",
        "You began at 9:11.",
        "You began at 9:10 pm.",
        "You reviewed #58.",
        "You reviewed pull request 58.",
        "Alice reviewed the pull request.",
        "You talked to Alice.",
        "You talked to Ákos.",
        "You met Иван.",
        "You used Photoshop.",
        "On 13 March you used 8 apps.",
        "On Friday you used 8 apps.",
        "In 2025 it was worse.",
        "You read https://evil.example/notes.",
        "You read www.evil.example.",
        "You read “a letter from home”.",
        "You read “Release notes",
        'You read "the contract".',
        "You installed version 3.11.3.",
        "You installed v3.11.",
        "Sales rose by 41%.",
        "You ran test_storage.py.",
        "You opened /etc/passwd.",
        "You saw f20311.",
        "Two dozen people came.",
        "It happened twice.",
        "你和Alice开了会。",
        "Photoshop用了47分钟。",
        "你写了三个文件。",
        "你读了《合同》。",
        "你读了「合同」。",
        "下午2点你开了会。",
        "3月13日你很忙。",
        "你工作了半小时又十二分钟。",
        "你花了٤٢分钟。",
        "You saw 4\u200b2 things.",
        "You saw ４２ things.",
        "You saw ④② things.",
        "Storage.PY2 was open.",
    ],
)
def test_what_they_do_not_say_goes(sentence: str) -> None:
    assert not supported(sentence, SOURCE), sorted(map(str, claims(sentence)))


def test_a_time_right_behind_a_full_width_colon_is_a_time() -> None:
    source = Source(("另有 3 个较短的（共 5 分钟）：09:10、09:20", "设备 aa:11:40"))
    assert supported("09:10 和 09:20 做了较短的事。", source)
    assert not supported("11:40 做了较短的事。", source)


def test_only_the_named_lines_count_and_all_ids_must_exist() -> None:
    said = [
        Sentence("You reviewed #57 by Mara.", ("L4",)),
        Sentence("You reviewed #57 by Mara in Firefox.", ("L3",)),
        Sentence("You worked on the storage module.", ("L2", "L99")),
        Sentence("You worked on the storage module.", ()),
        Sentence("You reviewed #57 by Mara.", ("L4",)),
    ]
    assert kept(said, LINES) == [said[0]]


NUMBERS = st.integers(0, 10**7)
NAMES = st.from_regex(r"[A-Z][a-z]{2,9}", fullmatch=True)


COUNTS = ["You wrote {} lines.", "你写了{}行。", "You had {} %.", "See #{}.", "v{}.7 ran.", "{}:30 came."]
PEOPLE = ["You met {}.", "Then {} came.", "你见了{}。", "“Release notes” was read by {}.", "{} came."]


@given(NUMBERS, st.sampled_from(COUNTS))
def test_an_invented_number_never_stays(number: int, frame: str) -> None:
    known = {claim.value.lstrip("0") for text in ALL for claim in claims(text, quotes=False)}
    assume(str(number) not in known)
    assume(not (frame.startswith("{}:30") and number in (15, 3)))
    assume(not (frame == "You had {} %." and number == 40))
    assert not supported(frame.format(number), SOURCE)


@given(NAMES, st.sampled_from(PEOPLE))
def test_an_invented_name_never_stays(name: str, frame: str) -> None:
    assume(name.casefold() not in " ".join(ALL).casefold())
    assume(not (frame == "{} came." and name.lower().endswith(("ing", "ed", "ly"))))
    assume(
        not (frame == "{} came." and supported(frame.format(name), Source(())))
    )  # an ordinary opening: Then, After …
    assert not supported(frame.format(name), SOURCE)


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_text_raises(sentence: str, source: str) -> None:
    supported(sentence, Source((source,)))
    assert supported("so it went", Source((source,)))


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80))
def test_a_line_supports_itself(text: str) -> None:
    assume(not any(mark in text for mark in '“”„「」『』《》〈〉«»"`〝〞＂｀｢｣'))
    words = " ".join(text.split())
    missing = [c for c in claims(words) if not supported(words, Source((words,)))]
    assert not missing
