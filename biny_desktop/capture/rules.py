"""Whether a window may be recorded: built-in rules, then the user's, with one frozen answer (spec 02 §3); no I/O."""

import hashlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from biny_desktop.capture.cover import uncovered
from biny_desktop.capture.ports import SkipReason, TextVerdict, Unknown, WindowInfo
from biny_desktop.capture.privacy_data import PrivacyData, privacy_data
from biny_desktop.capture.user_rules import Action, Matcher, Target, UserRule
from biny_desktop.capture.window_rules import WindowRules
from biny_desktop.core.geometry import Rect

Outcome = Literal["ok", "private", "unknown", "locked"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer about one window.

    `reason` is set for every outcome but ok; `rule` names what decided (`product:bitwarden`, `user:7`); `action` is
    what to do about a private window; `mask`: ok, but this window is painted over and its title and URL are left out.
    """

    outcome: Outcome
    reason: SkipReason | None = None
    rule: str | None = None
    action: Action = "placeholder"
    mask: bool = False


OK = Verdict("ok")
UNKNOWN = Verdict("unknown", "unknown_window")


@dataclass(frozen=True, slots=True)
class Painted:
    """A rectangle on the virtual screen (physical px) that is painted over before anybody sees the picture."""

    rect: Rect
    rule: str


@dataclass(frozen=True, slots=True)
class Builtin:
    """A built-in rule as the Privacy page lists it; off only by the user's choice."""

    id: str
    name: str


class RuleBook:
    """All rules of one moment; immutable, from any thread.

    Args:
        rules: the user's rules in their order; those that are off are left out here.
        disabled: ids of built-in rules that are off.
        data: the shipped lists.
        now_ns: a clock for lengths, ns.
    """

    def __init__(
        self,
        rules: Sequence[UserRule] = (),
        disabled: frozenset[str] = frozenset(),
        data: PrivacyData | None = None,
        now_ns: Callable[[], int] = time.perf_counter_ns,
    ) -> None:
        self._built_in = WindowRules(data or privacy_data(), disabled)
        self._matchers = [Matcher(rule, now_ns) for rule in rules if rule.enabled]
        self._title_rules = any(matcher.rule.target == "title" for matcher in self._matchers)
        told = repr(([rule for rule in rules if rule.enabled], sorted(disabled)))
        self.revision = hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=8).hexdigest()

    def judge(self, window: WindowInfo | Unknown, scale: float = 1.0) -> Verdict:
        """The answer about the window in front; `scale`: physical per logical pixel of its monitor.

        Any "no" wins over "unknown" (§3, order).
        """
        if isinstance(window, Unknown):
            return UNKNOWN
        if self._built_in.locks(window.app_id):
            return Verdict("locked", "screen_locked", "lock:programs")
        hit = self._built_in.hit(window, scale)
        if hit is not None:
            return Verdict("private", hit.reason, hit.rule)
        verdict = self._by_user(window)
        if verdict is not None and verdict.outcome == "private":
            return verdict
        nameless = not window.app_id.strip() or window.private_hint == "unknown"
        if nameless or (self._title_rules and not window.title.strip()):
            return UNKNOWN
        return verdict or OK

    def paint_over(
        self, windows: Sequence[WindowInfo], front_id: str | None, scale: float = 1.0, *, keep_unknown: bool = False
    ) -> list[Painted]:
        """What to paint over besides the front window (§3.6): private, excluded and own windows that can be seen.

        Args:
            windows: all visible ones, lowest first.
            front_id: window id of the one in front, which `judge` answers for.
            keep_unknown: `privacy.unknown = keep`.

        A private window counts as seen unless windows above it, other than see-through terminals, hide all of it; then
        its whole rectangle is painted. Of windows that cannot be told only the parts in sight are painted: a desktop
        without a name would otherwise hide everything.
        """
        out: list[Painted] = []
        for place, window in enumerate(windows):
            if window.rect is None or window.window_id == front_id:
                continue
            rule = self._excluded(window, scale, keep_unknown=keep_unknown)
            if rule is None:
                continue
            above = [each for each in windows[place + 1 :] if not self._built_in.is_terminal(each.app_id)]
            parts = uncovered(window.rect, (each.rect for each in above if each.rect is not None))
            if rule == "unknown":
                out.extend(Painted(part, rule) for part in parts)
            elif parts:
                out.append(Painted(window.rect, rule))
        return out

    def _excluded(self, window: WindowInfo, scale: float, *, keep_unknown: bool) -> str | None:
        """The rule that keeps a window out of pictures; None when it may be seen."""
        if window.own:
            return "own"
        verdict = self.judge(window, scale)
        if verdict.outcome == "unknown":
            return None if keep_unknown else "unknown"
        return None if verdict == OK else verdict.rule

    def _by_user(self, window: WindowInfo) -> Verdict | None:
        values: dict[Target, str | None] = {"app": window.app_id, "title": window.title, "url": window.url}
        for matcher in self._matchers:
            value = values.get(matcher.rule.target)
            if value and matcher.hits(value):
                rule = f"user:{matcher.rule.id}"
                # A mask needs to know where the window is.
                if matcher.rule.action == "mask" and window.rect is not None:
                    return Verdict("ok", None, rule, "mask", mask=True)
                action: Action = "placeholder" if matcher.rule.action == "mask" else matcher.rule.action
                return Verdict("private", "user_rule", rule, action)
        return None

    def wants_text(self) -> bool:
        """Whether any rule looks at the text of screens; then every kept frame is read (§3.8)."""
        return any(matcher.rule.target == "text" for matcher in self._matchers)

    def wants_paint(self) -> bool:
        """Whether a text rule masks lines; then no picture is written before it was read (§8.5)."""
        return any(each.rule.target == "text" and each.rule.action == "mask" for each in self._matchers)

    def judge_text(self, lines: Sequence[str]) -> TextVerdict:
        """What the text rules say; they never look at titles, and there is no built-in one.

        The first rule that hides the frame decides, whatever others would mask.
        """
        masked: set[int] = set()
        masks: list[str] = []
        for matcher in self._matchers:
            if matcher.rule.target != "text":
                continue
            mask, rule = matcher.rule.action == "mask", f"user:{matcher.rule.id}"
            hit = matcher.lines_hit(lines, all_of_them=mask)
            if hit and not mask:
                return TextVerdict(rule, traced=matcher.rule.action == "placeholder")
            if hit:
                masked.update(hit)
                masks.append(rule)
        return TextVerdict(masked=tuple(sorted(masked)), masks=tuple(masks))


def builtins(data: PrivacyData | None = None) -> Iterable[Builtin]:
    """Every built-in rule that can be switched off."""
    lists = data or privacy_data()
    for product in lists.products:
        yield Builtin(f"product:{product.id}", product.name)
        if product.titles:
            yield Builtin(f"popup:{product.id}", f"{product.name} (browser pop-up)")
    for vault in lists.vaults:
        yield Builtin(f"vault:{vault.id}", f"{vault.id} (web vault)")
    yield Builtin("private:title", "Private browsing, by title")
    yield Builtin("private:system", "Private browsing, told by the system")
    for browser in lists.browsers:
        if browser.always_private:
            yield Builtin(f"private:{browser.id}", browser.name)
    yield Builtin("prompt:title", "Password prompts")
    yield Builtin("prompt:terminal", "Password prompts in terminals")
    yield Builtin("lock:programs", "Lock and saver programs")
