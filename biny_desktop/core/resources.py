"""One function that finds the files shipped beside the code, from a checkout, a wheel or a frozen build."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def resource(*parts: str) -> Path:
    """The path of a shipped resource: `resource("icons", "tray-idle.svg")`.

    A wheel holds them inside the package (hatchling `force-include`), a checkout beside it.

    Raises:
        FileNotFoundError: nothing of that name is shipped.
    """
    for base in (_PACKAGE / "resources", _PACKAGE.parent / "resources"):
        path = base.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"no such resource: {'/'.join(parts)}")
