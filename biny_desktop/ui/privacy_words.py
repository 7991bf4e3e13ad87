"""Privacy rules and what they decide, in words."""

from collections.abc import Iterable, Mapping

from biny_desktop.core.i18n import _, mark
from biny_desktop.service.privacy import BuiltinRule, TextTrial, WindowTrial
from biny_desktop.ui.words import reason_words

TARGETS: Mapping[str, str] = {
    "app": mark("App id"),
    "title": mark("Window title"),
    "url": mark("Address"),
    "text": mark("Text on the screen"),
}
MATCHES: Mapping[str, str] = {
    "exact": mark("is exactly"),
    "contains": mark("contains"),
    "glob": mark("fits, with * for anything"),
    "regex": mark("fits the regular expression"),
}
ACTIONS: Mapping[str, str] = {
    "placeholder": mark("Not recorded; a row says how long"),
    "no_trace": mark("Not recorded, no trace"),
    "mask": mark("Painted over, the rest is recorded"),
}
SHORT_ACTIONS: Mapping[str, str] = {
    "placeholder": mark("Do not record"),
    "no_trace": mark("No trace"),
    "mask": mark("Painted over"),
}
GROUPS: Mapping[str, tuple[str, str]] = {
    "product": (mark("Password managers and key rings"), mark("By the id of the program, never by its name.")),
    "popup": (mark("Their pop-ups in a browser"), mark("A page that only writes about one is recorded.")),
    "vault": (mark("Web vaults"), mark("By address, or by the title of the vault's own page.")),
    "private": (mark("Private browsing"), mark("Marks in the title in 14 languages, and what the system tells.")),
    "prompt": (mark("Password prompts"), mark("Dialogs and terminals that ask for a password.")),
    "lock": (mark("Lock screens"), mark("For systems that do not tell when they are locked.")),
}
_NAMES: Mapping[str, str] = {
    "product:keepass": mark("KeePass family"),
    "product:system-prompts": mark("System prompts and key rings"),
    "private:title": mark("Private browsing, by title"),
    "private:system": mark("Private browsing, told by the system"),
    "prompt:title": mark("Password prompts"),
    "prompt:terminal": mark("Password prompts in terminals"),
    "lock:programs": mark("Lock and saver programs"),
}


def builtin_words(rule: BuiltinRule, rules: Iterable[BuiltinRule]) -> str:
    """The name of a built-in rule; pop-ups and vaults are called as their product is."""
    if rule.id in _NAMES:
        return _(_NAMES[rule.id])
    product = f"product:{rule.id.partition(':')[2]}"
    if product in _NAMES:
        return _(_NAMES[product])
    return next((each.name for each in rules if each.id == product), rule.name)


def window_words(trial: WindowTrial) -> tuple[str, str]:
    """What would happen to a tried window: a sentence, and its role (ok, private, warn)."""
    if trial.masked:
        return _("Recorded, but this window is painted over: {rule}.").format(rule=_rule(trial)), "private"
    if trial.outcome == "ok":
        return _("It would be recorded."), "ok"
    if trial.outcome == "locked":
        return _("Counts as the lock screen: nothing is recorded."), "private"
    if trial.outcome == "unknown":
        return _("It cannot be told what this is: see “Unknown windows”."), "warn"
    reason = reason_words("skip", str(trial.reason or ""))
    return _("It would not be recorded. {reason}: {rule}.").format(reason=reason, rule=_rule(trial)), "private"


def text_words(trial: TextTrial) -> str:
    """What the user's text rules would do, empty when none applies."""
    if trial.rule_id:
        return _("A rule of yours hides the whole picture: {rule}.").format(rule=trial.rule_name)
    if trial.masked:
        return _("Lines are painted over by: {rules}.").format(rules=", ".join(trial.mask_names))
    return ""


def _rule(trial: WindowTrial) -> str:
    kind = trial.rule_id.partition(":")[0]
    name = trial.rule_name.removesuffix(" (browser pop-up)").removesuffix(" (web vault)")
    if kind == "user":
        return _("your rule “{name}”").format(name=name)
    return _(_NAMES[trial.rule_id]) if trial.rule_id in _NAMES else name or trial.rule_id
