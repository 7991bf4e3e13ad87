"""Extract, update and compile the translations: `python packaging/translations.py [--check]`.

Writes `resources/translations/biny.pot`, and for each language its `.po` and `.mo`. The files hold no dates, places or
tool versions, so they change only when a text does. With `--check` nothing is written; either way the exit status is 1
when a text has no translation.
"""

import argparse
import ast
import io
import sys
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
LANGUAGES = ("zh_CN",)
DOMAIN = "biny"
KEYWORDS = {"_": None, "mark": None, "ngettext": (1, 2)}
WIDTH = 120


class PlainCatalog(Catalog):
    """A catalogue whose header says nothing but what a reader needs."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        headers = [("Project-Id-Version", "Biny Desktop")]
        if self.locale is not None:
            headers += [("Language", str(self.locale)), ("Plural-Forms", self.plural_forms)]
        return [
            *headers,
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]


def extract() -> PlainCatalog:
    """Every text that is marked for translation, the help of every declared setting, and what errors say."""
    catalog = PlainCatalog(domain=DOMAIN, header_comment="# Texts of Biny Desktop.", fuzzy=False)
    found = extract_from_dir(ROOT / "biny_desktop", [("**.py", "python")], keywords=KEYWORDS)
    for _file, _line, message, comments, context in found:
        catalog.add(message, auto_comments=comments, context=context)
    for text in (*declared_texts(), *error_texts()):
        catalog.add(text)
    return catalog


def declared_texts() -> list[str]:
    """The help of settings and groups: plain strings in `core.settings`, translated where they are shown."""
    sys.path.insert(0, str(ROOT))
    from biny_desktop.core.settings import declarations

    found = [text for each in declarations() for text in (each.help, each.group_help)]
    return [text for text in dict.fromkeys(found) if text]


def error_texts() -> list[str]:
    """What errors say: the plain strings given to subclasses of `BinyError`, translated by `core.errors.said`.

    Strings with values in them are made while the program runs and are not here; neither are command lines.
    """
    modules = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "biny_desktop").rglob("*.py"))]
    errors = _error_classes(modules)
    found: list[str] = []
    for module in modules:
        makers, constants = errors | _makers(module, errors), _constants(module)
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in makers:
                for given in (*node.args, *(keyword.value for keyword in node.keywords)):
                    found += _plain_strings(given, constants)
    return [text for text in dict.fromkeys(found) if text and not text.startswith(("biny ", "pip "))]


def _error_classes(modules: list[ast.Module]) -> set[str]:
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for module in modules
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef)
    }
    errors = {"BinyError"}
    while more := {name for name, above in bases.items() if above & errors} - errors:
        errors |= more
    return errors


def _makers(module: ast.Module, errors: set[str]) -> set[str]:
    """The functions of a module that hand out an error made of their arguments, such as `_refused(why)`."""
    return {
        node.name
        for node in module.body
        if isinstance(node, ast.FunctionDef) and isinstance(node.returns, ast.Name) and node.returns.id in errors
    }


def _constants(module: ast.Module) -> dict[str, ast.expr]:
    """The values given to names at module level, by name."""
    found: dict[str, ast.expr] = {}
    for node in module.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            found |= {target.id: node.value for target in targets if isinstance(target, ast.Name)}
    return found


def _plain_strings(value: ast.expr, constants: dict[str, ast.expr]) -> list[str]:
    """The strings an argument can be: itself, either side of a condition, or the constant it names."""
    if isinstance(value, ast.Constant):
        return [value.value] if isinstance(value.value, str) else []
    if isinstance(value, ast.IfExp):
        return _plain_strings(value.body, constants) + _plain_strings(value.orelse, constants)
    if isinstance(value, ast.Name) and isinstance(constants.get(value.id), ast.Constant):
        return _plain_strings(constants[value.id], constants)
    return []


def read(language: str) -> Catalog:
    """The translations of a language as they are on disk; empty when there are none yet."""
    path = po_path(language)
    if not path.exists():
        return Catalog(locale=language, domain=DOMAIN)
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def update(language: str, texts: Catalog) -> PlainCatalog:
    """The texts with that language's translations; what is no longer in the program is left out."""
    known = read(language)
    catalog = PlainCatalog(
        locale=language, domain=DOMAIN, header_comment="# Simplified Chinese of Biny Desktop.", fuzzy=False
    )
    for message in _messages(texts):
        old = known.get(message.id, message.context)
        catalog.add(message.id, old.string if old else "", context=message.context, flags=message.flags)
    return catalog


def missing(catalog: Catalog) -> list[str]:
    """The texts without a translation, or with a guessed one."""
    return [_first(message) for message in _messages(catalog) if message.fuzzy or not _complete(message)]


def po_bytes(catalog: Catalog) -> bytes:
    """The text form of a catalogue."""
    out = io.BytesIO()
    write_po(out, catalog, width=WIDTH, no_location=True, sort_output=True, ignore_obsolete=True)
    return out.getvalue()


def mo_bytes(catalog: Catalog) -> bytes:
    """The compiled form of a catalogue."""
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def po_path(language: str) -> Path:
    """Where a language's translations are edited."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def main() -> int:
    """Do what the command line says; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, only say what is missing")
    check = parser.parse_args().check
    texts = extract()
    files = {FOLDER / f"{DOMAIN}.pot": po_bytes(texts)}
    untranslated: list[str] = []
    for language in LANGUAGES:
        catalog = update(language, texts)
        files[po_path(language)] = po_bytes(catalog)
        files[po_path(language).with_suffix(".mo")] = mo_bytes(catalog)
        untranslated += [f"{language}: {text!r}" for text in missing(catalog)]
    if not check:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    print(*untranslated, sep="\n")
    print(f"{len(_messages(texts))} texts, {len(untranslated)} without a translation")
    return 1 if untranslated else 0


def _messages(catalog: Catalog) -> list[Message]:
    return [message for message in catalog if message.id]


def _complete(message: Message) -> bool:
    strings = message.string if isinstance(message.string, tuple | list) else (message.string,)
    return bool(strings) and all(strings)


def _first(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


if __name__ == "__main__":
    sys.exit(main())
