"""Keyword search on real rows: what is found, filters, paging, snippets."""

import pytest

from biny_desktop.activity.search import TYPE_SOMETHING
from biny_desktop.core import settings as settings_module
from biny_desktop.core.clock import Stamp
from biny_desktop.storage.database import Writer
from tests.fakes.activity import ActivityHome

HOUR = 3_600_000
DAY = 24 * HOUR
NASTY = (
    "zoom.us", "don't", "C++", "AND", "OR", "NOT", "NEAR(", "NEAR(a b, 3)", 'foo"bar', '"', '""', "a\x00b", "\x00", "*",
    "-", "--", "-*", "(", ")", "a:b", "body:x", "meta:qxall", "{body title}:x", "x" * 10_000, "a " * 400, "\ud83d",
    "🙂", "^a", "a+b", "' OR 1=1", ":", "app:", "-app:", "on:", "中", "的*", "é", "\u200b", "a\nb", "1e999", "%", "_",
    "\\", "ﬁ", "한",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("今天中午一起吃饭讨论预算", "中午"), ("今天中午一起吃饭讨论预算", "算"), ("今天中午一起吃饭讨论预算", "午"),
        ("今天中午一起吃饭讨论预算", '"讨论预算"'), ("設定をテストする", "ﾃｽﾄ"), ("ﾃｽﾄ完了", "テスト"),
        ("le café du coin", "cafe"), ("the cafe", "café"), ("내일 회의를 합니다", "회의"), ("ＡＢＣ wide", "abc"),
        ("iPhone手机价格", "手机"), ("iPhone手机价格", "iphone手机"), ("我的手机iPhone", "手机iPhone"),
        ("join zoom.us now", "zoom.us"),
        ("you don't", "don't"), ("C++ code", "C++"), ("this AND that", "AND"), ('say foo"bar', 'foo"bar'),
        ("ключ на месте", "КЛЮЧ"), ("straße", "STRASSE"), ("สวัสดีครับ", "สวัสดี"), ("budget report", "bud*"),
        ("quarterly budget report", '"budget report"'),
    ],
)  # fmt: skip
def test_words_of_every_script_are_found_in_texts_and_titles(home: ActivityHome, text: str, query: str) -> None:
    read = home.seen("window", text)
    titled = home.keep(text)
    home.seen("other", "nothing of the kind")
    assert home.found(query) == [titled, read]
    hit = home.search.search(query).hits[1]
    assert hit.marks, "the words are marked"
    assert hit.boxes


def test_all_words_must_match_and_minus_takes_away(home: ActivityHome) -> None:
    both = home.seen("a", "red green")
    home.seen("b", "red")
    blue = home.seen("c", "red green blue")
    assert home.found("red green") == [blue, both]
    assert home.found("red green -blue") == [both]
    assert home.found("-red") == []
    assert home.found('-"green blue" red') == [2, both]
    assert home.found('"red blue"') == []


@pytest.mark.parametrize(
    "shape", ["{}", "app:{}", 'app:"{}"', "title:{}", "-{}", "before:{}", "on:{}", "has:{}", "x {} trigger:{}"]
)
def test_no_text_raises(home: ActivityHome, shape: str) -> None:
    for text in NASTY:
        home.seen(text, text, app=text or "x")
        for order in ("newest", "best"):
            home.search.search(shape.replace("{}", text), order=order)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "   ", "++ --", "\x00", '""', "🙂"])
def test_nothing_to_search_for_asks_to_type_something(home: ActivityHome, text: str) -> None:
    home.keep()
    assert home.search.search(text).notice == TYPE_SOMETHING


def test_filters_by_app_title_trigger_and_properties(home: ActivityHome) -> None:
    code = home.seen("main.py", "hello", app="org.gnome.TextEditor")
    chat = home.keep("Chat", "chat", trigger="manual")
    wechat = home.keep("聊天", "微信")
    assert home.found("app:org.gnome.TextEditor") == home.found("app:texteditor") == home.found("app:text*") == [code]
    assert home.found("app:chat") == [chat]
    assert home.found("app:微信") == home.found("title:聊天") == [wechat]
    assert home.found("-app:chat -app:微信") == home.found("title:main.py") == home.found("has:text") == [code]
    assert home.found("trigger:manual") == [chat]
    assert home.found("has:picture") == [wechat, chat, code]
    assert home.found("has:highlight") == home.found("has:pinned") == home.found("app:nobody") == []
    assert home.found("has:wings") == [], "an unknown one is plain text"


def test_a_quoted_app_with_a_minus_word_and_a_time(home: ActivityHome) -> None:
    for day in range(4):
        home.seen(f"t{day}", "word", "x" if day == 3 else "y", app="a b")
        home.clock.advance(DAY)
    home.clock.advance(-HOUR)
    assert home.found('app:"a b" -x after:yesterday') == []
    assert home.found('app:"a b" -x after:2d') == [3]
    assert home.found('app:"a b" before:2d') == [2, 1]
    assert home.found("word after:2026-01-05 before:2026-01-07") == [3, 2]
    assert home.found("word on:2026-01-05") == [2]
    assert home.found("word after:2026-01-05T23:00 before:2026-01-06T00:00") == []
    assert home.found("word after:2026-01-06T00:00") == [4, 3, 2]
    assert home.found("word after:2026-01-06T00:01") == [4, 3]
    assert home.found("on:2030-01-01") == []
    assert home.found("after:2026-01-06T00:00 before:2026-01-06T00:00") == []


