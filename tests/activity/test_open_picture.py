"""Opening a picture at the moment when ageing puts a smaller file in its place, or takes it away."""

import pytest

from biny_desktop.activity.ageing_plan import DAY_MS
from biny_desktop.activity.open_picture import open_picture
from biny_desktop.core.errors import NotFoundError
from tests.fakes.activity import ActivityHome, screen


class _Slow:
    """Picture files that are aged between the look at the row and the reading of the file."""

    def __init__(self, home: ActivityHome) -> None:
        self.home, self.left = home, 1

    def read(self, name: str) -> bytes:
        if self.left:
            self.left -= 1
            self.home.retention.run()
        return self.home.files.read(name)


def aged(home: ActivityHome, age_ms: int) -> int:
    frame_id = home.keep("old", picture=screen(1, (1_400, 780)))
    home.queue_nothing(frame_id)
    home.clock.advance(age_ms)
    home.retention.run()
    home.retention.agree_now()
    return frame_id


def test_the_smaller_picture_is_opened_when_the_larger_one_has_just_gone(home: ActivityHome) -> None:
    frame_id = aged(home, 2 * DAY_MS)
    opened = open_picture(home.db, _Slow(home), frame_id)  # type: ignore[arg-type]
    assert opened == home.timeline.picture(frame_id)
    assert home.timeline.frame(frame_id).picture_tier == "medium"


def test_a_picture_that_goes_meanwhile_or_whose_file_is_lost_is_said_to_be_gone(home: ActivityHome) -> None:
    frame_id = aged(home, 40 * DAY_MS)
    with pytest.raises(NotFoundError):
        open_picture(home.db, _Slow(home), frame_id)  # type: ignore[arg-type]
    lost = home.keep("lost")
    home.files.delete(home.timeline.frame(lost).picture_path or "")
    with pytest.raises(NotFoundError):
        open_picture(home.db, home.files, lost)
