"""Which tools a chat has, by settings and kind of session."""

from pathlib import Path

import pytest

from biny_desktop.conversation.tools.activity_search import ScreenTextPage
from biny_desktop.conversation.tools.box import AgentTools
from biny_desktop.core.settings import Settings
from tests.conversation.tools.scenes import execution, redactor, refusal, scene, settings
from tests.fakes.clock import FakeClock
from tests.fakes.counting_tools import CountingTools


class NoTexts:
    """A screen on which nothing ever was."""

    def search(
        self, query: str, *, after_ms: int | None, before_ms: int | None, app: str, limit: int
    ) -> ScreenTextPage:
        return ScreenTextPage((), 0, False)


class Box:
    """The tools of settings that a test changes."""

    def __init__(self, folder: Path) -> None:
        self.agent: dict[str, object] = {}
        other = CountingTools(folder).all["look"]
        self.tools = AgentTools(
            self.settings, redactor, FakeClock(), texts=NoTexts(), others=(other,), own_folders=(folder / "own",)
        )

    def settings(self) -> Settings:
        return settings(**self.agent)

    def names(self, *, incognito: bool = False) -> list[str]:
        return sorted(self.tools.tools(incognito=incognito))


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def test_tools_of_files_come_with_an_opened_folder(box: Box, tmp_path: Path) -> None:
    assert box.names() == ["activity_search", "look", "todo_write"]
    box.agent["folders"] = ("relative",)
    assert box.names() == ["activity_search", "look", "todo_write"]
    box.agent["folders"] = (str(tmp_path),)
    assert box.names() == ["activity_search", "look", "read_file", "todo_write", "write_file"]


def test_the_screen_is_searched_only_with_permission(box: Box) -> None:
    box.agent["activity"] = False
    assert box.names() == ["look", "todo_write"]


def test_an_incognito_chat_has_the_list_only(box: Box, tmp_path: Path) -> None:
    box.agent["folders"] = (str(tmp_path),)
    assert box.names(incognito=True) == ["todo_write"]


def test_switched_off_there_are_none(box: Box, tmp_path: Path) -> None:
    box.agent |= {"tools": False, "folders": (str(tmp_path),)}
    assert box.names() == box.names(incognito=True) == []


def test_without_a_search_there_is_no_tool_for_it() -> None:
    assert list(AgentTools(settings, redactor, FakeClock()).tools(incognito=False)) == ["todo_write"]


def test_every_tool_says_what_it_takes_and_refuses_rubbish(box: Box, tmp_path: Path) -> None:
    box.agent["folders"] = (str(tmp_path),)
    for name, tool in box.tools.tools(incognito=False).items():
        if name == "look":
            continue
        assert tool.spec.name == name
        assert len(tool.spec.description) > 40
        assert tool.spec.parameters["type"] == "object"
        assert tool.spec.parameters["additionalProperties"] is False
        for rubbish in ("", "null", "[]", "{", '"x"', '{"a": {"b": [', "\x00", '{"more": 1}', "{}" * 2):
            assert refusal(tool.admit(rubbish, scene()))


def test_the_programs_own_folder_stays_closed(box: Box, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "key").write_text("x")
    box.agent["folders"] = (str(tmp_path),)
    tool = box.tools.tools(incognito=False)["read_file"]
    path = f"{tmp_path.name}/own/key"
    assert "kept by the program" in refusal(tool.admit(f'{{"path": "{path}"}}', scene()))
    assert box.tools.tools(incognito=False)["write_file"].found(
        execution("write_file", target=str(tmp_path / "own" / "key"))
    ) == "unknown"  # fmt: skip
