"""Every limit of change detection with its unit and where it comes from; lengths and areas are for scale 1."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of spec 02 §5; lengths (px) grow with the scale s of the monitor, areas (pixels) with s².

    Numbers in brackets name the step or rule of §5. Those marked "own" were chosen on the labelled pairs together with
    drawn variations of them (`tests/capture/`), with the reason given where they are used.
    """

    colour_step: int = 16
    """Every n-th pixel each way goes into the colour distribution (B)."""
    colour_distance: float = 0.25
    colour_share: float = 0.02
    """Hellinger distance above which the picture changed at once, 0..1 (B), if that part of the pixels changed; own:
    noise moves a flat colour across the border of two bins."""
    row_gap: int = 8
    """Rows without change inside one rectangle at most, px (C)."""
    column_gap: int = 24
    """Columns without change inside one rectangle at most, px (C)."""
    level: int = 24
    """A channel off by more than this many levels of 255 counts as changed (C)."""
    join_width: int = 9
    join_height: int = 5
    """Changed pixels are grown by this much before they are connected, px (C)."""
    pointer_left: int = 16
    pointer_top: int = 14
    pointer_right: int = 22
    pointer_bottom: int = 28
    """What the pointer's picture covers around its place, px (1)."""
    noise_pixels: int = 6
    """Fewer changed pixels are noise (2)."""
    view_margin: int = 3
    """A part is looked at with this much around it, px (3)."""
    structure: float = 0.96
    structure_small: float = 0.94
    small_pixels: int = 400
    """Correlation from which structure is the same, and for parts under `small_pixels` (3)."""
    soft_change: float = 0.35
    """Mean change of the changed pixels as a part of the range of the view (3)."""
    faded_change: float = 0.25
    faded_structure: float = 0.98
    """Colours that compression took from thin lines: mean change as above, correlation of the brightness; own."""
    signed_grey: float = 18.0
    signed_colour: float = 20.0
    """Signed difference averaged over 4×4 px (grey) and 8×8 px (colour) above which it is no jitter, levels (12)."""
    caret_fill: float = 0.85
    caret_width: int = 12
    caret_height: int = 40
    """Caret: filled, narrow, not tall, px (4)."""
    caret_low: int = 12
    """An upright caret is at least this high, px; own (a lone "l" of small text is lower)."""
    block_width: int = 6
    block_fill: float = 0.7
    block_edge: float = 0.95
    """Block caret over a letter: at least this wide, px, filled but for the letter, its edge unbroken; own."""
    ring_size: int = 16
    ring_depth: int = 3
    ring_inside: float = 0.02
    """Ring: larger than this each way, px; at most this part of it lies further in than `ring_depth` px (4)."""
    hover_reach: int = 8
    hover_fill: float = 0.35
    hover_height: int = 64
    hover_one_way: float = 0.9
    hover_structure: float = 0.85
    hover_even: float = 0.75
    hover_ink: float = 0.02
    even_levels: float = 8.0
    """Hover: touches the pointer, not high, all brighter or darker (5), and the same shape in another tone (12) or
    filled, this part of its pixels off by the same amount, give or take some levels, and no new letters in it; own
    (instead of a width: rows are wide, and a toast under the pointer is no hover)."""
    tiny_width: int = 11
    tiny_height: int = 12
    dots_width: int = 18
    dots_height: int = 6
    """A single part up to this size is a digit of a timer or a piece of a spinner, or typing dots, px (6: 14 × 12; own:
    two letters of small text are 14 px wide, and a spinner is told by its circle)."""
    dot_size: int = 9
    dot_gap: int = 24
    """Dots in a row are typing dots also when they are apart: round, at most this big and this far, px; own."""
    circle_radius: int = 30
    circle_spread: float = 1.2
    circle_both_ways: float = 0.08
    """A spinner's arcs lie on one circle of at most this radius, px, give or take (standard deviation, px), and at
    least this part of the pixels goes the rarer way in brightness; own."""
    tick_one_way: float = 0.8
    """A tick inside an unchanged box goes one way in brightness (6)."""
    stroke_length: int = 24
    stroke_pixels: int = 1_500
    stroke_width: float = 4.0
    stroke_turn: float = 0.06
    """Clock hand: longer than this, px, few pixels (7; own: a hand that points up is narrow); own: spread across it,
    px, and sine of the least angle between old and new (a second is 6°; lines of text are parallel)."""
    stop_parts: int = 3
    stop_pixels: int = 2_000
    stop_big_pixels: int = 6_000
    stop_big_size: int = 64
    stop_big_fill: float = 0.04
    """When to stop looking (8); own: specks of compression joined over a page of text fill a hundredth of their box."""
    bar_width: int = 16
    bar_length: int = 30
    bar_neutral: float = 12.0
    """Scroll bar: own; at most this wide and at least this long, px; grey to within this many levels (12)."""
    solid_fill: float = 0.6
    solid_structure: float = 0.9
    solid_size: int = 5
    """A light or a highlight: filled, same outline, another colour, at least this big, px; own (3)."""
    blob_fill: float = 0.7
    blob_size: int = 7
    """A filled spot that came or went and is at least this big, px, is a badge, no typing dot; own."""
    restless_size: int = 180
    """The only part of a look up to this size can become restless, px (9)."""
    restless_width: int = 40
    restless_height: int = 24
    """One of several parts up to this size can, px (13; own: a spinner or a group of digits, not a line of chat)."""
    restless_fade: float = 0.8
    restless_mute: float = 1.7
    """A place gains 1 when it moved, fades at each look, and is muted at this score (13)."""
    restless_grow: int = 16
    restless_slack: int = 4
    """How far a part may reach out of a muted place sideways and up or down, px; own (a timer gets a digit more)."""
    restless_ms: int = 600_000
    """A place that did not move for this long is forgotten, ms (9)."""
    still_ms: int = 10_000
    """A value that stayed for this long is a value, not a movement, ms (13)."""
    click_reach: int = 24
    """What a click did near its place is never movement, px; own."""
    click_teach: int = 200
    """A click teaches nothing within this distance, px; own (a counter beside its button)."""
    parts_judged: int = 200
    """Parts judged in one look at most, largest first; own (bounds the time of a badly compressed screen)."""
    stripe_rows: int = 96
    """Rows looked at together at first, px; own (speed)."""
    tile: int = 60
    """Side of a tile, px (10)."""
