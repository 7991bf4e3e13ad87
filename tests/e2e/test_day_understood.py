"""A day understood, as a person sees it: commands and the window, with a model on the loopback and without one."""

import contextlib
import itertools
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from biny_desktop.app import open_product
from biny_desktop.core.clock import SystemClock
from biny_desktop.service.local_server import ask
from biny_desktop.storage.folders import resolve
from tests.e2e.app import SLOW_S, App
from tests.e2e.days import (
    CLAIM,
    FACT,
    LINK,
    ONE_TEXT_AN_APP,
    Days,
    answer_of,
    invented_narrative,
    put,
    rows,
    segment_answer,
    true_narrative,
)
from tests.e2e.test_record_and_look import words_on
from tests.fakes.day_home import evening_zone, make_day_home
from tests.fakes.day_product import TODAY, WEEK, YESTERDAY
from tests.fakes.desktop import Desktop
from tests.fakes.homes import NoKeyring
from tests.fakes.model_server import ModelServer
from tests.waiting import wait_until

Said = Callable[..., dict[str, Any]]


@pytest.fixture
def said(days: Days, capsys: pytest.CaptureFixture[str]) -> Said:
    """The JSON that a command prints; `status` is the exit status it must have."""

    def say(*words: str, status: int = 0) -> dict[str, Any]:
        capsys.readouterr()
        assert days.biny(*words, "--json") == status
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return say


def test_the_activities_of_a_day_cover_it_without_overlap(said: Said) -> None:
    for day in ("yesterday", TODAY):
        items = said("activity", "segments", "--day", day, "--all")["items"]
        assert {item["type"] for item in items} == {"segment", "gap"}
        for early, late in itertools.pairwise(items):
            assert early["end_ms"] == late["start_ms"]
        segments = [item for item in items if item["type"] == "segment"]
        assert all(item["title"] and item["apps"] for item in segments if item["kind"] == "active")
        for item in segments:
            assert item["active_ms"] + item["idle_ms"] + item["private_ms"] == item["end_ms"] - item["start_ms"]
    shown = said("activity", "segments", "show", str(segments[0]["id"]))
    assert shown["id"] == segments[0]["id"]
    found = said("activity", "segments", "search", "offers")["items"]
    assert any(hit["title"] == "Offers for the north quay" for hit in found)


def test_a_report_without_a_model_says_so_in_one_line_and_has_all_figures(
    days: Days, said: Said, capsys: pytest.CaptureFixture[str]
) -> None:
    report = said("activity", "report", "yesterday")
    assert (report["key"], report["state"], report["narrative"]) == (YESTERDAY, "done_no_model", None)
    assert sum("without a model" in line for line in report["markdown"].splitlines()) == 1
    figures = report["statistics"]
    for name in (
        "segments",
        "active_ms",
        "idle_ms",
        "private_ms",
        "app_count",
        "frames_kept",
        "frames_read",
        "pictures",
    ):
        assert figures[name] > 0, name
    for name in ("gap_ms", "hours", "apps", "titles", "key_moments"):
        assert figures[name], name
    assert days.report_file(YESTERDAY).read_text(encoding="utf-8").count(report["markdown"].strip()) == 1
    assert days.biny("activity", "report", "yesterday") == 0
    plain = capsys.readouterr()
    assert plain.out.strip() == report["markdown"].strip()
    assert len(plain.err.splitlines()) == 1
    assert "No model is set" in plain.err
    week = said("activity", "report", "today", "--week")
    assert (week["key"], week["state"]) == (WEEK, "done_no_model")


