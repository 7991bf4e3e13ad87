"""Banners of the start: what happened before, where it leads, and that it is said once."""

from PySide6.QtWidgets import QPushButton, QToolButton

from biny_desktop.service.crash import crashes, write_crash


def crashed(product) -> None:
    write_crash(product.folders, product.clock, ValueError("private words"))


def test_a_crash_is_told_at_the_next_start_and_not_again(make_parts, shell_product, qtbot) -> None:
    crashed(shell_product)
    parts = make_parts(shell_product)
    parts.window.show()
    qtbot.waitUntil(lambda: "notice-crash" in parts.window.banners._shown)
    banner, row = parts.window.banners._shown["notice-crash"]
    assert banner.title == "The app ended by a fault."
    row.findChild(QToolButton).click()
    qtbot.waitUntil(lambda: all(each.seen for each in crashes(shell_product.folders)))
    again = make_parts(shell_product)
    again.window.show()
    qtbot.waitUntil(lambda: not again.calls.busy())
    assert "notice-crash" not in again.window.banners._shown


def test_following_a_notice_counts_as_seen(make_parts, shell_product, qtbot, monkeypatch) -> None:
    crashed(shell_product)
    parts = make_parts(shell_product)
    went: list[tuple[str, str]] = []
    monkeypatch.setattr(parts.window._notices, "_go", lambda page, part: went.append((page, part)))
    parts.window.show()
    qtbot.waitUntil(lambda: "notice-crash" in parts.window.banners._shown)
    parts.window.banners._shown["notice-crash"][1].findChild(QPushButton).click()
    qtbot.waitUntil(lambda: all(each.seen for each in crashes(shell_product.folders)))
    assert went == [("doctor", "crash")]
    assert "notice-crash" not in parts.window.banners._shown


def test_a_page_that_is_not_there_is_not_opened(parts) -> None:
    parts.window.open_page("doctor", "crash")
    assert parts.window.page().title == "Activity"
