"""The message tree of a session, pure: slots, versions, the active path (spec 05 §2).

All children of one parent are one slot, all roots too; the first node names it. A parent is always an earlier node, so
one walk from the newest to the oldest node tells of each the highest seq below it: no question costs more than that.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """A place in the tree; `seq` of the event that made it."""

    id: str
    parent_id: str | None
    slot_id: str
    seq: int


class Tree:
    """A tree of nodes with what was selected in its slots; selections of nodes that are gone count for nothing."""

    def __init__(self, nodes: Iterable[Node], selected: Mapping[str, str]) -> None:
        self.nodes = {node.id: node for node in sorted(nodes, key=lambda node: node.seq)}
        self._selected = selected
        self._children: dict[str | None, list[str]] = {}
        for node in self.nodes.values():
            self._children.setdefault(node.parent_id, []).append(node.id)

    def children(self, parent_id: str | None) -> tuple[str, ...]:
        """The versions of the slot under a node (None: of the roots), by age."""
        return tuple(self._children.get(parent_id, ()))

    def slot_under(self, parent_id: str | None) -> str | None:
        """The name of the slot under a node; None while it is empty."""
        children = self._children.get(parent_id)
        return self.nodes[children[0]].slot_id if children else None

    def versions(self, node_id: str) -> tuple[str, ...]:
        """All nodes of a node's slot, by age, itself among them."""
        return self.children(self.nodes[node_id].parent_id)

    def path_to(self, node_id: str) -> tuple[str, ...]:
        """From the root to that node."""
        out = [node_id]
        while (parent := self.nodes[out[-1]].parent_id) is not None:
            out.append(parent)
        return tuple(reversed(out))

    def active(self) -> tuple[str, ...]:
        """The active path, root to leaf."""
        newest = self._newest()
        out: list[str] = []
        parent: str | None = None
        while versions := self._children.get(parent):
            chosen = self._selected.get(self.nodes[versions[0]].slot_id)
            parent = chosen if chosen in versions else max(versions, key=newest.__getitem__)
            out.append(parent)
        return tuple(out)

    def subtree(self, node_id: str) -> tuple[str, ...]:
        """That node and all below it, parents before children."""
        out = [node_id]
        for each in out:
            out.extend(self._children.get(each, ()))
        return tuple(out)

    def _newest(self) -> dict[str, int]:
        """The highest seq in the subtree of each node."""
        best = {node.id: node.seq for node in self.nodes.values()}
        for node in reversed(self.nodes.values()):
            if node.parent_id is not None and node.parent_id in best:
                best[node.parent_id] = max(best[node.parent_id], best[node.id])
        return best
