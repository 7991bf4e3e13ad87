"""What the recorder does with pixels: compare, recognise what was seen before, encode; one detector a monitor."""

from biny_desktop.capture.change import Change, Detector, Look
from biny_desktop.capture.encode import encode, paint
from biny_desktop.capture.fingerprint import Fingerprint, fingerprint
from biny_desktop.capture.ports import NewPicture, Pixels, Shot
from biny_desktop.capture.screening import HeldPicture, held_picture
from biny_desktop.capture.seen import SeenAgain
from biny_desktop.core.geometry import Rect


class Eyes:
    """The memory of pictures; used from the recorder thread."""

    def __init__(self) -> None:
        self._detectors: dict[str, Detector] = {}
        self._seen = SeenAgain()

    def compare(self, shot: Shot, look: Look) -> Change:
        """Against the last kept picture of the shot's monitor."""
        return self._detectors.setdefault(shot.monitor.key, Detector()).compare(shot, look)

    def look_at(self, shot: Shot) -> Fingerprint:
        """Hashes and thumbnail of a picture that will be kept."""
        return fingerprint(shot.pixels)

    def seen_before(self, shot: Shot, look: Look, print_: Fingerprint) -> int | None:
        """The id of an earlier frame that looks the same."""
        return self._seen.find(shot, look, print_.phash)

    def encode(self, shot: Shot, print_: Fingerprint, max_width: int, quality: int) -> NewPicture:
        """The picture as it is stored."""
        made = encode(shot.pixels, max_width, quality)
        return NewPicture(
            made.jpeg, made.width, made.height, quality, print_.pixel_hash, print_.phash, print_.thumb
        )  # fmt: skip

    def keep(self, shot: Shot, look: Look, print_: Fingerprint, frame_id: int) -> None:
        """The shot became a frame with its own picture, or points at an earlier one: it is the new baseline."""
        self.accept(shot, look)
        self._seen.remember(shot, frame_id, print_.phash)

    def hold(self, shot: Shot) -> HeldPicture:
        """The picture as it waits for its screening."""
        return held_picture(shot.pixels)

    def accept(self, shot: Shot, look: Look) -> None:
        """The shot is held for screening: the new baseline, but nothing later frames can point at."""
        self._detectors.setdefault(shot.monitor.key, Detector()).accept(shot, look)

    def paint(self, pixels: Pixels, rects: list[Rect], scale: float) -> Pixels:
        """The pixels with these rectangles (px of the picture) painted over."""
        return paint(pixels, rects, scale)

    def forget(self) -> None:
        """Drop every baseline (a stale result, another epoch of monitors)."""
        self._detectors.clear()

    def forget_frames(self, frame_ids: list[int]) -> None:
        """These frames were deleted: never point at them again."""
        self._seen.forget_frames(frame_ids)

    def forget_all(self) -> None:
        """Drop baselines and every remembered picture (lock, pause, end)."""
        self.forget()
        self._seen.clear()
