"""The pages of the window, in the order of the rail.

A page is made when it is first shown: its factory imports the module then, so that the window opens quickly. A page
that does not exist yet is not in the list.
"""

from collections.abc import Callable
from dataclasses import dataclass

from biny_desktop.core.i18n import mark
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.base import Page

Factory = Callable[[Product, Calls, Bridge], Page]


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A place in the rail: `name` untranslated, `icon_name` of `resources/icons`."""

    key: str
    name: str
    icon_name: str
    factory: Factory
    low: bool = False
    """Whether it stands at the bottom of the rail, apart from what one looks at every day."""


def _today(product: Product, calls: Calls, bridge: Bridge) -> Page:
    from biny_desktop.ui.pages.today.page import TodayPage

    return TodayPage(product, calls, bridge)


def _activity(product: Product, calls: Calls, bridge: Bridge) -> Page:
    from biny_desktop.ui.pages.activity.page import ActivityPage

    return ActivityPage(product, calls, bridge)


def _search(product: Product, calls: Calls, bridge: Bridge) -> Page:
    from biny_desktop.ui.pages.search.page import SearchPage

    return SearchPage(product, calls, bridge)


def _chat(product: Product, calls: Calls, bridge: Bridge) -> Page:
    from biny_desktop.ui.pages.chat.page import ChatPage

    return ChatPage(product, calls, bridge)


def _approvals(product: Product, calls: Calls, bridge: Bridge) -> Page:
    from biny_desktop.ui.pages.approvals.page import ApprovalsPage

    return ApprovalsPage(product, calls, bridge)


def _reports(product: Product, calls: Calls, bridge: Bridge) -> Page:
    from biny_desktop.ui.pages.reports.page import ReportsPage

    return ReportsPage(product, calls, bridge)


def _models(product: Product, calls: Calls, bridge: Bridge) -> Page:
    from biny_desktop.ui.pages.models.page import ModelsPage

    return ModelsPage(product, calls, bridge)


def _privacy(product: Product, calls: Calls, bridge: Bridge) -> Page:
    from biny_desktop.ui.pages.privacy.page import PrivacyPage

    return PrivacyPage(product, calls, bridge)


def _settings(product: Product, calls: Calls, bridge: Bridge) -> Page:
    from biny_desktop.ui.pages.settings.page import SettingsPage

    return SettingsPage(product, calls, bridge)


def _doctor(product: Product, calls: Calls, bridge: Bridge) -> Page:
    from biny_desktop.ui.pages.doctor.page import DoctorPage

    return DoctorPage(product, calls, bridge)


PAGES: tuple[PageEntry, ...] = (
    PageEntry("today", mark("Today"), "today", _today),
    PageEntry("activity", mark("Activity"), "activity", _activity),
    PageEntry("search", mark("Search"), "search", _search),
    PageEntry("chat", mark("Chat"), "chat", _chat),
    PageEntry("reports", mark("Reports"), "reports", _reports),
    PageEntry("approvals", mark("Approvals"), "approvals", _approvals),
    PageEntry("models", mark("Models"), "models", _models, low=True),
    PageEntry("privacy", mark("Privacy & storage"), "shield", _privacy, low=True),
    PageEntry("settings", mark("Settings"), "settings", _settings, low=True),
    PageEntry("doctor", mark("Doctor"), "doctor", _doctor, low=True),
)
