"""Which days are exported, and in which form."""

from datetime import date
from typing import Literal

from PySide6.QtCore import QDate, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDateEdit,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from biny_desktop.core.i18n import _
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.rows import action

WIDTH_PX, FIELD_PX = 420, 140


class ExportDialog(QDialog):
    """`export_asked(first ISO day, last ISO day, "md" | "json")` by the button."""

    export_asked = Signal(str, str, str)

    def __init__(self, first: date, last: date, today: date, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Export reports"))
        self.setMinimumWidth(tokens().px(WIDTH_PX))
        self.first, self.last = _day_field(_("From"), first, today), _day_field(_("To"), min(last, today), today)
        self.markdown = QRadioButton(_("Markdown, one text to read"))
        self.json = QRadioButton(_("JSON, with all figures for other programs"))
        self.markdown.setChecked(True)
        form = QButtonGroup(self)
        for button in (self.markdown, self.json):
            button.setAccessibleName(button.text())
            form.addButton(button)
        self.fault = label("", "bad", wrap=True)
        self.fault.hide()
        self._lay_out()
        self.save.clicked.connect(self._on_save)
        self.cancel.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        days = QGridLayout()
        days.setHorizontalSpacing(12)
        days.setVerticalSpacing(8)
        days.setColumnStretch(2, 1)
        for row, (words, field) in enumerate(((_("From"), self.first), (_("To"), self.last))):
            days.addWidget(label(words, "muted"), row, 0)
            days.addWidget(field, row, 1)
        self.cancel = action(_("Cancel"), _("Change nothing (Esc)"))
        self.save = action(_("Save as…"), _("Choose the file"), "primary")
        self.save.setDefault(True)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(8)
        column.addWidget(label(_("Export reports"), "title"))
        note = _("Days with activities that have no report yet get one first, without a model.")
        column.addWidget(label(note, "muted", wrap=True))
        column.addSpacing(8)
        column.addLayout(days)
        column.addSpacing(8)
        column.addWidget(self.markdown)
        column.addWidget(self.json)
        column.addWidget(self.fault)
        column.addSpacing(8)
        column.addLayout(buttons)

    def form(self) -> Literal["md", "json"]:
        """The form chosen."""
        return "json" if self.json.isChecked() else "md"

    def _on_save(self) -> None:
        if self.first.date() > self.last.date():
            self.fault.setText(_("The first day is after the last one."))
            self.fault.show()
            return
        self.accept()
        self.export_asked.emit(_iso(self.first), _iso(self.last), self.form())


def _day_field(name: str, day: date, today: date) -> QDateEdit:
    field = QDateEdit(QDate(day.year, day.month, day.day))
    field.setDisplayFormat("yyyy-MM-dd")
    field.setCalendarPopup(True)
    field.setMaximumDate(QDate(today.year, today.month, today.day))
    field.setAccessibleName(name)
    field.setToolTip(name)
    field.setFixedWidth(tokens().px(FIELD_PX))
    return field


def _iso(field: QDateEdit) -> str:
    return field.date().toString("yyyy-MM-dd")
