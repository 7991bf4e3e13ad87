"""One item of the inbox: only the answers that its kind knows, and words that are edited first."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from biny_desktop.core.anchors import Anchor
from biny_desktop.redaction import safe_constant
from biny_desktop.service.approvals import ApprovalItem
from biny_desktop.ui.pages.approvals.detail import ApprovalDetail
from tests.fakes.clock import START_MS, FakeClock

MEMORY = ApprovalItem(
    id="memory:1", kind="memory", title="Keep what another tool remembered", evidence=safe_constant("Likes tea."),
    form="text", status="open", asked_at_ms=START_MS, time_zone="UTC", effect="It is kept.", comes_from="ChatGPT",
    editable=True, never=True,
)  # fmt: skip
CALL = replace(
    MEMORY, id="call:1", kind="call", title="Write notes/a.md", evidence=safe_constant("--- a\n+++ a\n-x\n+y"),
    form="diff", editable=False, never=False, source=Anchor("message", "m1", START_MS, "UTC"), why="you asked",
    expires_at_ms=START_MS + 86_400_000,
)  # fmt: skip


@pytest.fixture
def detail(calls, qtbot) -> ApprovalDetail:
    made = ApprovalDetail(FakeClock())
    qtbot.addWidget(made)
    made.resize(640, 480)
    made.show()
    return made


def shown(detail: ApprovalDetail) -> list[str]:
    buttons = (detail.open, detail.never, detail.refuse, detail.edit, detail.allow)
    return [each.text() for each in buttons if each.isVisible() and each.isEnabled()]


def test_only_the_answers_of_its_kind_are_offered(detail: ApprovalDetail) -> None:
    assert shown(detail) == []
    detail.show_item(CALL)
    assert shown(detail) == ["Show in the chat", "Refuse", "Allow"]
    detail.show_item(MEMORY)
    assert shown(detail) == ["Never again", "Refuse", "Edit", "Allow"]
    detail.show_item(replace(CALL, status="expired"))
    assert shown(detail) == ["Show in the chat"]
    detail.show_item(None)
    assert shown(detail) == []


def test_words_can_be_edited_and_are_accepted_as_they_are_then(detail: ApprovalDetail, qtbot) -> None:
    heard = []
    detail.accepted.connect(lambda item, text: heard.append((item.id, text)))
    detail.show_item(MEMORY)
    detail.allow.click()
    assert detail.evidence.isReadOnly()
    detail.edit.click()
    detail.evidence.selectAll()
    qtbot.keyClicks(detail.evidence, "Prefers tea")
    detail.show_item(MEMORY)  # read again meanwhile
    assert detail.evidence.toPlainText() == "Prefers tea"
    detail.allow.click()
    assert heard == [("memory:1", None), ("memory:1", "Prefers tea")]


def test_refusals_and_the_source_are_told(detail: ApprovalDetail) -> None:
    heard = []
    detail.refused.connect(lambda item: heard.append(item.id))
    detail.refused_for_ever.connect(lambda item: heard.append(f"never {item.id}"))
    detail.source_asked.connect(lambda anchor: heard.append(anchor.ref))
    detail.show_item(MEMORY)
    detail.never.click()
    detail.show_item(CALL)
    detail.refuse.click()
    detail.open.click()
    assert heard == ["never memory:1", "call:1", "m1"]


def test_while_an_answer_is_on_its_way_no_other_is_given(detail: ApprovalDetail) -> None:
    detail.show_item(MEMORY)
    detail.lock()
    assert shown(detail) == []
    detail.show_item(MEMORY)
    assert len(shown(detail)) == 4


def test_a_long_change_scrolls_inside_and_answers_stay_in_sight(detail: ApprovalDetail, qtbot) -> None:
    detail.show_item(replace(CALL, evidence=safe_constant("--- a\n+++ a\n" + "+line\n" * 500)))
    qtbot.waitUntil(lambda: detail.evidence.verticalScrollBar().maximum() > 0)
    assert detail.height() == 480
    assert detail.allow.mapTo(detail, detail.allow.rect().bottomLeft()).y() < 480
    assert detail.evidence.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
