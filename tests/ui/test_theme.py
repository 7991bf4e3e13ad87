"""Both themes keep their contrast, for tokens and for application colours."""

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from biny_desktop.ui import theme
from biny_desktop.ui.colours import contrast, hue_of, oklch

READABLE = 4.5


@pytest.fixture(autouse=True)
def _light_afterwards(qapp: QApplication):
    yield
    theme.apply_theme(qapp, "light")


@pytest.mark.parametrize("tokens", [theme.LIGHT, theme.DARK], ids=lambda t: t.name)
@pytest.mark.parametrize("name", ["text", "muted", "accent", "ok", "warn", "bad", "private"])
def test_every_text_colour_is_readable_on_window_and_content(tokens: theme.Tokens, name: str) -> None:
    for ground in (tokens.bg, tokens.panel):
        assert contrast(QColor(getattr(tokens, name)), QColor(ground)) >= READABLE


@pytest.mark.parametrize("tokens", [theme.LIGHT, theme.DARK], ids=lambda t: t.name)
def test_text_is_readable_on_selected_and_hovered_rows(tokens: theme.Tokens) -> None:
    for name in ("text", "muted"):
        assert contrast(QColor(getattr(tokens, name)), QColor(tokens.selection)) >= READABLE
        assert contrast(QColor(getattr(tokens, name)), QColor(tokens.hover)) >= READABLE
    assert contrast(QColor(tokens.on_accent), QColor(tokens.accent)) >= READABLE


@pytest.mark.parametrize("tokens", [theme.LIGHT, theme.DARK], ids=lambda t: t.name)
def test_every_application_hue_is_readable(tokens: theme.Tokens) -> None:
    for hue in range(0, 360, 3):
        shade = oklch(theme.APP_LIGHTNESS[tokens.name], theme.APP_CHROMA, hue)
        assert min(contrast(shade, QColor(tokens.bg)), contrast(shade, QColor(tokens.panel))) >= READABLE


def test_an_application_keeps_its_hue() -> None:
    assert hue_of("firefox") == hue_of("firefox")
    assert hue_of("firefox") != hue_of("code")
    assert 0 <= hue_of("") < 360


def test_applying_a_theme_changes_palette_tokens_and_tells_once(qapp: QApplication, qtbot) -> None:
    theme.apply_theme(qapp, "light")
    heard: list[str] = []
    theme.theme_signals().changed.connect(lambda t: heard.append(t.name))
    theme.apply_theme(qapp, "dark")
    theme.apply_theme(qapp, "dark")
    assert heard == ["dark"]
    assert theme.tokens().dark
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(theme.DARK.bg)
    assert theme.app_colour("firefox") != oklch(theme.APP_LIGHTNESS["light"], theme.APP_CHROMA, hue_of("firefox"))


def test_a_large_system_font_scales_every_measure() -> None:
    large = theme._sized(theme.LIGHT, 26)
    assert (large.body_px, large.px(28)) == (26, 56)
    assert theme._sized(theme.LIGHT, 15).scale == 1.0


def test_the_style_sheet_has_no_open_places() -> None:
    for tokens in (theme.LIGHT, theme.DARK):
        assert "$" not in theme.style_sheet(tokens)
