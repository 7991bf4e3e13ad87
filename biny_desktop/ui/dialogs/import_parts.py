"""The three faces of the import dialog: what can be chosen, what would come in, what was done."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from biny_desktop.conversation.importers.model import ImportPreview, ImportReport, RollbackReport
from biny_desktop.conversation.importers.source import Problem
from biny_desktop.core.i18n import _, mark
from biny_desktop.ui.dialogs.work_dialog import button
from biny_desktop.ui.facts import Fact, Facts
from biny_desktop.ui.formats import bytes_size, full_moment, number
from biny_desktop.ui.import_words import (
    count_facts,
    fault_words,
    format_words,
    left_out_words,
    malformed_words,
    undone_facts,
)
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.fold import Fold
from biny_desktop.ui.widgets.form import FormRow
from biny_desktop.ui.widgets.labels import hairline, label
from biny_desktop.ui.widgets.switch import Switch

HERE: Final = (
    (mark("Claude Code on this computer"), ".claude/projects"),
    (mark("Codex on this computer"), ".codex/sessions"),
)
"""Where tools keep their logs, below the home folder."""
GAP_PX: Final = 12
PLACES_PX, PLACES_SPARE_PX = 120, 8


class ChoosePart(QWidget):
    """`chosen(path)` of a place that is known; the buttons `file` and `folder` ask for another one."""

    chosen = Signal(str)

    def __init__(self, home: Path | None = None) -> None:
        super().__init__()
        column = _column(self)
        column.addWidget(label(_("What can be read:"), "heading"))
        column.addWidget(
            label(
                _(
                    "The zip that ChatGPT or Claude sends you (Settings → Export data), the folders of Claude Code and "
                    "Codex, transcripts in Markdown or JSON, and chats exported here."
                ),
                "muted", wrap=True,
            )
        )  # fmt: skip
        row = QHBoxLayout()
        row.setSpacing(8)
        self.file = button(_("Choose a file or zip…"), _("Choose the file that the other tool gave you"))
        self.folder = button(_("Choose a folder…"), _("Choose a folder with logs or transcripts"))
        row.addWidget(self.file)
        row.addWidget(self.folder)
        row.addStretch(1)
        column.addLayout(row)
        self.known: list[QPushButton] = []
        for words, below in HERE:
            place = (home or Path.home()) / below
            if place.is_dir():
                self.known.append(self._known(_(words), place))
        if self.known:
            found = QHBoxLayout()
            found.setSpacing(8)
            for each in self.known:
                found.addWidget(each)
            found.addStretch(1)
            column.addLayout(found)

    def _known(self, words: str, place: Path) -> QPushButton:
        made = button(words, str(place))
        made.clicked.connect(lambda: self.chosen.emit(str(place)))
        return made


class PreviewPart(QWidget):
    """Counts of what would come in, what is left out and why, and whose the user's turns are."""

    def __init__(self, zone: str) -> None:
        super().__init__()
        self._zone, self._new = zone, False
        column = _column(self)
        self.facts = Facts()
        self.mine = Switch(_("The user's turns are my own words"))
        self.row = FormRow(
            _("The user's turns are my own words"),
            _("Only your own words may become facts about you; pasted texts, code, quotes and attachments never do."),
            self.mine, narrow=True,
        )  # fmt: skip
        self.bring_back = Switch(_("Bring back what I deleted here"))
        self.back_row = FormRow(
            _("Bring back what I deleted here"), _("Without this it stays away."), self.bring_back, narrow=True
        )
        self.places = _Places()
        column.addWidget(self.facts)
        column.addWidget(self.places)
        column.addWidget(hairline())
        column.addWidget(self.row)
        column.addWidget(self.back_row)

    def fill(self, shown: ImportPreview) -> None:
        """Show a preview."""
        plan = shown.plan
        size = bytes_size(plan.size)
        source = size if len(plan.files) == 1 else _("{n} files, {size}").format(n=number(len(plan.files)), size=size)
        lines = [Fact(_("Source"), f"{format_words(plan.format)} · {source}", plan.source)]
        lines += count_facts(shown.counts)
        if shown.first_ms is not None and shown.last_ms is not None:
            first, last = (full_moment(at, self._zone).split("\n")[0] for at in (shown.first_ms, shown.last_ms))
            lines += [Fact(_("First"), first), Fact(_("Last"), last)]
        lines += _left_out(shown)
        self.facts.fill(lines)
        self.places.fill(shown.problems)
        self.mine.setChecked(shown.mine)
        self.bring_back.setChecked(False)
        self.back_row.setVisible(bool(shown.counts.deleted_here))
        self._new = bool(shown.counts.messages_new or shown.counts.memories)

    def worth_it(self) -> bool:
        """Whether anything would come in as it is set now."""
        return self._new or self.bring_back.isChecked()


class ReportPart(QWidget):
    """What an import did, or what undoing it took."""

    def __init__(self) -> None:
        super().__init__()
        column = _column(self)
        self.facts = Facts()
        self.places = _Places()
        column.addWidget(self.facts)
        column.addWidget(self.places)

    def fill(self, done: ImportReport) -> None:
        """Show a report."""
        self.facts.fill([*count_facts(done.counts), *_left_out(done)])
        self.places.fill(done.problems)

    def fill_undone(self, done: RollbackReport) -> None:
        """Show what was taken out, and which chats stay."""
        self.facts.fill(undone_facts(done))
        self.places.fill(())


class _Places(QWidget):
    """Where malformed records stand, folded; nothing where there are none. `toggled` when it opens or closes."""

    toggled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._inside = QVBoxLayout(self)
        self._inside.setContentsMargins(0, 0, 0, 0)
        self.fold: Fold | None = None

    def fill(self, problems: tuple[Problem, ...]) -> None:
        if self.fold is not None:
            self.fold.hide()
            self.fold.deleteLater()
        self.fold = None
        self.setVisible(bool(problems))
        if problems:
            lines = "\n".join(f"{each.place}: {fault_words(each.kind)}" for each in problems[:SHOWN_MAX])
            words = _("Where the malformed records stand")
            self.fold = Fold(words, _("File and place of the first of each kind"), lambda: _small(lines))
            self.fold.toggled.connect(lambda _on: self.toggled.emit())
            self._inside.addWidget(self.fold)


SHOWN_MAX: Final = 20
"""Lines of places that a dialog has room for; the command line tells all."""


def _left_out(result: ImportPreview | ImportReport) -> list[Fact]:
    lines = []
    if result.skipped:
        lines.append(Fact(_("Left out"), left_out_words(result.skipped)))
    if result.malformed:
        lines.append(Fact(_("Malformed"), malformed_words(result.malformed), role="warn"))
    return lines


def _small(words: str) -> QWidget:
    """Small lines in an area of their own, so that many of them do not push the buttons off the screen."""
    lines = label(words, "small", wrap=True, selectable=True)
    lines.setAlignment(Qt.AlignmentFlag.AlignTop)
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName(_("Where the malformed records stand"))
    area.setWidget(lines)
    height = (words.count("\n") + 1) * lines.fontMetrics().lineSpacing() + PLACES_SPARE_PX
    area.setFixedHeight(min(tokens().px(PLACES_PX), height))
    return area


def _column(part: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(part)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(GAP_PX)
    return column
