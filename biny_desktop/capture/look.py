"""What the recorder knows at the moment of a grab besides its pixels."""

from dataclasses import dataclass

from biny_desktop.capture.ports import TriggerKind
from biny_desktop.core.geometry import Rect


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a monitor.

    `window_id`, `app_id` of the front window; `trigger` why it is looked at; `click` place of the click in pixels of
    the Shot when the trigger was one; `mono_ms` monotonic time; `window_rect` the front window in pixels of the Shot.
    """

    window_id: str
    app_id: str
    trigger: TriggerKind
    click: tuple[int, int] | None
    mono_ms: int
    window_rect: Rect | None