def test_times_are_right_after_the_clock_was_set_back(home: ActivityHome) -> None:
    start = home.clock.now_ms()
    for at in (0, 5 * DAY, DAY, 6 * DAY, 2 * DAY):
        home.clock.set_wall(start + at)
        home.seen("t", "word")
    home.clock.set_wall(start + 7 * DAY)
    assert home.found("word after:2026-01-06 before:2026-01-11") == [5, 4, 2]
    assert home.search.search("word after:2026-01-06 before:2026-01-11").total == 3


def test_pages_neither_repeat_nor_skip_while_rows_come_and_go(home: ActivityHome) -> None:
    ids = [home.seen("t", "needle") for _ in range(57)]
    for order in ("newest", "best"):
        seen: list[int] = []
        cursor: int | None = None
        gone = {ids[30]}
        while True:
            page = home.search.search("needle", cursor=cursor, order=order)  # type: ignore[arg-type]
            seen += [hit.frame.id for hit in page.hits]
            if len(seen) == 20 and ids[30] in ids:
                home.deletes.run(home_selection(ids[30]))
                ids.remove(ids[30])
                home.seen("t", "needle")
            cursor = page.cursor
            if cursor is None:
                break
        wanted = [each for each in ids if each not in gone]
        assert len(seen) == len(set(seen))
        assert set(wanted) <= set(seen) | {seen[0]}
        ids = [frame.id for frame in reversed(home.timeline.frames(limit=500).frames)]


def home_selection(frame_id: int):  # type: ignore[no-untyped-def]
    from biny_desktop.activity.deletes import Selection

    return Selection.of_frames(frame_id)


def test_totals_are_exact_to_a_thousand(home: ActivityHome) -> None:
    _many(home, 1_001)
    page = home.search.search("row", limit=500)
    assert (page.total, page.more, len(page.hits)) == (1_000, True, 500)
    assert len(home.search.search("row", limit=9_999, cursor=page.cursor).hits) == 500
    with home.db.write() as w:
        w.run("DELETE FROM frames WHERE id = 1")
        w.run("INSERT INTO frame_fts(frame_fts, rowid, body, title, meta) VALUES('delete', 1, '', 'row', 'qxall')")
    page = home.search.search("row")
    assert (page.total, page.more) == (1_000, False)


def _many(home: ActivityHome, count: int) -> None:
    def one(w: Writer, n: int) -> None:
        w.run(
            "INSERT INTO frames(id, captured_at, time_zone, mono_ms, boot_id, trigger, monitor_key, scale, app_id, "
            "app_name, title, keys, clicks, grab_width, grab_height, change_reason, why, created_at, updated_at) "
            "VALUES(:id, :id, 'UTC', 1, 'b', 'click', 'M', 1.0, 'a', 'a', 'row', 0, 0, 1, 1, '', '{}', 1, 1)",
            {"id": n},
        )
        w.run("INSERT INTO frame_fts(rowid, body, title, meta) VALUES(:id, '', 'row', 'qxall')", {"id": n})

    with home.db.write() as w:
        for n in range(1, count + 1):
            one(w, n)


def test_best_puts_the_title_and_the_denser_text_first(home: ActivityHome) -> None:
    dense = home.seen("t", "needle needle needle")
    titled = home.seen("needle", "something else")
    thin = home.seen("t", "needle " + "hay " * 200)
    assert home.found("needle") == [thin, titled, dense]
    assert home.found("needle", order="best")[-1] == thin
    home.settings = settings_module.build({"search": {"order": "best"}})
    assert home.found("needle")[-1] == thin
    assert home.found("needle", order="newest") == [thin, titled, dense]


def test_a_snippet_is_short_and_marked_and_the_lines_are_boxed(home: ActivityHome) -> None:
    frame_id = home.seen("t", "hay " * 100, "the Needle, café and 中午预算", "more hay")
    hit = home.search.search("needle 预算").hits[0]
    assert len(hit.snippet) <= 200
    assert [hit.snippet[low:high] for low, high in hit.marks] == ["Needle", "预算"]
    assert hit.boxes == (home.timeline.frame(frame_id).lines[1].box,)
    assert home.search.search("title:t").hits[0].snippet


def test_a_row_just_written_is_found(home: ActivityHome) -> None:
    frame_id = home.keep("fresh title")
    assert home.found("fresh") == [frame_id]


def test_the_present_zone_decides_what_today_is(home: ActivityHome) -> None:
    home.clock.set_zone("Asia/Tokyo")
    home.clock.advance(18 * HOUR + 1)  # 03:00 in Tokyo: still the day before
    before = home.seen("t", "word")
    home.clock.advance(HOUR)
    after = home.seen("t", "word")
    assert home.found("word on:today") == [after]
    assert home.found("word on:yesterday") == [before]
    assert isinstance(home.clock.stamp(), Stamp)
