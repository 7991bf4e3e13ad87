"""What an empty page says of the recording: whether anything has to be done for rows to appear."""

from biny_desktop.core.i18n import _
from biny_desktop.service.status import Status


def recording_hint(status: Status) -> str:
    """One sentence: what to do, or that nothing has to be done."""
    if not status.enabled:
        return _("Start recording with the button at the top right.")
    if not status.running:
        return _("Recording is switched on, but nothing records at present.")
    if status.state == "stalled":
        return _("Recording has stalled; the button at the top right says why.")
    if status.state == "paused" and status.reason == "user":
        return _("Recording is paused; resume it with the button at the top right.")
    return _("Recording is on: nothing has to be done.")
