"""Light and dark: the colours and measures of spec 09, as tokens, palette and style sheet.

`QStyleHints.setColorScheme` changes nothing without a platform theme, so both themes are the Fusion style with an own
palette and one style sheet template. Widgets that paint themselves read `tokens()` and repaint on
`theme_signals().changed`.
"""

from dataclasses import asdict, dataclass, replace
from functools import cache
from string import Template

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication

from biny_desktop.core.i18n import language
from biny_desktop.core.resources import resource
from biny_desktop.ui.colours import hue_of, oklch

LARGEST_NORMAL_FONT_PX = 15
"""A system font up to this size is normal and gives the 13 px body of spec 09; a larger one scales everything."""
LARGEST_SCALE = 2.0
CHINESE_FAMILIES = ("Noto Sans CJK SC", "Source Han Sans SC", "Microsoft YaHei UI", "PingFang SC")
"""Asked before any other fallback: a Japanese font draws some simplified characters in its own way."""
APP_LIGHTNESS = {"light": 0.50, "dark": 0.78}
"""OKLCH lightness of application colours: every hue keeps ≥ 4.5:1 on the grounds of its theme (tested)."""
APP_CHROMA = 0.115


@dataclass(frozen=True, slots=True)
class Tokens:
    """One theme. Colours as "#RRGGBB"; sizes in logical pixels, already scaled with the system's text size."""

    name: str
    bg: str
    panel: str
    line: str
    text: str
    muted: str
    accent: str
    selection: str
    ok: str
    warn: str
    bad: str
    private: str
    on_accent: str
    hover: str
    body_px: int = 13
    small_px: int = 11
    title_px: int = 16
    scale: float = 1.0

    @property
    def dark(self) -> bool:
        """Whether this is the dark theme."""
        return self.name == "dark"

    def px(self, size: float) -> int:
        """A measure of the specification scaled with the text size."""
        return round(size * self.scale)


LIGHT = Tokens(
    name="light",
    bg="#FBFAF7",
    panel="#FFFFFF",
    line="#E3E0D8",
    text="#1F2328",
    muted="#5C6470",
    accent="#2F5D8C",
    selection="#DCE7F3",
    ok="#256B43",
    warn="#8A5A00",
    bad="#B3261E",
    private="#6B4FA0",
    on_accent="#FFFFFF",
    hover="#F1EFE9",
)
DARK = Tokens(
    name="dark",
    bg="#16181C",
    panel="#1E2126",
    line="#33373E",
    text="#E6E8EB",
    muted="#A0A7B2",
    accent="#8DB8E8",
    selection="#2A3B50",
    ok="#7CC79A",
    warn="#E0B25C",
    bad="#F2938C",
    private="#B9A3E6",
    on_accent="#16181C",
    hover="#272B31",
)


class ThemeSignals(QObject):
    """Tells that the theme is another one now; the new `Tokens` come along."""

    changed = Signal(object)


_current: Tokens = LIGHT
_choice = "system"
_system_font: QFontInfo | None = None


@cache
def theme_signals() -> ThemeSignals:
    """The one emitter of theme changes."""
    return ThemeSignals()


def tokens() -> Tokens:
    """The theme shown now."""
    return _current


def apply_theme(app: QApplication, choice: str) -> Tokens:
    """Show the application in that theme; returns its tokens.

    Args:
        choice: "light", "dark", or "system" (as the desktop says, light where it says nothing; followed while it runs).
    """
    global _current, _choice, _system_font
    if _system_font is None:
        _system_font = QFontInfo(app.font())
        app.setStyle("Fusion")
        app.styleHints().colorSchemeChanged.connect(lambda _scheme: apply_theme(app, _choice))
    _choice = choice
    theme = _sized(DARK if _wants_dark(app, choice) else LIGHT, _system_font.pixelSize())
    changed = theme != _current
    _current = theme
    font = QFont(app.font())
    font.setFamilies(_families(_system_font.family()))
    font.setPixelSize(theme.body_px)
    app.setFont(font)
    app.setPalette(_palette(theme))
    app.setStyleSheet(style_sheet(theme))
    if changed:
        theme_signals().changed.emit(theme)
    return theme


def style_sheet(theme: Tokens) -> str:
    """The style sheet of that theme, from `resources/style/biny.qss` (`$token` places)."""
    values = {key: str(value) for key, value in asdict(theme).items()}
    values |= {f"px{size}": str(theme.px(size)) for size in (2, 4, 6, 8, 12, 16, 18, 20, 24, 26, 28)}
    values["icons"] = resource("icons").as_posix()
    return Template(resource("style", "biny.qss").read_text(encoding="utf-8")).substitute(values)


def app_colour(app_id: str) -> QColor:
    """The colour of an application in the theme shown now: its hue is a stable hash of the id, so it never moves."""
    return oklch(APP_LIGHTNESS[_current.name], APP_CHROMA, hue_of(app_id))


def colour(name: str) -> QColor:
    """A token as a colour: `colour("accent")`."""
    return QColor(getattr(_current, name))


def mono_font() -> QFont:
    """The system's fixed-width font in body size, for ids, paths and code."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(max(_current.body_px - 1, 1))
    return font


def _families(system: str) -> list[str]:
    """The system's font first; in Chinese a Chinese one, if the system's has none: one line has one font."""
    chinese = QFontDatabase.WritingSystem.SimplifiedChinese
    if language() == "zh_CN" and chinese not in QFontDatabase.writingSystems(system):
        return [*CHINESE_FAMILIES, system]
    return [system, *CHINESE_FAMILIES]


def _wants_dark(app: QApplication, choice: str) -> bool:
    return choice == "dark" or (choice == "system" and app.styleHints().colorScheme() == Qt.ColorScheme.Dark)


def _sized(theme: Tokens, system_px: int) -> Tokens:
    scale = min(system_px / 13, LARGEST_SCALE) if system_px > LARGEST_NORMAL_FONT_PX else 1.0
    return replace(
        theme, body_px=round(13 * scale), small_px=round(11 * scale), title_px=round(16 * scale), scale=scale
    )


def _palette(theme: Tokens) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette()
    colours = {
        role.Window: theme.bg,
        role.WindowText: theme.text,
        role.Base: theme.panel,
        role.AlternateBase: theme.bg,
        role.Text: theme.text,
        role.Button: theme.panel,
        role.ButtonText: theme.text,
        role.BrightText: theme.bad,
        role.ToolTipBase: theme.panel,
        role.ToolTipText: theme.text,
        role.PlaceholderText: theme.muted,
        role.Highlight: theme.selection,
        role.HighlightedText: theme.text,
        role.Link: theme.accent,
        role.LinkVisited: theme.accent,
        role.Light: theme.panel,
        role.Midlight: theme.hover,
        role.Mid: theme.line,
        role.Dark: theme.line,
        role.Shadow: theme.line,
        role.Accent: theme.accent,
    }
    for which, value in colours.items():
        palette.setColor(which, QColor(value))
    for which in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(theme.muted))
    return palette
