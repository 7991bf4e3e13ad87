"""What can be deleted from where the person is: this frame, the time in sight, this app, this day; pure."""

from datetime import date

from biny_desktop.activity.deletes import Selection
from biny_desktop.activity.model import Frame
from biny_desktop.core.days import DayRange
from biny_desktop.core.i18n import _
from biny_desktop.ui.dialogs.delete import Choice
from biny_desktop.ui.formats import clock_time, day_title


def choices(frame: Frame | None, in_sight: tuple[int, int] | None, day: DayRange, today: date) -> list[Choice]:
    """The choices of the delete dialog, the smallest first (spec 03 §9)."""
    name = day_title(date.fromisoformat(day.day), today)
    found: list[Choice] = []
    if frame is not None:
        time = clock_time(frame.at_ms, frame.zone, seconds=True)
        found.append(Choice("frame", _("This frame ({time})").format(time=time), Selection.of_frames(frame.id)))
    span = in_sight or (day.start_ms, day.end_ms)
    found.append(Choice("range", _("Everything in a time range"), None, span))
    if frame is not None:
        app = frame.app_name or frame.app_id
        on_day = Selection.of_app(frame.app_id, day.start_ms, day.end_ms)
        found += [
            Choice("app_day", _("{app}, on this day ({day})").format(app=app, day=name), on_day),
            Choice("app", _("{app}, of all time").format(app=app), Selection.of_app(frame.app_id)),
        ]
    found.append(Choice("day", _("The whole day ({day})").format(day=name), Selection.of_day(day)))
    return found
