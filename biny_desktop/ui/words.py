"""The recorder's and reader's codes in words: what a person reads instead of `same_tiny` or `picture_gone`."""

from collections.abc import Mapping

from biny_desktop.core.i18n import _, mark

_TRIGGERS: Mapping[str, str] = {
    "start": mark("Recording started"),
    "app_switch": mark("Another window came to front"),
    "click": mark("Mouse click"),
    "typing_pause": mark("Pause after typing"),
    "scroll_stop": mark("Scrolling stopped"),
    "visual_change": mark("The picture changed while watching"),
    "manual": mark("You asked for it"),
}

_REASONS: Mapping[str, str] = {
    "not_enabled": mark("Recording was off"),
    "paused_by_user": mark("Paused by you"),
    "shutting_down": mark("The app was closing"),
    "session_inactive": mark("Another user's session"),
    "screen_locked": mark("Screen locked"),
    "asleep": mark("Computer asleep"),
    "disk_low": mark("Disk almost full"),
    "folder_missing": mark("Data folder missing"),
    "no_permission": mark("No permission to see the screen"),
    "no_monitor": mark("No monitor"),
    "in_flight": mark("Another picture was being taken"),
    "back_off": mark("Waiting after a failure"),
    "unknown_window": mark("The front window could not be told"),
    "own_window": mark("Biny's own window"),
    "private_app": mark("Private app in front"),
    "private_window": mark("Private browsing window"),
    "private_url": mark("Private site"),
    "private_text": mark("A text rule of yours matched"),
    "user_rule": mark("A rule of yours matched"),
    "password_prompt": mark("Password prompt"),
    "no_picture": mark("The screen gave no picture"),
    "black_picture": mark("The picture was black"),
    "frozen_source": mark("The screen source was frozen"),
    "window_changed": mark("The window changed while looking"),
    "stale_epoch": mark("Something changed while looking"),
    "same_exact": mark("Exactly the same picture"),
    "same_below_noise": mark("Only noise differed"),
    "same_structure": mark("Same content, drawn slightly differently"),
    "same_caret": mark("Only the text cursor blinked"),
    "same_ring": mark("Only a focus ring moved"),
    "same_pointer": mark("Only the pointer moved"),
    "same_panel": mark("Only a panel or dock changed"),
    "same_tiny": mark("Only something tiny ticked"),
    "same_stroke": mark("Only a thin stroke moved"),
    "same_restless": mark("Only a restless place changed"),
    "watch_limit": mark("Hourly limit of watching reached"),
    "encode_failed": mark("The picture could not be encoded"),
    "write_failed": mark("The picture could not be written"),
    "screening_failed": mark("Secrets could not be looked for"),
}

_EVENTS: Mapping[str, str] = {
    "skip": mark("Nothing kept"),
    "private": mark("Private time"),
    "focus": mark("Window came to front"),
    "title": mark("Title changed"),
    "input": mark("Keys and clicks counted"),
    "state": mark("Recorder changed its state"),
    "lock": mark("Screen locked"),
    "unlock": mark("Screen unlocked"),
    "sleep": mark("Computer went to sleep"),
    "wake": mark("Computer woke up"),
    "clock_step": mark("The clock was set"),
    "zone": mark("Time zone changed"),
    "monitors": mark("Monitors changed"),
    "source": mark("Screen source changed"),
    "drop": mark("A picture was dropped: too many at once"),
    "disk": mark("Disk space"),
}

_CAUSES: Mapping[str, str] = {
    "away": mark("Away"),
    "no_input": mark("No input"),
    "locked": mark("Locked"),
    "asleep": mark("Asleep"),
    "paused": mark("Paused"),
    "private": mark("Private"),
    "off": mark("Recording off"),
    "stalled": mark("Stalled"),
    "not_recorded": mark("Not recorded"),
    "deleted": mark("Deleted"),
}

_CHANGES: Mapping[str, str] = {
    "first": mark("First picture of this monitor"),
    "size": mark("The size of the screen changed"),
    "colours": mark("The colours changed at once"),
    "parts": mark("Parts of the picture changed"),
    "settled": mark("A restless place came to rest"),
    "manual": mark("You asked for it"),
    "seen_again": mark("Same as an earlier picture"),
}

_SECRETS: Mapping[str, str] = {
    "private_key": mark("Private key"),
    "token": mark("Access token"),
    "jwt": mark("Signed token (JWT)"),
    "url_secret": mark("Secret in an address"),
    "password": mark("Password"),
    "otp": mark("One-time code"),
    "card": mark("Card number"),
    "iban": mark("Bank account"),
    "id_number": mark("Identity number"),
    "email": mark("Mail address"),
    "phone": mark("Telephone number"),
    "high_entropy": mark("Random secret"),
    "custom": mark("Your own pattern"),
}

_READ: Mapping[str, str] = {
    "not_due": mark("Not read"),
    "queued": mark("Waiting to be read"),
    "reading": mark("Being read"),
    "done": mark("Read"),
    "no_text": mark("No text found"),
    "failed": mark("Reading failed, will be tried again"),
    "parked": mark("Reading failed, given up"),
    "not_read": mark("Not read: too much was waiting"),
    "picture_gone": mark("Not read before the picture went"),
}

_TIERS: Mapping[str, str] = {
    "original": mark("Original size"),
    "medium": mark("Medium size"),
    "small": mark("Small"),
    "gone": mark("Picture gone"),
}

_REMOVAL: Mapping[str, str] = {
    "original": mark(
        "Made smaller after 24 hours, removed after 30 days. Text and details stay until you delete them."
    ),
    "medium": mark("Made smaller after 7 days, removed after 30 days. Text and details stay until you delete them."),
    "small": mark("Removed after 30 days. Text and details stay until you delete them."),
    "gone": mark("The picture was removed. Text and details stay until you delete them."),
}

_FLAGS: Mapping[str, str] = {
    "over_exposed": mark("Almost white"),
    "masked": mark("A private window was painted over"),
    "highlight": mark("Highlight"),
}


def _look_up(table: Mapping[str, str], code: str) -> str:
    found = table.get(code)
    return _(found) if found else code.replace("_", " ")


def trigger_words(code: str) -> str:
    """Why the recorder looked."""
    return _look_up(_TRIGGERS, code)


def reason_words(kind: str, reason: str) -> str:
    """Why nothing was kept, or what the event row says; a code of another version is shown as it is."""
    return _look_up(_REASONS, reason) if reason in _REASONS else _look_up(_EVENTS, kind)


def change_words(reason: str) -> str:
    """What the change detection said of a kept frame."""
    return _look_up(_CHANGES | _REASONS, reason)


def cause_words(code: str) -> str:
    """Why there is a gap."""
    return _look_up(_CAUSES, code)


def read_words(code: str) -> str:
    """The state of reading, in words."""
    return _look_up(_READ, code)


def tier_words(code: str) -> str:
    """The size class of a picture."""
    return _look_up(_TIERS, code)


def removal_words(tier: str, *, pinned: bool) -> str:
    """The rule that will remove a picture, in a sentence (spec 02 §6; spec 09, Cleared by)."""
    if pinned:
        return _("Never by itself: pinned by you. Only you can delete it.")
    return _look_up(_REMOVAL, tier)


def secret_words(code: str) -> str:
    """A kind of hidden secret."""
    return _look_up(_SECRETS, code)


def flag_words(code: str) -> str:
    """A mark on a frame, in words."""
    return _look_up(_FLAGS, code)
