"""One inbox of what waits for a person, over all kinds: exact calls of chats, memories of other tools.

In: what the kinds keep. Out: items with their evidence, and the answers a person gives. A later kind implements `Kind`.
"""

from biny_desktop.service.approvals.inbox import Approvals
from biny_desktop.service.approvals.model import ApprovalItem, ApprovalPage, Cursor, ItemStatus, Kind, Which

__all__ = ["ApprovalItem", "ApprovalPage", "Approvals", "Cursor", "ItemStatus", "Kind", "Which"]
