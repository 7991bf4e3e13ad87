"""Chats brought in and written out on the page: the menu, the empty page, one chat, all of them."""

from pathlib import Path

from PySide6.QtCore import Qt

from biny_desktop.ui.dialogs.export_chats import ExportChatsDialog
from biny_desktop.ui.dialogs.import_chats import ImportChatsDialog
from biny_desktop.ui.dialogs.past_imports import PastImportsDialog
from biny_desktop.ui.dialogs.save_chats import Form
from tests.fakes.chat_page import ChatRig, press
from tests.fakes.model_server import ModelServer

TALK = "**User**: When does the ferry leave?\n\n**Assistant**: At half past.\n"


def brought_in(rig: ChatRig, tmp_path: Path) -> ImportChatsDialog:
    """The dialog after it brought a transcript in."""
    file = tmp_path / "talk.md"
    file.write_text(TALK, encoding="utf-8")
    dialog = rig.page.transfers.dialog
    assert isinstance(dialog, ImportChatsDialog)
    dialog.ask_file = lambda: str(file)
    dialog.choose.file.click()
    rig.until(lambda: dialog.preview.isVisible() and dialog.bring.isEnabled())
    dialog.bring.click()
    rig.until(lambda: rig.page.side.model.rowCount() == 1)
    return dialog


def test_the_empty_page_offers_to_bring_chats_in_and_opens_the_newest(rig: ChatRig, tmp_path: Path) -> None:
    offer = rig.page.talk.nothing.bring
    rig.until(offer.isVisible)
    offer.click()
    dialog = brought_in(rig, tmp_path)
    rig.until(lambda: not rig.calls.busy())
    assert not offer.isVisible()
    dialog.open_newest.click()
    rig.until(lambda: rig.texts() == ["When does the ferry leave?", "At half past."])


def test_an_incognito_chat_offers_no_import(rig: ChatRig) -> None:
    rig.until(rig.page.talk.nothing.bring.isVisible)
    rig.page.side.incognito.click()
    rig.until(lambda: rig.page._session_id is not None and not rig.page.talk.nothing.bring.isVisible())


def test_the_menu_opens_each_dialog(rig: ChatRig) -> None:
    transfers, more = rig.page.transfers, rig.page.side.more
    actions = [each for each in more.menu().actions() if each.text()]
    assert [each.text() for each in actions] == ["Import chats…", "Past imports…", "Export all chats…"]
    assert all(each.toolTip() for each in actions)
    assert more.accessibleName()
    assert "Ctrl+Shift+I" in more.toolTip()
    for action, kind in zip(actions, (ImportChatsDialog, PastImportsDialog, ExportChatsDialog), strict=True):
        action.trigger()
        dialog = transfers.dialog
        assert isinstance(dialog, kind)
        rig.until(lambda: not rig.calls.busy())
        dialog.reject()


def test_ctrl_shift_i_opens_the_import_from_the_field(rig: ChatRig) -> None:
    rig.page.activateWindow()
    rig.until(rig.page.isActiveWindow)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    rig.qtbot.keyClick(rig.page.composer.field, Qt.Key.Key_I, both)
    rig.until(lambda: isinstance(rig.page.transfers.dialog, ImportChatsDialog))
    rig.page.transfers.dialog.reject()


def test_an_import_is_undone_from_the_past_and_its_chat_goes(rig: ChatRig, tmp_path: Path) -> None:
    rig.page.transfers.bring_in()
    brought_in(rig, tmp_path).open_newest.click()
    rig.until(lambda: len(rig.texts()) == 2)
    rig.page.transfers.past_imports()
    past = rig.page.transfers.dialog
    assert isinstance(past, PastImportsDialog)
    rig.until(past.undo.isEnabled)
    past.undo.click()
    press(past.box, "Undo it")
    rig.until(lambda: rig.page._session_id is None and rig.page.side.model.rowCount() == 0)
    past.reject()
    rig.until(rig.page.talk.nothing.bring.isVisible)


def test_a_chat_is_written_out_under_its_title(rig: ChatRig, model_server: ModelServer, tmp_path: Path) -> None:
    model_server.always("ok")
    rig.say("What is a/b?")
    asked: list[str] = []
    session = rig.page._view.session
    forms: tuple[Form, ...] = ("jsonl", "md")
    for form in forms:
        path = tmp_path / f"out.{form}"

        def ask(name: str, path: Path = path, form: Form = form) -> tuple[Path, Form]:
            asked.append(name)
            return path, form

        rig.page.transfers.ask = ask
        rig.page.acts.export_asked.emit(session)
        rig.until(path.exists)
    assert asked == ["What is a b"] * 2
    rig.until(lambda: "out.md" in rig.page.bar.note.text())
    assert "What is a/b?" in (tmp_path / "out.md").read_text(encoding="utf-8")
    rig.page.transfers.ask = lambda _name: None
    rig.page.acts.export_asked.emit(session)
    assert not rig.calls.busy()


def test_a_chat_that_cannot_be_written_out_is_said(rig: ChatRig, model_server: ModelServer, tmp_path: Path) -> None:
    model_server.always("ok")
    rig.say("hello")
    rig.page.transfers.ask = lambda name: (tmp_path / "nowhere" / name, "md")
    rig.page.transfers.export(rig.page._view.session)
    rig.until(lambda: rig.errors == ["A file cannot be used"])
