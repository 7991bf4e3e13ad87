"""Every text of the program has its Chinese, and the compiled catalogue is the one that was edited."""

import ast
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

SCRIPT = Path(__file__).parents[2] / "packaging" / "translations.py"
PLACE = re.compile(r"\{\w*\}")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("biny_translations", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def texts_of(catalog) -> dict[str, tuple[str, ...]]:
    return {first(message.id): tuple(as_list(message.string or "")) for message in catalog if message.id}


def as_list(text) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def first(text) -> str:
    return as_list(text)[0]


def test_nothing_is_untranslated_guessed_or_left_over(script: ModuleType) -> None:
    texts = script.extract()
    for language in script.LANGUAGES:
        known = script.read(language)
        assert script.missing(script.update(language, texts)) == []
        assert set(texts_of(known)) == set(texts_of(texts))
        assert not [message.id for message in known if message.id and message.fuzzy]


def given_literals(script: ModuleType) -> list[tuple[str, str]]:
    """(module, text) of every text that is given to a function that translates or marks."""
    found = []
    for path in sorted((script.ROOT / "biny_desktop").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in script.KEYWORDS:
                given = node.args[: 1 if node.func.id != "ngettext" else 2]
                texts = [each.value for each in given if isinstance(each, ast.Constant)]
                found += [(path.name, text) for text in texts if isinstance(text, str)]
    return found


def test_every_text_that_is_translated_in_the_code_was_seen_also_inside_f_strings(script: ModuleType) -> None:
    known = {text for message in script.extract() if message.id for text in as_list(message.id)}
    given = given_literals(script)
    assert len(given) > 1_000
    assert [each for each in given if each[1] not in known] == []


def test_what_errors_say_is_in_the_catalogue(script: ModuleType) -> None:
    known = texts_of(script.extract())
    said_directly = "The key is missing"
    by_a_constant = "Unlock the keyring or import the recovery key; the data stays as it is."
    through_a_maker = "It matches the empty text, so everything would be hidden."
    assert {said_directly, by_a_constant, through_a_maker} <= set(known)
    assert not [text for text in known if text.startswith("pip ")]


def test_the_files_are_what_the_script_writes(script: ModuleType) -> None:
    texts = script.extract()
    assert (script.FOLDER / "biny.pot").read_bytes() == script.po_bytes(texts)
    for language in script.LANGUAGES:
        assert script.po_path(language).read_bytes() == script.po_bytes(script.update(language, texts))


def test_the_compiled_catalogue_equals_the_edited_one(script: ModuleType) -> None:
    for language in script.LANGUAGES:
        path = script.po_path(language)
        with path.open("rb") as po, path.with_suffix(".mo").open("rb") as mo:
            assert texts_of(read_mo(mo)) == texts_of(read_po(po, locale=language))


def test_translations_keep_the_places_for_values(script: ModuleType) -> None:
    for language in script.LANGUAGES:
        for message in script.read(language):
            if not message.id:
                continue
            wanted, given = as_list(message.id)[-1], as_list(message.string)[-1]
            assert sorted(PLACE.findall(wanted)) == sorted(PLACE.findall(given)), wanted


def test_files_hold_no_dates_paths_or_tool_versions(script: ModuleType) -> None:
    for path in script.FOLDER.rglob("*.po*"):
        header = path.read_text(encoding="utf-8").split("\n\n", 1)[0]
        assert not re.search(r"Date|Babel|\d{4}-\d\d", header)
        assert "#: " not in path.read_text(encoding="utf-8")
