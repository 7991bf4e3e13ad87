"""What the demo recorded, read back from the rows: a plain object for `--json`, and the same in words."""

from collections import Counter
from collections.abc import Iterator

from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.storage.rows import JsonValue

SEARCH_FOR = "ferry"
ASK_FOR = "crossing the sea by ship"
"""Words that stand on no page of the demo."""
EXCERPT = 160


def account(product: Product) -> dict[str, JsonValue]:
    """Frames, reasons, texts, redactions, activities, the report and two searches, as they stand in the home."""
    frames = product.timeline.frames(limit=500).frames
    last_ms = product.clock.now_ms() + 1
    why = product.timeline.why(0, last_ms)
    skipped = {item.reason: item.count for item in why if item.kind in ("skip", "private")}
    texts: list[JsonValue] = []
    redactions: Counter[str] = Counter()
    for frame in reversed(frames):
        detail = product.timeline.frame(frame.id)
        redactions.update(detail.redactions_by_type)
        if detail.text:
            texts.append({"frame": frame.id, "app": frame.app_id, "title": frame.title, "text": detail.text})
    page, near = product.search.search(SEARCH_FOR), product.meaning.search(ASK_FOR, 3)
    report = product.reports.today()
    activities: list[JsonValue] = [
        {"id": each.id, "title": each.title, "kind": each.kind, "active_s": each.active_ms // 1000}
        for each in product.segments.list(0, last_ms, hidden=True)
    ]
    hits: list[JsonValue] = [
        {"frame": hit.frame.id, "app": hit.frame.app_id, "snippet": hit.snippet} for hit in page.hits
    ]
    return {
        "home": str(product.folders.config.parent),
        "encrypted": product.database.encrypted,
        "frames_kept": len(frames),
        "frames_seen_again": sum(frame.seen_again_of is not None for frame in frames),
        "frames_dropped": sum(skipped.values()),
        "reasons": dict(sorted(skipped.items())),
        "frames": [{"id": f.id, "app": f.app_id, "title": f.title, "trigger": f.trigger} for f in reversed(frames)],
        "texts": texts,
        "redactions": dict(sorted(redactions.items())),
        "search": {"query": SEARCH_FOR, "total": page.total, "hits": hits},
        "meaning": {
            "query": ASK_FOR,
            "reason": near.reason,
            "hits": [
                {"frame": hit.frame.id, "app": hit.frame.app_id, "passage": hit.passage, "similarity": hit.centred}
                for hit in near.hits
            ],
        },
        "activities": activities,
        "report": {"day": report.key, "state": report.state, "markdown": report.markdown},
    }


def in_words(story: dict[str, JsonValue]) -> Iterator[str]:
    """The account line by line for a person."""
    yield _("Kept {kept} frames ({again} seen again), dropped {dropped}.").format(
        kept=story["frames_kept"], again=story["frames_seen_again"], dropped=story["frames_dropped"]
    )
    yield _("Why nothing was kept:")
    for reason, count in _object(story["reasons"]).items():
        yield f"  {reason}: {count}"
    yield _("Text read:")
    for item in _objects(story["texts"]):
        first = " ".join(str(item["text"]).split())[:EXCERPT]
        yield f"  #{item['frame']} {item['app']} · {item['title']}: {first}…"
    yield _("Hidden before it was stored:")
    for kind, count in _object(story["redactions"]).items():
        yield f"  {kind}: {count}"
    search = _object(story["search"])
    yield _("A search for “{words}” finds {n}:").format(words=search["query"], n=search["total"])
    for item in _objects(search["hits"]):
        yield f"  #{item['frame']} {item['app']}: {' '.join(str(item['snippet']).split())}"
    near = _object(story["meaning"])
    yield _("A search by meaning for “{words}” finds:").format(words=near["query"])
    for item in _objects(near["hits"]):
        first = " ".join(str(item["passage"]).split())[:EXCERPT]
        yield f"  #{item['frame']} {item['app']} ({item['similarity']:.2f}): {first}"
    if near["reason"]:
        yield f"  {near['reason']}"
    yield _("The day's report:")
    yield ""
    yield str(_object(story["report"])["markdown"]).rstrip()
    yield ""
    yield _("Everything is in {home}; look at it with: biny --home {home} activity list").format(home=story["home"])


def _object(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}


def _objects(value: JsonValue) -> list[dict[str, JsonValue]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
