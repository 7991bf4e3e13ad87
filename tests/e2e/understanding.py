"""A home whose days are understood, for the photographs: reports of every state, vectors, slots, calls."""

import random
import time
from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING

from biny_desktop.activity.reports.weeks import week_before
from biny_desktop.models.ledger_store import Call, insert

if TYPE_CHECKING:
    from biny_desktop.service.product import Product
    from biny_desktop.ui.main_window import MainWindow

SWEEP_S = 40
"""Long enough for the newest screens; a whole month would take minutes."""
CALLS = 240
CALL_EVERY_MS = 1_700_000
SMALL, SMALL_URL = "qwen3-4b-instruct", "http://127.0.0.1:11434/v1"
REPORT_DAYS = 14
STATES = ("done_no_model", "done", "done_no_model", "narrative_failed", "stale", "failed")
MEANING = "ferry departures in winter"
MODEL_PARTS = ("slots", "meaning", "activities", "calls")


def understand(product: "Product") -> None:
    """Fill in what jobs and models would have made meanwhile."""
    _reports(product)
    product.models.set_slot("small", SMALL_URL, SMALL)
    product.models.set_slot("chat", "https://api.deepseek.com/v1", "deepseek-chat")
    _calls(product)
    end = time.monotonic() + SWEEP_S
    product.sweep.run(lambda: time.monotonic() < end, lambda: 60_000)


def _reports(product: "Product") -> None:
    today = date.fromisoformat(product.segments.today())
    worked = [day for n in range(REPORT_DAYS) if (day := today - timedelta(n)).weekday() < 5]
    for day in worked:
        product.reports.make("day", day.isoformat(), narrative=False)
    product.reports.make("week", week_before(today.isoformat()), narrative=False)
    with product.database.write() as w:
        for day, state in zip(worked, STATES, strict=False):
            if state == "stale":
                w.run("UPDATE reports SET stale = 1 WHERE key = :key", {"key": day.isoformat()})
            else:
                values = {"state": state, "key": day.isoformat(), "model": SMALL if state == "done" else None}
                values["reason"] = {"narrative_failed": "timeout", "failed": "storage"}.get(state, "")
                w.run("UPDATE reports SET state = :state, reason = :reason, model = :model WHERE key = :key", values)


def _calls(product: "Product") -> None:
    chance, now = random.Random(4), product.clock.now_ms()
    tasks = ("activity_segment",) * 6 + ("activity_narrative", "models_test")
    outcomes = ("ok",) * 9 + ("timeout", "invalid_json")
    with product.database.write() as w:
        for n in range(CALLS, 0, -1):
            outcome, ms = chance.choice(outcomes), chance.randint(700, 14_000)
            sent, said = chance.randint(600, 5_200), chance.randint(80, 900)
            answered = said if outcome == "ok" else None
            row = ("small", SMALL, "http://127.0.0.1:11434", "1", sent, answered, ms, outcome)
            insert(w, Call(now - n * CALL_EVERY_MS, chance.choice(tasks), *row))


def understood(window: "MainWindow", question: str, take: Callable[[str], None]) -> None:
    """Reports with and without a source beside, the three searches, and Models; `take(name)` photographs."""
    window.open_page("search", "meaning")
    window.page().search_for(MEANING)
    take("search-meaning")
    window.open_page("search", "activities")
    window.page().search_for(question)
    take("search-activities")
    window.page().open_part("words")
    window.open_page("reports")
    take("reports")
    today = window.page().report.look.today.isoformat()
    window.open_page("reports", week_before(today))
    take("reports-week")
    window.open_page("reports", today)
    for part in MODEL_PARTS:
        window.open_page("models", part)
        take(f"models-{part}")
