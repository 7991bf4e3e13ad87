"""The card of what ageing will do: before the very first time it says when, and can be postponed or started."""

from PySide6.QtCore import Signal

from biny_desktop.activity.ageing_model import AgeingPreview, RetentionState
from biny_desktop.core.i18n import _
from biny_desktop.ui.facts import Facts
from biny_desktop.ui.formats import day_and_time, duration, full_moment
from biny_desktop.ui.pages.privacy.space_facts import due_facts, nothing_due
from biny_desktop.ui.widgets.form import Section
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.rows import action, button_row


class AgeingCard(Section):
    """`postponed` and `agreed` when the person says so; hidden while nothing is due."""

    postponed = Signal()
    agreed = Signal()

    def __init__(self) -> None:
        super().__init__(_("What ageing does next"))
        self.said = label("", wrap=True)
        self.facts = Facts()
        self.later = action(_("Postpone by 7 days"), _("Nothing is made smaller or deleted before that"))
        self.now = action(_("Start now"), _("Do not wait; the next run begins with it"), "primary")
        self.later.clicked.connect(self.postponed)
        self.now.clicked.connect(self.agreed)
        self._buttons = button_row(self.now, self.later)
        for part in (self.said, self.facts, self._buttons):
            self.add(part)
        self.hide()

    def fill(self, state: RetentionState, preview: AgeingPreview, zone: str, now_ms: int) -> None:
        """Show what is due and from when."""
        waiting = state.phase == "waiting" and state.starts_at_ms is not None
        self.setVisible(waiting or not nothing_due(preview))
        self._buttons.setVisible(waiting)
        if waiting:
            when = day_and_time(state.starts_at_ms, zone, now_ms)
            left = duration(max(60_000, state.starts_at_ms - now_ms))
            text = _("For the first time pictures will be made smaller or deleted: on {when}, in {left}.")
            self.said.setText(text.format(when=when, left=left))
            self.said.setToolTip(full_moment(state.starts_at_ms, zone))
        elif state.phase == "running":
            self.said.setText(_("Due now; it is done when you are away or on mains power, every half hour."))
        else:
            self.said.setText(_("Due, but nothing happens before a preview of 24 hours."))
        self.facts.fill(due_facts(preview, zone, now_ms))
