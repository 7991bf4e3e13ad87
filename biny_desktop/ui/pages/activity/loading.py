"""What the viewer needs of one frame, fetched and decoded in a pool thread."""

from dataclasses import dataclass

from PySide6.QtGui import QImage

from biny_desktop.activity.model import Frame, FrameDetail
from biny_desktop.activity.timeline import Timeline
from biny_desktop.core.days import activity_day
from biny_desktop.core.errors import BinyError, said
from biny_desktop.core.i18n import _


@dataclass(frozen=True, slots=True)
class LoadedFrame:
    """A frame with its decoded picture; without one `problem` says why."""

    detail: FrameDetail
    image: QImage | None
    problem: str


def load_frame(timeline: Timeline, frame_id: int) -> LoadedFrame:
    """Read a frame and its picture.

    Raises:
        NotFoundError: the frame does not exist or was deleted.
    """
    detail = timeline.frame(frame_id)
    if detail.frame.picture_state != "live":
        return LoadedFrame(detail, None, _("The picture is gone. Text and details are still here."))
    try:
        data = timeline.picture(frame_id)
    except BinyError as error:
        return LoadedFrame(detail, None, "\n".join(part for part in said(error) if part))
    image = QImage.fromData(data).convertToFormat(QImage.Format.Format_RGB32)
    if image.isNull():
        return LoadedFrame(detail, None, _("The picture file cannot be decoded. Text and details are still here."))
    return LoadedFrame(detail, image, "")


def day_of(frame: Frame, start: str) -> str:
    """The activity day of a frame in its own zone."""
    return activity_day(frame.at_ms, frame.zone, start)
