import numpy as np

from biny_desktop.reading.prints import row_prints, shifts, square_prints, unexplained, varied


def noise(height: int, width: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def test_one_changed_pixel_changes_one_row_of_one_band_and_one_square() -> None:
    one = noise(200, 300)
    other = one.copy()
    other[130, 70, 1] ^= 1
    assert np.argwhere(row_prints(one) != row_prints(other)).tolist() == [[130, 1]]
    squares = square_prints(row_prints(one)) != square_prints(row_prints(other))
    assert np.argwhere(squares).tolist() == [[2, 1]]


def test_rows_that_swap_places_change_their_square() -> None:
    one = noise(64, 64)
    other = one.copy()
    other[[3, 9]] = one[[9, 3]]
    assert square_prints(row_prints(one)) != square_prints(row_prints(other))


def test_movement_up_and_down_is_found_and_only_the_new_rows_stay_unexplained() -> None:
    for move in (-18, 40):
        old = noise(300, 200)
        new = np.roll(old, move, axis=0)
        fresh = slice(300 + move, 300) if move < 0 else slice(0, move)
        new[fresh] = noise(abs(move), 200, 2)
        cells = row_prints(new) != row_prints(old)
        moves = shifts(row_prints(new), row_prints(old), cells)
        assert moves == [move]
        rest = unexplained(new, old, cells, moves)
        assert rest[fresh].all()
        assert rest.sum() == rest[fresh].size


def test_white_space_moves_nowhere() -> None:
    old, new = np.full((200, 100, 3), 255, np.uint8), np.full((200, 100, 3), 255, np.uint8)
    new[50:90] = 0
    cells = row_prints(new) != row_prints(old)
    assert shifts(row_prints(new), row_prints(old), cells) == []
    assert (unexplained(new, old, cells, []) == cells).all()


def test_cells_that_became_one_colour_show_nothing_and_others_do() -> None:
    old = noise(100, 128)
    new = old.copy()
    new[10:20] = 255
    new[40:50] = noise(10, 128, 2)
    cells = row_prints(new) != row_prints(old)
    shown = varied(new, old, cells)
    assert not shown[10:20].any()
    assert shown[40:50].all()
