"""From an anchor to its source."""

import pytest

from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import NotFoundError
from biny_desktop.service.trace import trace
from tests.fakes.product_pages import FakeProduct


def test_frames_and_segments_are_opened() -> None:
    product = FakeProduct(40)
    frame = trace(Anchor("frame", "7", 0, "UTC"), product.timeline, product.segments)
    assert frame.frame is not None
    assert frame.frame.frame.id == 7
    segment = trace(Anchor("segment", "2", 0, "UTC"), product.timeline, product.segments)
    assert segment.segment is not None
    assert segment.segment.segment.id == 2


@pytest.mark.parametrize(("kind", "ref"), [("segment", "99"), ("segment", "x"), ("frame", "99"), ("card", "1")])
def test_what_is_gone_or_unknown_is_said_to_be(kind: str, ref: str) -> None:
    product = FakeProduct(40)
    with pytest.raises(NotFoundError):
        trace(Anchor(kind, ref, 0, "UTC"), product.timeline, product.segments)  # type: ignore[arg-type]


def test_without_a_reader_of_segments_none_is_opened() -> None:
    with pytest.raises(NotFoundError):
        trace(Anchor("segment", "1", 0, "UTC"), FakeProduct(4).timeline)
