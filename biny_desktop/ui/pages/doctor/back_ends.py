"""The back ends this session got: which, why, and which were refused with the reason."""

from collections.abc import Sequence

from biny_desktop.capture.platforms.choices import Choice
from biny_desktop.core.i18n import _
from biny_desktop.ui.item_models.table import Row, TableModel
from biny_desktop.ui.widgets.table_view import TableView


def port_words(port: str) -> str:
    """What a port is for."""
    return {
        "windows": _("Windows"),
        "input": _("Input"),
        "presence": _("Idle, lock, sleep"),
        "screen": _("Pictures"),
    }.get(port, port)


def rows_of(choices: Sequence[Choice]) -> list[Row]:
    """The chosen ones, each followed by what was refused for it."""
    rows = []
    for choice in choices:
        rows.append(Row((port_words(choice.port), choice.chosen, _("in use"), choice.why), tip=choice.why))
        rows += [Row(("", name, _("not taken"), why), tip=why) for name, why in choice.refused]
    return rows


class BackEndTable(TableView):
    """`fill` shows the choices."""

    def __init__(self) -> None:
        self.rows = TableModel((_("For"), _("Back end"), _("State"), _("Why")))
        super().__init__(self.rows, _("Back ends"), stretch=3, wrap=True)

    def fill(self, choices: Sequence[Choice]) -> None:
        """Show these."""
        self.rows.fill(rows_of(choices))
