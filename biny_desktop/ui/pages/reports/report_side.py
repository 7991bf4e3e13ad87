"""One report to read, and what one does with it: write it again, copy, export, print, show its file."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from biny_desktop.activity.reports.model import Report
from biny_desktop.core.errors import BinyError
from biny_desktop.core.i18n import _, sentences
from biny_desktop.service.product import Product
from biny_desktop.storage.atomic import write_atomic
from biny_desktop.storage.progress import Watch
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.reports.looking import ReportLook, heading, nothing_words, outcome_words
from biny_desktop.ui.paper import pdf_of
from biny_desktop.ui.widgets.elided_label import ElidedLabel
from biny_desktop.ui.widgets.flow_layout import FlowLayout
from biny_desktop.ui.widgets.labels import hairline, label
from biny_desktop.ui.widgets.long_work import LongWork
from biny_desktop.ui.widgets.report_view import READING_PX, ReportView
from biny_desktop.ui.widgets.rows import action


class ReportSide(QWidget):
    """`anchor_opened(Anchor)` for links; `made(Report)` when one was written; `models_asked()`, `export_asked()`."""

    anchor_opened = Signal(object)
    made = Signal(object)
    models_asked = Signal()
    export_asked = Signal()

    def __init__(self, product: Product, calls: Calls, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._product, self._calls = product, calls
        self.look: ReportLook | None = None
        self.choose: Callable[[str, str, str], str] = self._choose_file
        self.open_url: Callable[[QUrl], object] = QDesktopServices.openUrl
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.heading, self.state = label("", "title", wrap=True), ElidedLabel("", "muted")
        self.write = action(_("Write again"), _("Write the report from its activities (Ctrl+Enter)"))
        self.copy = action(_("Copy"), _("Copy the report as Markdown (Ctrl+Shift+C)"))
        self.export = action(_("Export…"), _("Save the reports of several days (Ctrl+E)"))
        self.print = action(_("Print to PDF…"), _("Save this report as a PDF on A4 (Ctrl+P)"))
        self.show_file = action(_("Open file"), _("Open its Markdown file"))
        self.work = LongWork(calls)
        self.outcome = label("", "muted", wrap=True, selectable=True)
        self.no_model = self._no_model_line()
        self.text = ReportView()
        self.text.setMaximumWidth(READING_PX)
        self.nothing = label("", "muted", wrap=True)
        self.nothing.setMaximumWidth(READING_PX)
        self.nothing.setContentsMargins(16, 16, 16, 16)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out()
        self._connect()

    # -- layout --------------------------------------------------------------------------------------------------------

    def _no_model_line(self) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        words = _("No model is connected: reports have figures and groups, but no account in sentences.")
        row.addWidget(label(words, "muted", wrap=True), 1)
        self.to_models = action(_("Open Models"), _("Connect a model on the page Models"), "flat")
        row.addWidget(self.to_models, 0, Qt.AlignmentFlag.AlignTop)
        line.hide()
        return line

    def _lay_out(self) -> None:
        buttons = QWidget()
        flow = FlowLayout(buttons, gap=8)
        for button in (self.write, self.copy, self.export, self.print, self.show_file):
            flow.addWidget(button)
        head = QVBoxLayout()
        head.setContentsMargins(16, 10, 16, 10)
        head.setSpacing(4)
        for widget in (self.heading, self.state):
            head.addWidget(widget)
        head.addSpacing(4)
        for widget in (buttons, self.work, self.outcome, self.no_model):
            head.addWidget(widget)
        self.outcome.hide()
        self._pages = QStackedWidget()
        self._pages.addWidget(self.nothing)
        self._pages.addWidget(self.text)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(hairline())
        column.addWidget(self._pages, 1)

    def _connect(self) -> None:
        self.work.busy.connect(lambda _busy: self._enable())
        self.write.clicked.connect(self._on_write)
        self.copy.clicked.connect(self._on_copy)
        self.export.clicked.connect(self.export_asked)
        self.print.clicked.connect(self._on_print)
        self.show_file.clicked.connect(self._on_show_file)
        self.to_models.clicked.connect(self.models_asked)
        self.text.anchor_opened.connect(self.anchor_opened)
        for keys, button in (("Ctrl+Shift+C", self.copy), ("Ctrl+P", self.print), ("Ctrl+E", self.export)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(button.click)
        self._enable()

    # -- showing -------------------------------------------------------------------------------------------------------

    def show_look(self, look: ReportLook) -> None:
        """Show that day or week."""
        if self.look is not None and (self.look.kind, self.look.key) != (look.kind, look.key):
            self.say("")
        self.look = look
        self.heading.setText(heading(look))
        report = look.report
        self.state.setText(look.line or _("No report yet"))
        self.state.set_tip(look.line)
        if report is not None and report.markdown:
            self.text.show_markdown(report.markdown)
            self._pages.setCurrentWidget(self.text)
        else:
            self.nothing.setText(nothing_words(look))
            self._pages.setCurrentWidget(self.nothing)
        self.no_model.setVisible(not look.has_model and look.has_rows)
        self._name_button(look)
        self._enable()

    def say(self, words: str, role: str = "muted") -> None:
        """A line of what came of the last act; an empty one takes it away."""
        self.outcome.setText(words)
        self.outcome.setProperty("role", role)
        self.outcome.style().polish(self.outcome)
        self.outcome.setVisible(bool(words))

    def _name_button(self, look: ReportLook) -> None:
        first = look.report is None
        self.write.setText(_("Write now") if first else _("Write again"))
        self.write.setAccessibleName(self.write.text())
        role = "primary" if first and look.has_rows else ""
        if self.write.property("role") != role:
            self.write.setProperty("role", role)
            self.write.style().unpolish(self.write)
            self.write.style().polish(self.write)

    def _enable(self) -> None:
        look, busy = self.look, self.work.running()
        readable = look is not None and look.report is not None and bool(look.report.markdown)
        self.write.setEnabled(look is not None and not busy and (look.has_rows or look.report is not None))
        self.copy.setEnabled(readable)
        self.print.setEnabled(readable and not busy)
        self.export.setEnabled(look is not None and not busy and look.any_segments)
        self.show_file.setVisible(look is not None and look.file is not None)

    # -- acts ----------------------------------------------------------------------------------------------------------

    def _on_write(self) -> None:
        look, reports = self.look, self._product.reports
        if look is None or self.work.running():
            return
        self.say("")
        self.work.start(
            _("Writing the report"),
            lambda watch: reports.make(look.kind, look.key, go_on=lambda: not watch.cancelled()),
            self._on_made, self._on_failed,
        )  # fmt: skip

    def _on_made(self, report: Report) -> None:
        if self.look is not None and (self.look.kind, self.look.key) == (report.kind, report.key):
            words, role = outcome_words(report)
            if report.file_error:
                words, role = sentences(words, _("Its Markdown file could not be written.")), "warn"
            self.say(words, role)
        self.made.emit(report)

    def _on_failed(self, error: BinyError) -> None:
        self._calls.failed.emit(error)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.markdown())
        self.say(_("Copied as Markdown."))

    def _on_show_file(self) -> None:
        if self.look is not None and self.look.file is not None:
            self.open_url(QUrl.fromLocalFile(str(self.look.file)))

    def _on_print(self) -> None:
        if self.look is None:
            return
        name = self.choose(_("Where should the PDF be put?"), f"{self.look.key}.pdf", "PDF (*.pdf)")
        if name:
            text, header, families = self.text.markdown(), heading(self.look), self.font().families()
            path = Path(name).with_suffix(".pdf")
            self.work.start(
                _("Printing to PDF"), lambda watch: _save(watch, path, pdf_of(text, header, families)),
                self._on_saved, self._on_failed,
            )  # fmt: skip

    def export_days(self, first: str, last: str, form: str) -> None:
        """Save the reports of these days into a file that the person chooses."""
        kinds = _("Markdown (*.md)") if form == "md" else "JSON (*.json)"
        name = self.choose(_("Where should the reports be put?"), f"reports-{first}-{last}.{form}", kinds)
        if name:
            reports, path = self._product.reports, Path(name).with_suffix(f".{form}")
            chosen = "md" if form == "md" else "json"
            self.work.start(
                _("Exporting reports"),
                lambda watch: _save(watch, path, reports.export(first, last, chosen).encode()),
                self._on_saved, self._on_failed,
            )  # fmt: skip

    def _on_saved(self, path: Path) -> None:
        self.say(_("Saved: {path}").format(path=path), "ok")

    def _choose_file(self, question: str, name: str, kinds: str) -> str:
        start = str(Path.home() / name)
        options = QFileDialog.Option.DontUseNativeDialog
        return QFileDialog.getSaveFileName(self, question, start, kinds, options=options)[0]


def _save(watch: Watch, path: Path, data: bytes) -> Path:
    watch.at("saving", 0, 1)  # the last place where Cancel leaves no file
    write_atomic(path, data)
    return path
