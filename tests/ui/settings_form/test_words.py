"""Every setting, choice and group has words a person reads."""

from biny_desktop.core.settings import declarations
from biny_desktop.ui.settings_form.words import (
    CHOICES,
    LABELS,
    choice_words,
    group_words,
    label_words,
    unit_words,
    value_words,
)


def test_every_declared_setting_and_choice_has_words() -> None:
    wanted = {each.key for each in declarations()}
    wanted |= {f"{each.key}.{choice}" for each in declarations() for choice in each.choices or ()}
    wanted |= {f"{each.key}.{each.word}" for each in declarations() if each.word}
    assert wanted - set(LABELS) - set(CHOICES) == set()


def test_what_has_no_words_shows_its_key() -> None:
    assert label_words("later.max_of_them") == "Max of them"
    assert group_words("later_group") == "Later group"
    assert choice_words("later.one", "two") == "two"


def test_values_are_said_with_their_unit() -> None:
    declared = {each.key: each for each in declarations()}
    assert value_words(declared["capture.merge_ms"], 4000) == "4,000 ms"
    assert value_words(declared["read.every"], 3) == "3"
    assert value_words(declared["read.enabled"], True) == "on"
    assert value_words(declared["ui.theme"], "dark") == "Dark"
    assert value_words(declared["day.start"], "04:00") == "04:00"
    assert unit_words("watch.interval_s") == " s"
