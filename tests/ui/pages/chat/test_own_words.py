"""A message taken apart again gives the draft that it was made of."""

from biny_desktop.conversation.drafts import AttachedFile, Draft, prepare_draft
from biny_desktop.conversation.model import Message
from biny_desktop.ui.pages.chat.own_words import Said, draft_of, stretches, typed_and_attached
from tests.fakes.conversations import redactor

PASTED = "first line\nsecond line"


def message(draft: Draft) -> Message:
    made = prepare_draft(draft, redactor())
    return Message(
        "m", "s", None, "m", "user", 1, made.content, 0, "UTC", spans=made.spans, attachments=made.attachments
    )


def test_what_was_pasted_stays_known_as_pasted_when_it_is_edited() -> None:
    text = f"look at\n{PASTED}\nplease"
    draft = Draft(text, ((8, 8 + len(PASTED)),))
    assert draft_of(message(draft)) == draft
    assert message(draft_of(message(draft))).spans == message(draft).spans


def test_attachments_are_given_along_again_with_their_text() -> None:
    files = (
        AttachedFile("a.md", "text/markdown", "/x/a.md", 7, "# a\n\n[attachment: b]"),
        AttachedFile("p.png", size=3),
    )
    draft = Draft("see these", (), files)
    assert draft_of(message(draft)) == draft
    assert draft_of(message(Draft("", (), files))).attachments == files


def test_a_content_that_does_not_hold_its_attachments_is_taken_as_it_is() -> None:
    made = message(Draft("see", (), (AttachedFile("a.md", text="x"),)))
    other = Message("m", "s", None, "m", "user", 1, made.content[:2], 0, "UTC", attachments=made.attachments)
    assert typed_and_attached(other) == ("se", ())


def test_own_and_pasted_stretches_stand_apart_without_empty_ones() -> None:
    text = f"look at\n\n{PASTED}\n"
    made = message(Draft(text, ((9, 9 + len(PASTED)),)))
    assert stretches(made, len(text)) == (Said("look at", 0, False), Said(PASTED, 9, True))
    assert stretches(made, 4) == (Said("look", 0, False),)
