"""Where chats are written to: names that every system takes, and a dialog that asks before a file is replaced."""

import re
from pathlib import Path
from typing import Final, Literal

from PySide6.QtWidgets import QFileDialog, QWidget

from biny_desktop.core.i18n import _

Form = Literal["jsonl", "md"]
"""All versions, which read back as they were; or as Markdown what shows."""
NAME_CHARS: Final = 60
_NOT_IN_NAMES: Final = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]+')
_RESERVED: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
"""Names of devices: no file can be called so on Windows."""


def file_name(title: str) -> str:
    """A title as the name of a file, on every system."""
    name = _NOT_IN_NAMES.sub(" ", title)[:NAME_CHARS].strip(" .")
    return f"{name}_" if _RESERVED.fullmatch(name) else name or _("chat")


def free_folder(parent: Path, name: str) -> Path:
    """A folder of that name that is not there yet; with a number where one is."""
    made, n = parent / name, 2
    while made.exists():
        made, n = parent / f"{name}-{n}", n + 1
    return made


class SaveDialog(QFileDialog):
    """Asks for a file in one of `forms`; the name gets the suffix of its form before it is asked about replacing."""

    def __init__(self, question: str, name: str, forms: tuple[Form, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent, question, str(Path.home()))
        self.setOption(QFileDialog.Option.DontUseNativeDialog)
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setFileMode(QFileDialog.FileMode.AnyFile)
        words: dict[Form, str] = {
            "jsonl": _("All versions, to be imported again (*.jsonl)"),
            "md": _("What shows, as Markdown (*.md)"),
        }
        self._forms: dict[str, Form] = {words[form]: form for form in forms}
        self.setNameFilters(list(self._forms))
        self.selectFile(f"{name}.{forms[0]}")
        self.filterSelected.connect(lambda _words: self.selectFile(self.path().name))

    def form(self) -> Form:
        """The form chosen."""
        return self._forms[self.selectedNameFilter()]

    def path(self) -> Path:
        """The file chosen, with the suffix of the form."""
        chosen = Path(self.selectedFiles()[0])
        known = next((f".{form}" for form in self._forms.values() if chosen.name.endswith(f".{form}")), "")
        return chosen.with_name(f"{chosen.name.removesuffix(known)}.{self.form()}")

    def accept(self) -> None:
        if not Path(self.selectedFiles()[0]).is_dir():  # into a folder one goes on
            self.selectFile(str(self.path()))
        super().accept()


def ask_file(
    question: str, name: str, forms: tuple[Form, ...], parent: QWidget | None = None
) -> tuple[Path, Form] | None:  # fmt: skip
    """Ask where to; None where the person chose nothing."""
    dialog = SaveDialog(question, name, forms, parent)
    chosen = dialog.exec() == QFileDialog.DialogCode.Accepted
    found = (dialog.path(), dialog.form()) if chosen else None
    dialog.deleteLater()
    return found