def test_every_name_number_and_time_of_a_narrative_is_in_the_skeleton(
    days: Days, model: ModelServer, said: Said
) -> None:
    model.always(answer_of)
    report = said("activity", "report", "yesterday", "--narrative")
    assert (report["state"], report["model"], report["reason"]) == ("done", "tiny", "")
    sent = "\n".join(text for _name, text in FACT.findall(model.said()))
    words = LINK.sub("", report["narrative"]).replace("\\", "")
    claims = CLAIM.findall(words)
    assert len(claims) > 10
    for claim in claims:
        assert claim.strip(".,:") in sent, claim
    assert report["narrative"] in report["markdown"]
    assert report["narrative"] in days.report_file(YESTERDAY).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]*)\)", report["narrative"])
    assert links
    ids = {str(each) for (each,) in opened_rows(days, "SELECT id FROM segments")}
    assert {link.rpartition("/")[2] for link in links if "segment" in link} <= ids
    asked = len(model.requests)
    again = said("activity", "report", "yesterday", "--narrative")
    assert again == report
    assert len(model.requests) == asked, "nothing changed, so nothing is asked again"


def opened_rows(days: Days, sql: str) -> list[tuple[Any, ...]]:
    with days.opened() as product:
        return rows(product.database, sql)


def test_a_narrative_with_invented_things_is_refused_recorded_and_shown_in_one_line(
    days: Days, model: ModelServer, said: Said
) -> None:
    model.always(invented_narrative)
    report = said("activity", "report", "yesterday", "--narrative")
    assert (report["state"], report["reason"], report["narrative"]) == ("narrative_failed", "unsupported", None)
    assert sum("The account by a model is missing" in line for line in report["markdown"].splitlines()) == 1
    for lie in ("Zebediah", "973", "03:07"):
        assert lie not in report["markdown"]
    assert report["statistics"]["apps"]
    assert opened_rows(days, "SELECT state, reason, tries FROM reports") == [("narrative_failed", "unsupported", 1)]
    calls = said("models", "calls")["items"]
    assert {(call["task"], call["outcome"]) for call in calls} == {("activity_narrative", "ok")}
    model.always(true_narrative)
    assert said("activity", "report", "yesterday", "--narrative")["state"] == "done", "asked again, it is tried again"


def test_a_model_names_activities_and_its_account_is_found(days: Days, model: ModelServer, said: Said) -> None:
    model.always(segment_answer)
    with days.opened() as product:
        done = product.analysis.sweep()
        assert done.analysed == 10
        assert done.failed == 0
    items = said("activity", "segments", "--day", "today")["items"]
    named = [item for item in items if item["type"] == "segment" and item["status"] == "analysed"]
    assert named
    assert all(item["title_by"] in ("model", "user") for item in named)
    assert rows_of_offers(days)
    calls = said("models", "calls", "--limit", "5")
    assert len(calls["items"]) == 5
    assert calls["next"]
    totals = said("models", "calls", "--totals")["items"]
    assert totals[0]["task"] == "activity_segment"


def rows_of_offers(days: Days) -> list[tuple[Any, ...]]:
    found = opened_rows(days, "SELECT outcome, reason FROM fact_offers")
    assert {outcome for outcome, _ in found} <= {"waiting", "rejected"}, "nobody takes facts yet, so they wait"
    return found


def test_search_by_meaning_finds_what_no_word_says(days: Days, said: Said) -> None:
    days.use_shipped_embedder()
    nothing = said("activity", "search", "ship", "--meaning")
    assert (nothing["items"], nothing["reason"]) == ([], "no_vectors")
    with days.opened() as product:
        put(product.database, ONE_TEXT_AN_APP)  # a model takes a while for all of them
        few = "SELECT 1 FROM segment_vectors"
        assert product.sweep.run(lambda: len(rows(product.database, few)) < 4, lambda: None)
    status = said("models", "index", "status")
    assert status["embedder"]["dims"] == 384
    frames, segments, chats = status["items"]
    assert (chats["kind"], chats["state"], chats["indexed"]) == ("message", "empty", 0)
    assert (frames["kind"], frames["state"], frames["indexed"], frames["pending"]) == ("frame", "ready", 6, 0)
    assert (segments["kind"], segments["state"], segments["indexed"], segments["stale"]) == ("segment", "ready", 4, 0)
    assert said("activity", "search", "when does the next ship leave")["items"] == []
    page = said("activity", "search", "--meaning", "when does the next ship leave", "--limit", "5")
    assert page["reason"] is None
    assert page["items"][0]["app_id"] == "code", "where the timetable of ferries is worked on"
    assert {"centred", "raw", "passage", "segment_id"} <= set(page["items"][0])
    only = said("activity", "search", "--meaning", "app:mail letter about building costs at the harbour")
    assert [item["app_id"] for item in only["items"]] == ["mail"]


