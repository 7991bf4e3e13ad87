"""`RedactedText` is constructed in `redaction` and nowhere else (spec 02 §8)."""

import ast
from pathlib import Path

import biny_desktop

ROOT = Path(biny_desktop.__file__).parent


def constructions(tree: ast.AST) -> list[int]:
    """Lines on which the type is called, under its own name, as an attribute or under another name."""
    names = {"RedactedText"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname for alias in node.names if alias.name == "RedactedText" and alias.asname}
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id == "RedactedText":
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Name) and node.func.id in names)
            or (isinstance(node.func, ast.Attribute) and node.func.attr == "RedactedText")
        )
    ]


def test_only_redaction_makes_redacted_text():
    made = {
        str(path.relative_to(ROOT)): lines
        for path in sorted(ROOT.rglob("*.py"))
        if path.relative_to(ROOT).parts[0] != "redaction"
        and (lines := constructions(ast.parse(path.read_text("utf-8"))))
    }
    assert made == {}


def test_redaction_itself_is_seen_by_the_check():
    assert any(constructions(ast.parse(path.read_text("utf-8"))) for path in (ROOT / "redaction").glob("*.py"))


def test_check_sees_other_names():
    source = "from a.text import RedactedText as R\nR('x')\nQ = RedactedText\nQ('y')\ntext.RedactedText('z')\n"
    assert constructions(ast.parse(source)) == [2, 4, 5]
