"""The page Chat over a real home and a scripted server: what a person does, by keys and buttons."""

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QPushButton, QToolButton

from biny_desktop.conversation.model import Todo
from biny_desktop.core.anchors import Anchor
from biny_desktop.ui.pages.chat.divider import DividerView
from biny_desktop.ui.widgets.answer_view import AnswerView
from biny_desktop.ui.widgets.panes import CONTENT_SMALLEST_PX
from tests.fakes.chat_page import ChatRig, button, press
from tests.fakes.model_server import ModelServer
from tests.fakes.summaries import summary

KEY = "sk-proj-AbCdEf0123456789AbCdEf0123456789"


def test_the_first_message_begins_a_chat_and_its_answer_is_shown(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.answer("**Good** morning.")
    rig.say("Hello there")
    assert rig.texts() == ["Hello there", "**Good** morning."]
    assert isinstance(rig.last().body, AnswerView)
    assert rig.last().body.plain() == "Good morning."
    assert rig.page.talk.heading.text() == "Hello there"
    assert rig.page.composer.draft().text == ""
    rig.until(lambda: rig.page.side.model.rowCount() == 1)


def test_an_answer_is_heard_while_it_comes_and_stopped_with_what_came(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.answer("one two three four five six seven", piece=4, trickle_s=0.15)
    rig.page.composer.field.setPlainText("count")
    rig.qtbot.keyClick(rig.page.composer.field, Qt.Key.Key_Return)
    rig.until(lambda: "two" in rig.page.transcript.stream.answer.plain())
    rig.qtbot.keyClick(rig.page.composer.field, Qt.Key.Key_Escape)
    rig.until(lambda: not rig.running() and len(rig.texts()) == 2)
    assert rig.texts()[1].startswith("one two")
    assert "seven" not in rig.texts()[1]
    assert rig.last().shown.message.state == "stopped"


def test_an_answer_can_be_asked_for_again_and_versions_switched_by_keys(
    rig: ChatRig, model_server: ModelServer
) -> None:
    model_server.answer("first").answer("second")
    rig.say("question")
    rig.qtbot.keyClick(rig.last(), Qt.Key.Key_R)
    rig.until(lambda: rig.texts() == ["question", "second"] and not rig.running())
    assert (rig.last().shown.version, len(rig.last().shown.version_ids)) == (2, 2)
    rig.qtbot.keyClick(rig.last(), Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    rig.until(lambda: rig.texts() == ["question", "first"])


def test_the_old_answer_makes_room_while_another_is_written(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.answer("first").answer("one two three four five six", piece=4, trickle_s=0.15)
    rig.say("question")
    rig.qtbot.keyClick(rig.last(), Qt.Key.Key_R)
    rig.until(lambda: "two" in rig.page.transcript.stream.answer.plain())
    assert rig.texts() == ["question"]
    assert rig.page.transcript.stream.head.text() == "large"
    rig.page.composer.stop.click()
    rig.until(lambda: not rig.running() and len(rig.texts()) == 2)
    assert rig.texts()[1].startswith("one two")


def test_a_message_is_edited_beside_the_old_one_and_esc_leaves_it(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.answer("first").answer("second")
    rig.say("question")
    first = rig.page.transcript.messages()[0]
    rig.page.composer.field.setPlainText("half a thought")
    rig.qtbot.keyClick(first, Qt.Key.Key_E)
    assert first.editor.field.toPlainText() == "question"
    rig.qtbot.keyClick(first.editor.field, Qt.Key.Key_Escape)
    assert first.editor is None
    assert first.body.isVisible()
    rig.qtbot.keyClick(first, Qt.Key.Key_E)
    first.editor.field.setPlainText("another question")
    rig.qtbot.keyClick(first.editor.field, Qt.Key.Key_Return)
    rig.until(lambda: rig.texts() == ["another question", "second"] and not rig.running())
    assert rig.page.composer.field.toPlainText() == "half a thought"


def test_what_will_be_hidden_is_said_while_one_writes(rig: ChatRig, model_server: ModelServer) -> None:
    rig.page.composer.field.setPlainText(f"my key is {KEY}")
    rig.until(rig.page.composer.hidden.isVisible)
    assert "token" in rig.page.composer.hidden.text()
    rig.page.composer.field.setPlainText("nothing to hide")
    rig.until(lambda: not rig.page.composer.hidden.isVisible())


def test_pasted_words_are_known_and_what_is_typed_around_them_moves_them(rig: ChatRig) -> None:
    field = rig.page.composer.field
    data = QMimeData()
    data.setText("pasted\nwords")
    field.insertFromMimeData(data)
    assert field.pasted == [(0, 12)]
    field.moveCursor(field.textCursor().MoveOperation.Start)
    rig.qtbot.keyClicks(field, "ab ")
    assert field.pasted == [(3, 15)]
    field.selectAll()
    rig.qtbot.keyClick(field, Qt.Key.Key_Delete)
    assert field.pasted == []


def test_a_file_is_attached_with_its_text_and_others_by_name(rig: ChatRig, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# notes", encoding="utf-8")
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\xff\x00")
    rig.page.composer.add_file(tmp_path / "notes.md")
    rig.page.composer.add_file(tmp_path / "photo.png")
    rig.page.composer.add_file(tmp_path / "gone.txt")
    rig.page.composer.add_file(Path("/dev/zero"))
    files = rig.page.composer.draft().attachments
    assert [(each.name, each.text) for each in files] == [("notes.md", "# notes"), ("photo.png", "")]
    assert rig.errors == ["gone.txt cannot be read.", "zero cannot be read."]


def test_without_a_model_it_is_said_and_the_way_to_one_is_shown(rig: ChatRig) -> None:
    asked = []
    rig.page.page_requested.connect(lambda key, part: asked.append((key, part)))
    rig.product.reset_setting("models.chat_url")
    rig.page.refresh()
    rig.until(lambda: rig.page.bar.isVisible() and not rig.page.composer.send.isEnabled())
    next(each for each in rig.page.bar.findChildren(QPushButton) if each.text() == "Choose a model").click()
    assert asked == [("models", "slots")]


def test_a_fault_of_the_server_is_said_under_the_message(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.always(status=401)
    rig.page.composer.field.setPlainText("hello")
    rig.qtbot.keyClick(rig.page.composer.field, Qt.Key.Key_Return)
    rig.until(lambda: bool(rig.page.transcript.messages()) and bool(rig.last().shown.fault))
    assert rig.last().shown.fault == "http"
    assert rig.texts() == ["hello"]


def test_drafts_stay_with_their_chats(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.always("yes")
    rig.say("first chat")
    first = rig.page._session_id
    rig.page.composer.field.setPlainText("half a thought")
    rig.page.side.new.click()
    assert rig.page.composer.field.toPlainText() == ""
    rig.say("second chat")
    rig.page.open_session(first)
    assert rig.page.composer.field.toPlainText() == "half a thought"
    rig.until(lambda: rig.texts() == ["first chat", "yes"])


def test_an_incognito_chat_leaves_nothing_when_it_is_closed(
    rig: ChatRig, model_server: ModelServer, tmp_path: Path
) -> None:
    model_server.always("zanzibarique indeed")
    rig.page.side.incognito.click()
    rig.until(lambda: rig.page._session_id is not None)
    rig.say("zanzibarique secret")
    assert "incognito" in rig.page.talk.kind.text()
    rig.page.talk.close_it.click()
    rig.until(lambda: rig.page._session_id is None and rig.page.side.model.rowCount() == 0)
    data = b"".join(each.read_bytes() for each in (tmp_path / "home").rglob("*") if each.is_file())
    assert b"zanzibarique" not in data


def test_to_dos_are_added_ticked_and_taken_out(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.always("ok")
    rig.say("hello")
    pane, session = rig.page.todos, rig.page._session_id
    pane.fold.head.setChecked(True)
    pane.field.setText("look at the plan")
    rig.qtbot.keyClick(pane.field, Qt.Key.Key_Return)
    rig.until(lambda: pane.fold.head.text() == "To-dos: 1 of 1 open")
    pane._tick(0, on=True)
    rig.until(lambda: pane.fold.head.text() == "To-dos: 0 of 1 open")
    assert rig.product.chat.view(session).todos.items[0].status == "completed"
    pane._save([])
    rig.until(lambda: pane.fold.head.text() == "To-dos")


def test_a_change_of_a_file_is_shown_and_allowed_in_the_chat(
    rig: ChatRig, model_server: ModelServer, tmp_path: Path
) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    rig.product.set_setting("agent.folders", str(folder))
    args = {"path": "open/new.md", "text": "# new\n", "reason": "you asked"}
    model_server.answer("", tool_calls=[{"id": "w", "name": "write_file", "arguments": args}]).answer("Written.")
    rig.page.composer.field.setPlainText("write it")
    rig.qtbot.keyClick(rig.page.composer.field, Qt.Key.Key_Return)

    def allow() -> list[QPushButton]:
        return [each for each in rig.page.waiting.findChildren(QPushButton) if each.text() == "Approve"]

    rig.until(lambda: bool(allow()) and not rig.running())
    assert not (folder / "new.md").exists()
    allow()[0].click()
    rig.until(lambda: "Written." in rig.texts() and not rig.running())
    assert (folder / "new.md").read_text(encoding="utf-8") == "# new\n"


def test_a_chat_is_renamed_and_deleted_after_a_look_at_what_goes(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.always("ok")
    rig.say("hello")
    session = rig.product.chat.view(rig.page._session_id).session
    rig.page.acts.rename(session)
    assert isinstance(rig.page.acts.dialog, QDialog)
    rig.page.acts.dialog.field.setText("Named")
    rig.page.acts.dialog._on_save()
    rig.until(lambda: rig.page.talk.heading.text() == "Named")
    rig.page.acts.delete(rig.product.chat.view(session.id).session)
    rig.until(lambda: isinstance(rig.page.acts.dialog, QMessageBox))
    assert "2 messages" in rig.page.acts.dialog.informativeText()
    press(rig.page.acts.dialog, "Delete")
    rig.until(lambda: rig.page._session_id is None and rig.page.side.model.rowCount() == 0)


def test_a_message_found_elsewhere_opens_in_its_chat_and_another_version_is_offered(
    rig: ChatRig, model_server: ModelServer
) -> None:
    model_server.answer("first").answer("second")
    rig.say("question")
    old = rig.last().shown.message.id
    rig.qtbot.keyClick(rig.last(), Qt.Key.Key_R)
    rig.until(lambda: rig.texts() == ["question", "second"] and not rig.running())
    rig.page.side.new.click()
    assert rig.page.open_anchor(Anchor("message", old, 0, "UTC"))
    rig.until(lambda: isinstance(rig.page.acts.dialog, QMessageBox))
    press(rig.page.acts.dialog, "Show it")
    rig.until(lambda: rig.texts() == ["question", "first"])
    assert not rig.page.open_anchor(Anchor("frame", "1", 0, "UTC"))


def test_a_long_chat_shows_its_end_and_more_on_demand(rig: ChatRig, model_server: ModelServer) -> None:
    from biny_desktop.conversation.session_events import AssistantMessage, NewEvent

    session = rig.product.chat.create()
    stored, parent, events = rig.product.chat._logs.stored, None, []
    for n in range(120):
        events.append(NewEvent(AssistantMessage(message_id=f"m{n}", parent_id=parent, content=f"answer {n}")))
        parent = f"m{n}"
    stored.append(session.id, events)
    rig.page.open_session(session.id)
    rig.until(lambda: len(rig.texts()) >= 16)
    assert rig.texts()[-1] == "answer 119"
    assert rig.page.transcript.earlier.text() == "Show 104 earlier messages"
    rig.page.transcript.earlier.click()
    assert len(rig.texts()) >= 56
    assert rig.page.transcript.show_message("m3")
    assert rig.texts()[0] == "answer 1"


def test_a_chat_is_put_into_a_new_project_and_found_there(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.always("ok")
    rig.say("about the quay")
    session = rig.product.chat.view(rig.page._session_id).session
    rig.page.acts._new_project(session)
    rig.page.acts.dialog.field.setText("Harbour")
    rig.page.acts.dialog._on_save()
    rig.until(lambda: rig.page.side.project.count() == 2 and "Harbour" in rig.page.talk.kind.text())
    rig.page.side.new.click()
    rig.say("something else")
    rig.until(lambda: rig.page.side.model.rowCount() == 2)
    rig.page.side.project.setCurrentIndex(1)
    rig.page.side.project.activated.emit(1)
    rig.until(lambda: [rig.page.side.model.session(0).id, rig.page.side.model.rowCount()] == [session.id, 1])


def test_a_fork_is_opened_and_holds_the_conversation_so_far(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.always("ok")
    rig.say("hello")
    first = rig.page._session_id
    rig.qtbot.keyClick(rig.last(), Qt.Key.Key_F)
    rig.until(lambda: rig.page._session_id != first and rig.texts() == ["hello", "ok"])
    assert "forked" in rig.page.talk.kind.text()


def test_a_chat_is_summed_up_by_hand_and_an_item_opens_its_source(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.answer("ok")
    rig.say("hello")
    model_server.answer(summary)
    rig.page.acts.sum_up_asked.emit(rig.page._session_id)
    rig.until(lambda: bool(rig.page.transcript.findChildren(DividerView)))
    (divider,) = rig.page.transcript.findChildren(DividerView)
    divider.fold.head.setChecked(True)
    button(divider, "Show source").click()
    rig.until(rig.page.transcript.messages()[0].hasFocus)


def test_summing_up_is_shown_and_can_be_cancelled(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.answer("ok")
    rig.say("hello")
    model_server.answer("word " * 50, piece=2, trickle_s=0.2)
    rig.page.acts.sum_up_asked.emit(rig.page._session_id)
    rig.until(lambda: button(rig.page.bar, "Cancel") is not None)
    assert not rig.page.composer.send.isEnabled()
    button(rig.page.bar, "Cancel").click()
    rig.until(rig.page.bar.isHidden)
    assert rig.errors == []
    assert not rig.page.transcript.findChildren(DividerView)


def test_why_a_chat_was_not_summed_up_is_said(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.answer("ok")
    rig.say("hello")
    model_server.always(status=500)
    rig.page.acts.sum_up_asked.emit(rig.page._session_id)
    rig.until(lambda: rig.errors == ["The chat was not summed up"])
    rig.until(rig.page.bar.isHidden)


def test_a_list_that_changed_meanwhile_is_read_again(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.always("ok")
    rig.say("hello")
    session = rig.page._session_id
    rig.page._on_sessions = lambda _ids: None
    rig.product.chat.save_todos(session, [Todo("of somebody else")], 0)
    rig.page.todos._save([Todo("mine")])
    rig.until(lambda: rig.errors == ["The to-do list was not changed"])
    rig.until(lambda: rig.page.todos._list.items == (Todo("of somebody else"),))


def test_after_a_fault_the_message_is_tried_again(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.always(status=401)
    rig.page.composer.field.setPlainText("hello")
    rig.qtbot.keyClick(rig.page.composer.field, Qt.Key.Key_Return)
    rig.until(lambda: button(rig.page.waiting, "Try again") is not None)
    model_server.always("There you are.")
    button(rig.page.waiting, "Try again").click()
    rig.until(lambda: rig.texts() == ["hello", "There you are."] and not rig.running())


def test_a_pasted_part_is_marked_as_ones_own(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.always("ok")
    data = QMimeData()
    data.setText("pasted\nwords")
    rig.page.composer.field.insertFromMimeData(data)
    rig.qtbot.keyClick(rig.page.composer.field, Qt.Key.Key_Return)
    rig.until(lambda: len(rig.texts()) == 2 and not rig.running())
    assert rig.page.transcript.messages()[0].shown.message.spans[0].trust == "untrusted"
    button(rig.page.transcript.messages()[0], "These are my own words").click()
    rig.until(lambda: rig.page.transcript.messages()[0].shown.message.spans[0].trust == "owner")


def test_every_control_has_a_name_and_a_tooltip(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.always("ok")
    rig.say("hello")
    nameless = [
        each
        for kind in (QPushButton, QToolButton)
        for each in rig.page.findChildren(kind)
        if each.isVisible() and not (each.toolTip() and (each.accessibleName() or each.text()))
    ]
    assert nameless == []


def test_the_keyboard_goes_through_the_messages_as_they_stand(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.always("ok")
    rig.say("first")
    rig.say("second")
    field = rig.page.composer.field
    rig.until(lambda: not rig.calls.busy() and all(each.isVisible() for each in rig.page.transcript.messages()))
    messages = rig.page.transcript.messages()
    field.setFocus()
    rig.until(field.hasFocus)
    rig.qtbot.keyClick(field, Qt.Key.Key_Up)
    assert messages[-1].hasFocus()
    rig.qtbot.keyClick(messages[-1], Qt.Key.Key_Up)
    assert messages[-2].hasFocus()
    reached = []
    messages[0].setFocus()
    for _ in range(60):
        rig.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        now = QApplication.focusWidget()
        reached += [now] if now in (*messages, field, rig.page.composer.attach) else []
        if now is field:
            break
    assert reached == [*messages[1:], rig.page.composer.attach, field]
    messages[-1].setFocus()
    rig.qtbot.keyClick(messages[-1], Qt.Key.Key_Down)
    assert field.hasFocus()


def test_what_a_menu_offers_fits_the_chat(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.always("ok")
    rig.say("hello")
    offered = [each.text() for each in rig.page.acts.menu(rig.page._view.session, ()).actions() if each.text()]
    assert offered == ["Rename… (F2)", "Project", "Fork", "Sum up now", "Export…", "Delete…"]
    rig.page.side.incognito.click()
    rig.until(lambda: rig.page._view is not None and rig.page._view.session.incognito)
    offered = [each.text() for each in rig.page.acts.menu(rig.page._view.session, ()).actions() if each.text()]
    assert offered == ["Close without trace"]


def test_a_narrow_window_holds_the_page(rig: ChatRig, model_server: ModelServer) -> None:
    model_server.always("ok")
    rig.say("hello " + "x" * 400)
    assert rig.page.talk.minimumSizeHint().width() <= CONTENT_SMALLEST_PX
    rig.page.resize(CONTENT_SMALLEST_PX, 500)
    rig.until(lambda: rig.page.talk.isVisible() and not rig.page.side.isVisible())
    script = rig.page.transcript
    rig.until(lambda: script.widget().width() <= script.viewport().width())
