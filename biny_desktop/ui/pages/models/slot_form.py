"""One slot: which server, which key, which model; saved, tested, used for all, or disconnected."""

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from biny_desktop.core.errors import BinyError, InvalidInputError, said_in_line
from biny_desktop.core.i18n import _, sentences
from biny_desktop.models.client import TestResult
from biny_desktop.models.model import SLOTS, Slot
from biny_desktop.models.presets import PRESETS, Preset, preset_of
from biny_desktop.service.models_care import FILE_WARNING, ModelCare, SlotState
from biny_desktop.storage.keys import KeyPlace
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.formats import number
from biny_desktop.ui.model_words import key_words, preset_words, slot_name, slot_use
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.labels import hairline, label
from biny_desktop.ui.widgets.long_work import LongWork
from biny_desktop.ui.widgets.rows import action, button_row

FIELD_PX, LABEL_PX = 420, 96
TYPING_MS = 400


class SlotForm(QWidget):
    """`changed` when something was kept. What is typed stays while the slot is read again."""

    changed = Signal()

    def __init__(self, models: ModelCare, calls: Calls, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._models, self._calls = models, calls
        self.state: SlotState | None = None
        self._typed = False
        self.heading, self.use = label("", "heading"), label("", "muted")
        self.preset = QComboBox()
        for each in PRESETS:
            self.preset.addItem(preset_words(each), each)
        self.url, self.key, self.model = QLineEdit(), QLineEdit(), QComboBox()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.model.setEditable(True)
        self.model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.hint, self.key_line = label("", "small", wrap=True), label("", "small", wrap=True)
        self.forget = action(_("Forget key"), _("Remove the key of this server from where it is kept"))
        self.fetch = action(_("Fetch list"), _("Ask the server which models it has; a typed key is kept first"))
        self.save = action(_("Save"), _("Connect this model"), "primary")
        self.test = action(_("Test"), _("Save, and ask the model a tiny question"))
        self.for_all = action(_("Use for all slots"), _("Connect this model in every slot"))
        self.clear = action(_("Disconnect"), _("Take the model out of this slot; its key stays"))
        self.work = LongWork(calls)
        self.said, self.warned = label("", "muted", wrap=True, selectable=True), label("", "warn", wrap=True)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._lay_out()
        self._connect()

    # -- layout --------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        fields = (
            (_("Server"), self.preset, None, self.hint), (_("Address"), self.url, None, None),
            (_("Key"), self.key, self.forget, self.key_line), (_("Model"), self.model, self.fetch, None),
        )  # fmt: skip
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnMinimumWidth(0, tokens().px(LABEL_PX))
        grid.setColumnStretch(3, 1)
        for number_, (name, field, button, below) in enumerate(fields):
            row = 2 * number_
            words = label(name, "muted")
            words.setBuddy(field)
            field.setAccessibleName(name)
            field.setToolTip(name)
            field.setMinimumWidth(tokens().px(240))
            field.setMaximumWidth(tokens().px(FIELD_PX))
            grid.addWidget(words, row, 0)
            grid.addWidget(field, row, 1)
            if button is not None:
                grid.addWidget(button, row, 2)
            if below is not None:
                grid.addWidget(below, row + 1, 1, 1, 3)
        grid.setColumnStretch(1, 100)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        head = QVBoxLayout()
        head.setSpacing(2)
        for widget in (self.heading, self.use):
            head.addWidget(widget)
        head.addSpacing(4)
        head.addWidget(hairline())
        column.addLayout(head)
        column.addLayout(grid)
        column.addWidget(button_row(self.save, self.test, self.for_all, self.clear))
        for widget in (self.work, self.said, self.warned):
            column.addWidget(widget)
        self.said.hide()
        self.warned.hide()

    def _connect(self) -> None:
        self.preset.activated.connect(self._on_preset)
        self.url.textEdited.connect(self._on_url_edited)
        for field in (self.key, self.model.lineEdit()):
            field.textEdited.connect(self._on_typed)
        self.url.setPlaceholderText("https://api.example.com/v1")
        self.model.lineEdit().setPlaceholderText(_("Its name on that server"))
        self.model.activated.connect(lambda _index: self._on_typed())
        self._typing.timeout.connect(self._look_for_key)
        self.forget.clicked.connect(self._on_forget)
        self.fetch.clicked.connect(self._on_fetch)
        self.save.clicked.connect(lambda: self._keep((self._slot(),), lambda: self.say(_("Saved."), "ok")))
        self.test.clicked.connect(lambda: self._keep((self._slot(),), self._test))
        self.for_all.clicked.connect(lambda: self._keep(SLOTS, lambda: self.say(_("Saved in every slot."), "ok")))
        self.clear.clicked.connect(self._on_clear)
        self.work.busy.connect(self._on_busy)

    # -- showing -------------------------------------------------------------------------------------------------------

    def show_slot(self, state: SlotState) -> None:
        """Show a slot; what is being typed into the same one stays."""
        other = self.state is None or self.state.slot != state.slot
        self.state = state
        self.heading.setText(_("Connect: {slot}").format(slot=slot_name(state.slot)))
        self.use.setText(_("For: {use}").format(use=slot_use(state.slot)))
        self.clear.setEnabled(bool(state.url))
        self.warned.setText("\n".join(_(warning) for warning in state.warnings))
        self.warned.setVisible(bool(state.warnings))
        if other or not self._typed:
            self._fill(state)
        if other:
            self.say("")

    def _fill(self, state: SlotState) -> None:
        self._typed = False
        self.url.setText(state.url)
        self.key.clear()
        self.model.clear()
        self.model.setEditText(state.model)
        self._show_preset(state.url)
        self._show_key(state.key)

    def say(self, words: str, role: str = "muted") -> None:
        """A line of what came of the last act."""
        self.said.setText(words)
        self.said.setProperty("role", role)
        self.said.style().polish(self.said)
        self.said.setVisible(bool(words))

    def _show_preset(self, url: str) -> None:
        try:
            found: Preset = preset_of(url) if url.strip() else PRESETS[-1]
        except InvalidInputError:
            found = PRESETS[-1]
        self.preset.setCurrentIndex(PRESETS.index(found))
        self.hint.setText(_(found.hint))

    def _show_key(self, place: KeyPlace) -> None:
        self.forget.setEnabled(place != "none")
        preset: Preset = self.preset.currentData()
        if place == "none":
            self.key.setPlaceholderText("")
            words = _("This server wants a key.") if preset.needs_key else _("Only when the server wants one.")
        else:
            self.key.setPlaceholderText(_("A key is set; a new one takes its place"))
            words = _("It is {where} and is never shown again.").format(where=key_words(place))
        self.key_line.setText(words)

    # -- typing --------------------------------------------------------------------------------------------------------

    def _on_typed(self, *_text: object) -> None:
        self._typed = True

    def _on_url_edited(self, url: str) -> None:
        self._on_typed()
        self._show_preset(url)
        self._typing.start()

    def _on_preset(self, index: int) -> None:
        chosen: Preset = self.preset.itemData(index)
        self._on_typed()
        self.hint.setText(_(chosen.hint))
        self.url.setText(chosen.url)
        self.model.clear()
        self._look_for_key()
        (self.url if not chosen.url else self.model).setFocus()

    def _look_for_key(self) -> None:
        url, models = self.url.text(), self._models
        no_key = lambda _error: self._show_key("none")  # noqa: E731  (an address that is not complete has none)
        self._calls.run(lambda: models.key_place(url), self._show_key, no_key, self, latest="key")

    # -- acts ----------------------------------------------------------------------------------------------------------

    def _slot(self) -> Slot:
        return self.state.slot if self.state is not None else SLOTS[0]

    def _keep(self, slots: tuple[Slot, ...], then: Callable[[], None]) -> None:
        """Keep what is typed in these slots, the key before anybody can be asked without it."""
        models, url, key, name = self._models, self.url.text(), self.key.text(), self.model.currentText()

        def work() -> KeyPlace:
            place = models.set_key(url, key) if key else models.key_place(url)
            for slot in slots:
                models.set_slot(slot, url, name)
            return place

        def done(place: KeyPlace) -> None:
            self._typed = False
            self.key.clear()
            self._show_key(place)
            self.changed.emit()
            then()
            if key and place == "file":
                self.say(sentences(self.said.text(), _(FILE_WARNING)), "warn")

        self._calls.run(work, done, self._on_error, self)

    def _test(self) -> None:
        models, slot = self._models, self._slot()
        self.say("")
        self.work.start(
            _("Asking the model"), lambda watch: models.test(slot, lambda: not watch.cancelled()), self._on_tested,
            self._on_error,
        )  # fmt: skip

    def _on_tested(self, result: TestResult) -> None:
        if result.failure is None:
            words = _("{model} answered in {ms} ms.").format(model=result.model, ms=number(result.ms))
            self.say(words, "ok")
        else:
            told = self._models.explain(result.failure)
            self.say(sentences(*(_(part) for part in (told.what, told.hint) if part)), "bad")
        self.changed.emit()

    def _on_fetch(self) -> None:
        models, url, key = self._models, self.url.text(), self.key.text()

        def work() -> tuple[str, ...]:
            if key:
                models.set_key(url, key)
            return models.offered(url)

        self.say("")
        self.work.start(_("Asking for the list"), lambda _watch: work(), self._on_offered, self._on_error, lets_go=True)

    def _on_offered(self, names: tuple[str, ...]) -> None:
        if self.key.text():
            self.key.clear()
        self._look_for_key()
        kept = self.model.currentText()
        self.model.clear()
        self.model.addItems(names)
        self.model.setEditText(kept if kept or not names else names[0])
        if names:
            self._on_typed()
            self.say(_("{n} models; choose one and save.").format(n=number(len(names))))
        else:
            self.say(_("The server has no models yet."), "warn")

    def _on_forget(self) -> None:
        models, url = self._models, self.url.text()

        def done(_none: None) -> None:
            self._show_key("none")
            self.say(_("The key was removed."), "ok")
            self.changed.emit()

        self._calls.run(lambda: models.forget_key(url), done, self._on_error, self)

    def _on_clear(self) -> None:
        models, slot = self._models, self._slot()

        def done(_none: None) -> None:
            self._typed = False
            self.say(_("Disconnected. The key of the server stays until you forget it."), "muted")
            self.changed.emit()

        self._calls.run(lambda: models.clear_slot(slot), done, self._on_error, self)

    def _on_error(self, error: BinyError) -> None:
        self.say(said_in_line(error), "bad")

    def _on_busy(self, busy: bool) -> None:
        for button in (self.save, self.test, self.for_all, self.fetch, self.forget):
            button.setEnabled(not busy)
        if not busy:
            self._look_for_key()
        self.clear.setEnabled(not busy and self.state is not None and bool(self.state.url))
