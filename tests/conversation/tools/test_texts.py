"""Diffs say every change; applying one gives the other text."""

from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.conversation.tools.texts import bytes_of, diff, text_of
from tests.conversation.tools.scenes import redactor

TEXTS = st.lists(st.sampled_from(["a", "b", "笔记", "", " - x", "+ y", "@@"]), max_size=12).map("\n".join)


def patched(old: str, shown: str) -> str:
    """The new text, by a plain reading of a unified diff."""
    lines, out, at = old.split("\n"), [], 0
    for line in shown.split("\n")[2:]:
        if line.startswith("@@"):
            start = int(line.split("-")[1].split(",")[0].split(" ")[0])
            count = line.split(" ")[1].partition(",")[2] or "1"
            start = start if count == "0" else start - 1
            out += lines[at:start]
            at = start
        elif line.startswith("-"):
            at += 1
        elif line.startswith("+"):
            out.append(line[1:])
        elif line.startswith(" "):
            out.append(line[1:])
            at += 1
    return "\n".join(out + lines[at:])


@given(TEXTS, TEXTS)
def test_a_diff_holds_all_that_is_needed_to_make_the_new_text(old: str, new: str) -> None:
    old, new = f"{old}\n", f"{new}\n"
    shown = diff("n/a.md", old, new, redactor())
    assert (patched(old, shown) if shown else old) == new


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), max_size=40), st.booleans(), st.booleans())
def test_text_survives_the_way_through_bytes(text: str, dos: bool, mark: bool) -> None:
    before = (b"\xef\xbb\xbf" if mark else b"") + (b"x\r\n" if dos else b"x\n")
    text = text.lstrip("\ufeff")
    assert text_of(bytes_of(text, before)) == text
    assert text_of(bytes_of(text, None)) == text