def test_models_are_listed_and_tested_and_a_failure_says_what_to_do(
    days: Days, model: ModelServer, said: Said, capsys: pytest.CaptureFixture[str]
) -> None:
    slots = {slot["slot"]: slot for slot in said("models", "list")["slots"]}
    assert (slots["small"]["state"], slots["small"]["model"], slots["small"]["local"]) == ("ready", "tiny", True)
    assert slots["chat"]["state"] == "unset"
    model.answer('{"ok": true}')
    (good,) = said("models", "test", "small")["items"]
    assert (good["ok"], good["kind"]) == (True, None)
    model.always(status=401)
    (bad,) = said("models", "test", "small", status=1)["items"]
    assert (bad["ok"], bad["kind"], bad["status"]) == (False, "http", 401)
    assert days.biny("models", "test") == 1
    assert "wants another key" in capsys.readouterr().out
    outcomes = [call["outcome"] for call in said("models", "calls")["items"]]
    assert outcomes == ["http", "http", "ok"]


SOON = """
import sys
from biny_desktop.app import run_cli
from biny_desktop.activity.analysis import analysis
from biny_desktop.service import jobs

jobs.SEGMENTS_FIRST_S = jobs.ANALYSIS_FIRST_S = 1
jobs.REPORTS_FIRST_S = jobs.EMBEDDING_FIRST_S = 4
analysis.BETWEEN_S = 0
sys.exit(run_cli(sys.argv[1:]))
"""
"""The program, whose jobs do not wait for minutes."""


@pytest.mark.timeout(300)
def test_the_jobs_of_a_running_app_understand_the_day_and_the_window_shows_it(
    tmp_path: Path, desktop: Desktop, tray_host: None, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone = evening_zone()
    monkeypatch.setenv("TZ", zone)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))  # as `App` has it
    monkeypatch.setenv("BINY_MODELS__SMALL_URL", model_server.url)
    monkeypatch.setenv("BINY_MODELS__SMALL_MODEL", "tiny")
    model_server.always(answer_of)
    now = SystemClock()
    make_day_home(tmp_path / "home", replace(now.stamp(), zone=zone), 1, weekends=True)
    with contextlib.closing(open_product(tmp_path / "home", NoKeyring())) as product:
        put(product.database, ONE_TEXT_AN_APP)
    app = App(tmp_path / "home", desktop, [sys.executable, "-c", SOON])
    try:

        def done() -> set[object]:
            health = ask(resolve(app.home), {"do": "health"})["health"]
            return {job["name"] for job in health["jobs"] if job["outcome"] == "done"}

        wait_until(lambda: {"activities", "analysis", "reports"} <= done(), SLOW_S, "the jobs ran")
        items = app.ask("activity", "segments")["items"]
        assert any(item.get("title") == "At the harbour" for item in items)
        report = app.ask("activity", "report", "yesterday")
        assert (report["state"], report["model"]) == ("done", "tiny")
        wait_until(lambda: app.ask("activity", "search", "--meaning", "ferry")["items"], SLOW_S, "it has vectors")
        assert app.start_again() == 0
        wait_until(lambda: "Biny" in desktop.xprop("-id", hex(desktop.active()), "_NET_WM_NAME"), SLOW_S, "the window")
        wait_until(lambda: "At the harbour" in words_on(desktop.display), SLOW_S, "the window shows what was done")
    finally:
        assert app.stop() == 0
