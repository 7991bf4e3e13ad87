"""An answer on the screen: code to be copied, nothing unsafe, and only its end laid out while it grows."""

import pytest
from PySide6.QtGui import QGuiApplication

from biny_desktop.ui.widgets.answer_body import AnswerBody
from biny_desktop.ui.widgets.answer_view import AnswerView

TEXT = "**Look** here:\n\nsecond\n\n```python\nprint(1)\nprint(2)\n```\n\n- one\n- two\n"


@pytest.fixture
def view(plain_look: None, qtbot: object) -> AnswerView:
    made = AnswerView()
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    return made


def test_code_stands_in_a_block_that_copies_it(view: AnswerView) -> None:
    view.show_markdown(TEXT)
    (block,) = view.codes()
    assert block.language.text() == "python"
    block.copy.click()
    assert QGuiApplication.clipboard().text() == "print(1)\nprint(2)"
    assert view.plain().startswith("Look here:")


def test_an_answer_that_came_in_pieces_shows_the_same_words(view: AnswerView) -> None:
    for sign in TEXT:
        view.append_piece(sign)
    grown = view.plain().split()
    view.show_markdown(TEXT)
    assert view.plain().split() == grown
    assert view.text() == TEXT


def test_what_stands_above_the_end_is_left_alone_while_it_grows(view: AnswerView) -> None:
    view.show_growing("first\n\nsecond")
    bodies = view.findChildren(AnswerBody)
    changed = []
    bodies[0].document().contentsChanged.connect(lambda: changed.append(0))
    view.append_piece(" part\n\nthird")
    assert view.plain().split() == ["first", "second", "part", "third"]
    assert changed == []


def test_a_growing_code_block_keeps_its_widget(view: AnswerView) -> None:
    view.show_growing("```sh\nls")
    (block,) = view.codes()
    view.append_piece(" -l\ncd")
    assert view.codes() == [block]
    assert block.text.toPlainText() == "ls -l\ncd"


def test_html_pictures_and_other_links_are_only_words(view: AnswerView) -> None:
    view.show_markdown("<b>x</b> <script>y</script> ![p](http://elsewhere.example/a.png) [go](file:///etc/passwd)")
    (body,) = view.findChildren(AnswerBody)
    assert "<b>x</b> <script>y</script> [p] go" in body.toPlainText()
    assert "href" not in body.toHtml()
    assert "<img" not in body.toHtml()
