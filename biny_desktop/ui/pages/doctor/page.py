"""The page Doctor: the checks with a verdict over them, back ends, the log, crash files, and a report to hand on."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QSettings
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from biny_desktop.capture.platforms.choices import Choice
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.crash import Crash, crashes
from biny_desktop.service.doctor import Report, examine
from biny_desktop.service.doctor_report import back_ends, report_text
from biny_desktop.service.logs import tail
from biny_desktop.service.product import Product
from biny_desktop.storage.rows import JsonValue
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.formats import clock_time
from biny_desktop.ui.icons import pixmap
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.pages.doctor.back_ends import BackEndTable
from biny_desktop.ui.pages.doctor.checks import SHAPES, CheckList
from biny_desktop.ui.pages.doctor.crash_view import CrashView, reader
from biny_desktop.ui.pages.doctor.jobs import JobTable
from biny_desktop.ui.pages.doctor.log_view import LINES, LogView
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.form import tab_row
from biny_desktop.ui.widgets.labels import hairline, label

SHAPE_PX = 20


@dataclass(frozen=True, slots=True)
class Found:
    """What one look gave; `at_ms` UTC, `zone` IANA."""

    report: Report
    choices: tuple[Choice, ...]
    jobs: list[dict[str, JsonValue]]
    log: list[str]
    crashes: list[Crash]
    at_ms: int
    zone: str


class DoctorPage(Page):
    """Looks when it is shown and at F5; everything on a pool thread."""

    icon_name = "doctor"

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        del bridge
        self._product, self._calls = product, calls
        self.title = _("Doctor")
        self.found: Found | None = None
        self._shape, self.verdict = label(), label(_("Looking…"), "heading")
        self._when = label(role="small")
        self.test = self._button(_("Run self-test"), _("Read a test picture with the real OCR models"), "Ctrl+T")
        self.test.clicked.connect(lambda: self._look(self_test=True))
        self.copy = self._button(
            _("Copy scrubbed report"), _("Checks, back ends and log, without what was on your screen"), "Ctrl+Shift+C"
        )
        self.copy.clicked.connect(self._copy)
        self.copy.setEnabled(False)
        self.checks, self.back_ends, self.jobs = CheckList(), BackEndTable(), JobTable()
        self.log, self.crash = LogView(), CrashView()
        self.crash.wanted.connect(self._show_crash)
        self.tabs, self._stack = QTabBar(), QStackedWidget()
        self._lay_out()
        theme_signals().changed.connect(self._say)
        self._look()

    def open_part(self, name: str) -> None:
        part = getattr(self, name, None)
        if isinstance(part, QWidget) and self._stack.indexOf(part) >= 0:
            self.tabs.setCurrentIndex(self._stack.indexOf(part))

    def refresh(self) -> None:
        self._look()

    def save_state(self, settings: QSettings) -> None:
        settings.setValue("tab", self.tabs.currentIndex())

    def restore_state(self, settings: QSettings) -> None:
        self.tabs.setCurrentIndex(min(settings.value("tab", 0, type=int), self.tabs.count() - 1))

    def _button(self, text: str, tip: str, keys: str) -> QPushButton:
        made = QPushButton(text)
        made.setAccessibleName(text)
        made.setToolTip(f"{tip} ({keys})")
        QShortcut(QKeySequence(keys), self).activated.connect(made.click)
        return made

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(16, 12, 16, 8)
        head.setSpacing(8)
        for part in (self._shape, self.verdict, self._when):
            head.addWidget(part)
        head.addStretch(1)
        head.addWidget(self.test)
        head.addWidget(self.copy)
        self.tabs.setAccessibleName(_("Parts of the report"))
        parts = (
            (_("Checks"), self.checks),
            (_("Back ends"), self.back_ends),
            (_("Jobs"), self.jobs),
            (_("Log"), self.log),
            (_("Crash files"), self.crash),
        )
        for name, part in parts:
            self.tabs.addTab(name)
            self._stack.addWidget(part)
        self.tabs.currentChanged.connect(self._stack.setCurrentIndex)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(tab_row(self.tabs))
        column.addWidget(hairline())
        column.addWidget(self._stack, 1)

    def _look(self, *, self_test: bool = False) -> None:
        if self_test:
            self.test.setEnabled(False)
            self.test.setText(_("Testing…"))
        self._calls.run(
            _looker(self._product, self_test=self_test), self._on_found, owner=self, latest="" if self_test else "look"
        )

    def _on_found(self, found: Found) -> None:
        if not self._tested(found) and self._tested(self.found):
            old = next(each for each in self.found.report.checks if each.name == _("OCR self-test"))
            found = replace(found, report=Report((*found.report.checks, old)))
        self.found = found
        self.test.setEnabled(True)
        self.test.setText(_("Run self-test"))
        self.copy.setEnabled(True)
        self.checks.fill(found.report.checks)
        self.back_ends.fill(found.choices)
        self.jobs.fill(found.jobs, found.zone, found.at_ms)
        self.log.fill(found.log)
        self.crash.fill(found.crashes, found.zone)
        self._say()

    def _tested(self, found: Found | None) -> bool:
        return found is not None and any(each.name == _("OCR self-test") for each in found.report.checks)

    def _say(self, _theme: object = None) -> None:
        if self.found is None:
            return
        states = [check.state for check in self.found.report.checks]
        bad, warn = states.count("bad"), states.count("warn")
        if bad:
            state, words = "bad", ngettext("{n} fault needs attention", "{n} faults need attention", bad).format(n=bad)
        elif warn:
            state, words = (
                "warn",
                ngettext("Works; {n} thing is worth a look", "Works; {n} things are worth a look", warn),
            )
            words = words.format(n=warn)
        else:
            state, words = "ok", _("Everything is in order")
        name, colour = SHAPES[state]
        self._shape.setPixmap(pixmap(name, tokens().px(SHAPE_PX), getattr(tokens(), colour), self.devicePixelRatioF()))
        self.verdict.setText(words)
        self._when.setText(_("Looked at {time}").format(time=clock_time(self.found.at_ms, self.found.zone)))

    def _copy(self) -> None:
        if self.found is not None:
            found = self.found
            self._calls.run(
                lambda: report_text(self._product, found.report, found.choices),
                self._on_text,
                owner=self,
                latest="copy",
            )

    def _on_text(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._when.setText(_("The report is on the clipboard."))

    def _show_crash(self, path: str) -> None:
        self._calls.run(reader(path), self.crash.show_text, owner=self, latest="crash")


def _looker(product: Product, *, self_test: bool) -> Callable[[], Found]:
    def look() -> Found:
        report, stamp = examine(product, self_test=self_test), product.clock.stamp()
        jobs = (product.health() or {}).get("jobs")
        found_jobs = [each for each in jobs if isinstance(each, dict)] if isinstance(jobs, list) else []
        return Found(
            report, back_ends(product), found_jobs, tail(product.folders, LINES), crashes(product.folders),
            stamp.at_ms, stamp.zone,
        )  # fmt: skip

    return look
