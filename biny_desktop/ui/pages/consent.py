"""The first page: what is recorded, where it is kept, what never is; nothing happens before one agrees."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from biny_desktop.activity.ageing_plan import MB
from biny_desktop.core.i18n import _
from biny_desktop.core.settings import PicturesSettings
from biny_desktop.ui.formats import bytes_size
from biny_desktop.ui.icons import pixmap
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.labels import hairline, label

COLUMN_PX = 680
SHAPE_PX = 20


class ConsentPage(QScrollArea):
    """`agreed` or `declined`; it changes nothing itself."""

    agreed = Signal()
    declined = Signal()

    def __init__(
        self,
        folder: Path,
        key_place: str,
        pictures: PicturesSettings,
        start: QWidget | None = None,
        *,
        encrypted: bool,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("content")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(_("Before anything is recorded"))
        self._shapes: list[tuple[str, object]] = []
        column = QWidget()
        column.setMaximumWidth(tokens().px(COLUMN_PX))
        layout = QVBoxLayout(column)
        layout.setContentsMargins(24, 24, 24, 24)
        layout.setSpacing(12)
        layout.addStretch(1)
        layout.addWidget(label(_("Before anything is recorded"), "title"))
        layout.addWidget(label(_("Biny remembers what was on your screen, for you alone."), "muted", wrap=True))
        layout.addWidget(hairline())
        layout.addLayout(self._facts(folder, key_place, pictures, encrypted=encrypted))
        layout.addWidget(hairline())
        if start is not None:
            layout.addWidget(start)
            layout.addWidget(hairline())
        layout.addLayout(self._buttons())
        layout.addWidget(label(_("You can pause or stop at any time, and delete what was kept."), "small", wrap=True))
        layout.addStretch(1)
        holder = QWidget()
        holder.setObjectName("content")
        centre = QHBoxLayout(holder)
        centre.setContentsMargins(0, 0, 0, 0)
        centre.addStretch(1)
        centre.addWidget(column, 100)
        centre.addStretch(1)
        self.setWidget(holder)
        self._retint()
        theme_signals().changed.connect(self._retint)

    def _facts(self, folder: Path, key_place: str, pictures: PicturesSettings, *, encrypted: bool) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(12)
        grid.setColumnStretch(1, 1)
        facts = (
            (
                "eye",
                _("What is recorded"),
                _(
                    "A picture of the screen in use when something on it changed, with the window title and the text "
                    "in the picture. Keys and clicks are counted, never read. No sound, no camera."
                ),
            ),
            ("folder", _("Where it is kept"), _("Only on this computer, in {folder}").format(folder=folder)),
            ("clock", _("How long it is kept"), _keep_words(pictures)),
            ("key", _("Encryption"), _encryption_words(key_place, encrypted=encrypted)),
            (
                "eye-off",
                _("What is never recorded"),
                _(
                    "Password managers, private browsing windows and password prompts are left out already. Keys, "
                    "card numbers and other secrets in the text are hidden before it is stored."
                ),
            ),
            ("shield", _("What leaves this computer"), _("Nothing. Pictures are never sent anywhere.")),
            (
                "models",
                _("Optional: a model"),
                _("Not needed. Connect one later on the page Models; then redacted text is sent to it."),
            ),
        )
        for row, (shape, title, text) in enumerate(facts):
            picture = label()
            self._shapes.append((shape, picture))
            words = QVBoxLayout()
            words.setSpacing(2)
            words.addWidget(label(title, "heading"))
            words.addWidget(label(text, "muted", wrap=True, selectable=shape == "folder"))
            grid.addWidget(picture, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addLayout(words, row, 1)
        return grid

    def _buttons(self) -> QHBoxLayout:
        start = QPushButton(_("Start recording"))
        start.setProperty("role", "primary")
        start.setDefault(True)
        start.setToolTip(_("Recording begins now; the tray icon and the state above the pages show it."))
        start.clicked.connect(self.agreed)
        later = QPushButton(_("Not now"))
        later.setToolTip(_("Nothing is recorded. You are asked again at the next start."))
        later.clicked.connect(self.declined)
        for button in (start, later):
            button.setAccessibleName(button.text())
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(start)
        row.addWidget(later)
        row.addStretch(1)
        return row

    def _retint(self, _theme: object = None) -> None:
        theme = tokens()
        for name, place in self._shapes:
            place.setPixmap(pixmap(name, theme.px(SHAPE_PX), theme.accent, self.devicePixelRatioF()))


def _keep_words(pictures: PicturesSettings) -> str:
    """The ages of the settings in a sentence; text stays in any case."""
    if pictures.delete_days == "keep":
        age = _("Pictures in full size for {hours} hours, then smaller, and for ever.").format(hours=pictures.medium_h)
    else:
        age = _("Pictures in full size for {hours} hours, then smaller, and deleted after {days} days.").format(
            hours=pictures.medium_h, days=pictures.delete_days
        )
    rest = _("Together at most {size}. Text and search stay. Before the first deletion you see what will go.").format(
        size=bytes_size(pictures.quota_mb * MB)
    )
    return f"{age} {rest}"


def _encryption_words(key_place: str, *, encrypted: bool) -> str:
    if not encrypted:
        return _("Off, as the settings say: pictures and text are stored in the clear.")
    if key_place == "keyring":
        return _("On. The key is in the keyring of your session.")
    return _("On, but this session has no keyring, so the key lies in a file beside the settings.")
