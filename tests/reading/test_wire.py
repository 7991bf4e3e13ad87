import io

import numpy as np
import pytest

from biny_desktop.reading.wire import WireError, receive, send


def test_a_frame_comes_back_with_its_pictures() -> None:
    stream = io.BytesIO()
    pictures = [np.arange(24, dtype=np.uint8).reshape(2, 4, 3), np.full((1, 1, 3), 9, np.uint8)]
    send(stream, {"do": "detect"}, pictures)
    stream.seek(0)
    answer = receive(stream)
    assert answer is not None
    assert answer[0]["do"] == "detect"
    assert all((one == other).all() for one, other in zip(answer[1], pictures, strict=True))
    assert receive(stream) is None


@pytest.mark.parametrize("size", [0, 3, 8, 12, 30])
def test_a_cut_stream_is_an_end(size: int) -> None:
    stream = io.BytesIO()
    send(stream, {"do": "x"}, [np.zeros((4, 4, 3), np.uint8)])
    assert receive(io.BytesIO(stream.getvalue()[:size])) is None


@pytest.mark.parametrize(
    "noise", [b"\xff" * 40, b"\x00\x00\x00\x02\x00\x00\x00\x00[]", b"\x00\x00\x00\x01\x00\x00\x00\x00{"]
)
def test_noise_is_refused(noise: bytes) -> None:
    with pytest.raises(WireError):
        receive(io.BytesIO(noise))
