"""One setting as a row: name, help, editor, what the default is and a way back to it, and why a value was refused."""

from PySide6.QtCore import Qt

from biny_desktop.core.errors import BinyError
from biny_desktop.core.i18n import _
from biny_desktop.core.settings import Declaration
from biny_desktop.ui.settings_form.editors import editor_for
from biny_desktop.ui.settings_form.values import SettingValues, environment_name
from biny_desktop.ui.settings_form.words import label_words, value_words
from biny_desktop.ui.widgets.form import FormRow, IconButton


class SettingRow(FormRow):
    """Follows `SettingValues`; a setting that the environment decides is shown and locked."""

    def __init__(self, key: str, values: SettingValues) -> None:
        self.key, self._values = key, values
        self._declared: Declaration = values.declared[key]
        self.editor = editor_for(self._declared, label_words(key))
        self.reset = IconButton("undo", _("Back to the default"))
        keep = self.reset.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(keep)
        super().__init__(label_words(key), _(self._declared.help), self.editor, self.reset)
        self.editor.setToolTip(f"{self.name} ({key})")
        self.editor.setAccessibleDescription(self.help)
        self.reset.setAccessibleName(_("{name}: back to the default").format(name=self.name))
        default = value_words(self._declared, self._declared.default)
        self._default_words = _("Default: {value}").format(value=default)
        self.reset.setToolTip(_("Back to the default: {value}").format(value=default))
        self._refusal = ""
        self.editor.chosen.connect(self._on_chosen)
        self.reset.clicked.connect(self._on_reset)
        values.loaded.connect(self._on_loaded)
        values.refused.connect(self._on_refused)
        self.reset.hide()
        self.editor.setEnabled(False)
        if values.value(key) is not None:
            self._on_loaded()

    def _on_chosen(self, text: str) -> None:
        self._refusal = ""
        self._values.set(self.key, text)

    def _on_reset(self) -> None:
        self._refusal = ""
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._values.reset(self.key)

    def _on_loaded(self) -> None:
        value = self._values.value(self.key)
        self.editor.show_value(value)
        variable = environment_name(self.key)
        self.editor.setEnabled(variable is None)
        changed = not self._values.is_default(self.key)
        battery = self._values.on_battery(self.key)
        self.reset.setVisible(changed and variable is None)
        if self._refusal:
            self.say(self._refusal, "bad")
        elif variable is not None:
            self.say(_("Set by the environment variable {name}; change it there.").format(name=variable), "warn")
        elif battery is not None:
            now = value_words(self._declared, battery)
            self.say(_("On battery {value} is in force, because you did not choose one.").format(value=now), "warn")
        else:
            self.say(self._default_words if changed else "")

    def _on_refused(self, key: str, error: BinyError) -> None:
        if key == self.key:
            self._refusal = _("Not accepted, nothing was changed. {hint}").format(hint=_(error.hint or error.message))
            self.say(self._refusal, "bad")
