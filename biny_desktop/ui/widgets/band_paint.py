"""How a segment and a gap look as a band: colour of the main app, title and length inside where they fit."""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPen

from biny_desktop.activity.model import Gap
from biny_desktop.activity.segments.model import Segment
from biny_desktop.ui.colours import mix
from biny_desktop.ui.formats import duration
from biny_desktop.ui.segment_words import segment_times, segment_title, status_words
from biny_desktop.ui.theme import app_colour, colour, tokens
from biny_desktop.ui.widgets.texture import dots, hatch
from biny_desktop.ui.widgets.time_axis import TimeAxis
from biny_desktop.ui.words import cause_words

LEAST_TEXT_PX = 34
"""Narrower bands have no text."""
STRIPE_PX = 3
SPAN_PX, LEAST_SPAN_PX = 8, 4
"""Idle and private spans are a strip along the foot, so that no text stands on a texture."""
TINT = {"light": 0.16, "dark": 0.18}
"""How much of the app's colour is in the ground of its band; text on it keeps ≥ 4.5:1 (tested)."""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def paint_segment(painter: QPainter, area: QRect, segment: Segment, axis: TimeAxis, *, chosen: bool) -> None:
    """A segment over its time; `area` is as wide as it lasts."""
    if segment.trivial:
        area = area.adjusted(0, area.height() // 3, 0, 0)
    painter.save()
    painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
    _ground(painter, area, segment)
    foot = min(SPAN_PX, area.height())
    for span in segment.spans:
        wide = axis.x(span.end_ms) - axis.x(span.start_ms)
        if wide < LEAST_SPAN_PX:
            continue
        part = QRect(axis.x(span.start_ms), area.bottom() + 1 - foot, wide, foot)
        if span.kind == "idle":
            painter.fillRect(part, mix(colour("panel"), colour("muted"), 0.06))
            dots(painter, part, mix(colour("panel"), colour("muted"), 0.45))
        else:
            ground = mix(colour("panel"), colour("private"), 0.12)
            hatch(painter, part, mix(colour("panel"), colour("private"), 0.6), ground)
    if area.width() >= LEAST_TEXT_PX and not segment.hidden and not segment.trivial:
        _words(painter, area.adjusted(STRIPE_PX + 5, 0, -4, 0), segment)
    painter.restore()
    painter.setPen(QPen(colour("accent"), 2) if chosen else QPen(colour("line"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if chosen:
        painter.drawRect(QRectF(area).adjusted(1, 1, -1, -1))
    elif area.width() > 2:
        painter.drawRect(area.adjusted(0, 0, -1, -1))


def _ground(painter: QPainter, area: QRect, segment: Segment) -> None:
    tint = TINT[tokens().name]
    if segment.kind == "private":
        hatch(painter, area, mix(colour("panel"), colour("private"), 0.5), mix(colour("panel"), colour("private"), 0.1))
        return
    hue = app_colour(segment.apps[0].app_id) if segment.apps else colour("muted")
    if segment.hidden:
        painter.fillRect(area, colour("panel"))
        return
    ground = mix(colour("panel"), hue, tint)
    if segment.kind == "watching":
        dots(painter, area, mix(colour("panel"), hue, 0.6), mix(colour("panel"), hue, tint / 2))
    else:
        painter.fillRect(area, ground if area.width() > 2 * STRIPE_PX else mix(colour("panel"), hue, 0.6))
    if area.width() > 2 * STRIPE_PX:
        painter.fillRect(QRect(area.x(), area.y(), STRIPE_PX, area.height()), hue)


def _words(painter: QPainter, area: QRect, segment: Segment) -> None:
    """Title, and under it the length where there is room for two lines; a ground behind it on textures."""
    metrics = painter.fontMetrics()
    title = metrics.elidedText(segment_title(segment), Qt.TextElideMode.ElideRight, area.width())
    line = metrics.height()
    two = area.height() >= 2 * line + 4
    if segment.kind != "active":
        wide = metrics.horizontalAdvance(title) + 8
        painter.fillRect(QRect(area.x() - 4, area.y(), min(wide, area.width() + 8), area.height()), colour("panel"))
    painter.setPen(colour("private" if segment.kind == "private" else "text"))
    if not two:
        painter.drawText(area, _LEFT, title)
        return
    top = area.y() + max(1, (area.height() - SPAN_PX - 2 * line) // 2)
    painter.drawText(QRect(area.x(), top, area.width(), line), _LEFT, title)
    painter.setPen(colour("muted"))
    length = metrics.elidedText(duration(segment.length_ms), Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(QRect(area.x(), top + line, area.width(), line), _LEFT, length)


def paint_gap(painter: QPainter, area: QRect, gap: Gap) -> None:
    """A gap: hatched, with its cause where it fits."""
    token = "private" if gap.cause == "private" else "muted"
    hatch(painter, area, mix(colour("bg"), colour(token), 0.22))
    if area.width() < LEAST_TEXT_PX:
        return
    metrics = painter.fontMetrics()
    words = cause_words(gap.cause)
    wide = metrics.horizontalAdvance(words) + 8
    if wide + 4 > area.width():
        return
    box = QRect(area.center().x() - wide // 2, area.center().y() - metrics.height() // 2, wide, metrics.height())
    painter.fillRect(box, colour("bg"))
    painter.setPen(colour("bad" if gap.cause == "stalled" else token))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


def segment_tip(segment: Segment) -> str:
    """The tooltip of a segment."""
    apps = ", ".join(f"{app.app_name or app.app_id} {duration(app.ms)}" for app in segment.apps[:4] if app.ms)
    lines = (
        segment_title(segment), f"{segment_times(segment)} · {duration(segment.length_ms)}", apps,
        segment.project or "", segment.note or "", status_words(segment),
    )  # fmt: skip
    return "\n".join(line for line in lines if line)


def small_font(font: QFont) -> QFont:
    """That font in secondary size."""
    made = QFont(font)
    made.setPixelSize(tokens().small_px)
    return made
