"""Memory of places that never rest: what it mutes, what it must not mute, and that no last value is lost."""

from collections.abc import Callable

from biny_desktop.capture.change import Change, Detector
from biny_desktop.capture.ports import TriggerKind
from biny_desktop.core.geometry import Rect
from tests.capture.screens import DARK, LIGHT, Screen, base, look

SECOND = 1000


class Watch:
    """Looks at a screen once a step; a changed look is kept."""

    def __init__(self, draw: Callable[[Screen, int], None], every_ms: int = SECOND) -> None:
        self._draw = draw
        self._every = every_ms
        self._detector = Detector()

    def at(self, step: int, trigger: TriggerKind = "visual_change", **known: object) -> Change:
        """The look number `step`."""
        screen = base(LIGHT, 1)
        self._draw(screen, step)
        moment = look(at_ms=step * self._every, trigger=trigger, **known)
        change = self._detector.compare(screen.shot(), moment)
        if change.changed:
            self._detector.accept(screen.shot(), moment)
        return change

    def kept(self, steps: range) -> list[int]:
        """Steps whose look was kept."""
        return [step for step in steps if self.at(step).changed]


def busy(screen: Screen, step: int) -> None:
    """A timer, a clock and a spinner that never stop."""
    screen.text(500, 60, f"running 0:00:{step:02d}", 13)
    screen.text(500, 330, f"18:16:{step:02d}", 18)
    screen.arc(460, 60, 14, step * 75, step * 75 + 80, screen.theme.accent)


def test_what_never_stops_is_muted_after_two_looks() -> None:
    assert len(Watch(busy).kept(range(1, 30))) <= 4, "the first, and one where a digit more began to move"


def test_news_beside_what_never_stops_is_kept() -> None:
    def draw(screen: Screen, step: int) -> None:
        busy(screen, step)
        screen.text(500, 84, "passed" if step >= 15 else "waits", 13)
        screen.text(24, 300, "a line that arrived later" if step >= 22 else "", 13)

    kept = Watch(draw).kept(range(1, 30))
    assert {15, 22} <= set(kept)


def test_last_value_of_a_muted_place_is_kept_once_it_is_still() -> None:
    watch = Watch(lambda screen, step: screen.text(500, 330, f"{min(step, 8) * 7} %", 18))
    kept = watch.kept(range(1, 40))
    late = [step for step in kept if step > 8]
    assert late == [18], "ten seconds after the last movement, once"
    assert not watch.at(40).changed


def test_lone_digit_that_stays_is_kept_ten_seconds_later() -> None:
    watch = Watch(lambda screen, step: screen.text(500, 330, "3" if step < 3 else "8", 13))
    assert watch.kept(range(1, 30)) == [1, 13]


def test_values_typed_into_one_cell_are_never_muted() -> None:
    watch = Watch(lambda screen, step: screen.text(250, 330, f"{step * 137}", 13))
    assert all(watch.at(step, "typing_pause").changed for step in range(1, 12))


def test_counter_beside_its_button_is_never_muted() -> None:
    watch = Watch(lambda screen, step: screen.text(470, 166, f"{step * 13 + 20} sent", 13))
    assert all(watch.at(step, "click", click=(440, 172)).changed for step in range(1, 12))


def test_short_chat_lines_are_never_muted() -> None:
    words = ["ok then", "yes", "on my way", "two more", "by the gate", "no", "fine by me", "soon", "who has it"]

    def draw(screen: Screen, step: int) -> None:
        for row in range(5):
            number = (step + row) % len(words)
            screen.disc(400, 270 + 34 * row, 26, ((number * 37) % 200, 90, 140))
            screen.text(440, 276 + 34 * row, words[number])

    assert Watch(draw, 12 * SECOND).kept(range(1, 12)) == list(range(1, 12))


def test_another_front_window_forgets_restless_places() -> None:
    watch = Watch(lambda screen, step: screen.text(500, 330, f"18:16:{step:02d}", 24))
    for step in range(1, 9):
        watch.at(step)
    assert watch.at(9).reason == "same_restless"
    assert watch.at(10, window_id="2").changed


def test_click_in_a_restless_place_forgets_it() -> None:
    watch = Watch(lambda screen, step: screen.text(500, 330, f"18:16:{step:02d}", 24))
    for step in range(1, 9):
        watch.at(step)
    assert watch.at(9, "click", click=(590, 345)).changed


def test_typing_elsewhere_lets_other_windows_stay_muted() -> None:
    window = Rect(0, 0, 400, 450)
    watch = Watch(lambda screen, step: screen.text(500, 330, f"18:16:{step:02d}", 24))
    for step in range(1, 9):
        watch.at(step, "typing_pause", window_rect=window)
    assert watch.at(9, "typing_pause", window_rect=window).reason == "same_restless"


def test_dark_screens_mute_too() -> None:
    detector = Detector()
    reasons = []
    for step in range(1, 12):
        screen = base(DARK, 2)
        busy(screen, step)
        shot, moment = screen.shot(), look(at_ms=step * SECOND)
        change = detector.compare(shot, moment)
        reasons.append(change.reason)
        if change.changed:
            detector.accept(shot, moment)
    assert reasons[-1] == "same_restless"
