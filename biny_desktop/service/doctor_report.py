"""What Doctor says, as a text that can be shown to others: no captured text, no secrets, no names of folders."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from biny_desktop.capture.platforms.choices import Choice
from biny_desktop.capture.platforms.pick import pick
from biny_desktop.service.doctor import Report
from biny_desktop.service.logs import tail
from biny_desktop.service.product import Product

LOG_LINES: Final = 200
"""Lines of the log that go with a report."""


def back_ends(product: Product) -> tuple[Choice, ...]:
    """The back ends in use, or those this session would get, each with the reason and what was refused."""
    if product.recording is not None:
        return product.recording.platform.reasons
    platform = pick(product.clock)
    for screen in platform.screens:
        screen.close()
    return platform.reasons


def report_text(product: Product, report: Report, choices: Sequence[Choice]) -> str:
    """Checks, back ends and the end of the log; the home folder is `~`, secrets are hidden line by line."""
    at = datetime.fromtimestamp(product.clock.now_ms() / 1000, UTC)
    lines = [f"Biny Doctor, {at:%Y-%m-%d %H:%M} UTC", ""]
    for check in report.checks:
        lines.append(f"[{check.state}] {check.name}: {check.text}" + (f" -> {check.hint}" if check.hint else ""))
    lines += ["", "Back ends"]
    for choice in choices:
        lines.append(f"{choice.port}: {choice.chosen}: {choice.why}")
        lines += [f"  refused {name}: {why}" for name, why in choice.refused]
    lines += ["", f"Log, last {LOG_LINES} lines", *tail(product.folders, LOG_LINES)]
    redactor = product.redactor()
    return "\n".join(str(redactor.plain(_homeless(line))) for line in lines) + "\n"


def _homeless(line: str) -> str:
    home = str(Path.home())
    return line.replace(home, "~") if len(home) > 1 else line
