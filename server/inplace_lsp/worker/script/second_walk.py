"""A second backward through a graph: who had saved there, and which backward freed it.

What a graph keeps is gone with it, so two things are noted before: with each node, the line that made it; and with each
save that a backward lets go, the line of that backward.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from torch.autograd.function import BackwardCFunction

from inplace_lsp.tape.model import ALWAYS, Backward, Check, Event, Free, Save, Span, Tape, TensorState
from inplace_lsp.worker.graph import reachable_nodes
from inplace_lsp.worker.places import statement_at
from inplace_lsp.worker.saves import op_of_node
from inplace_lsp.worker.script.own_code import Place

if TYPE_CHECKING:
    from torch.autograd.graph import Node

TWICE = "backward through the graph a second time"
_MADE = "inplace-lsp"
_LINES = 4096
_SAVE = _NODE = _FIRST = 1
_SECOND = 2


class FreedSaves:
    """The backward that freed the saves of each line; `last` is the last one that did not retain its graph."""

    def __init__(self) -> None:
        self.last: Place | None = None
        self._walk: Place | None = None
        self._number = 0
        self._by: OrderedDict[Place, tuple[Place, int]] = OrderedDict()

    @contextmanager
    def track_walk(self, place: Place, *, retain: bool) -> Iterator[None]:
        """Track a backward while it runs."""
        outer, self._walk = self._walk, place
        self._number += 1
        try:
            yield
            self.last = self.last if retain else place
        finally:
            self._walk = outer

    def note_freed(self, saved: Place) -> None:
        """Note that a save made on that line is freed."""
        if self._walk is not None:
            self._by[saved] = self._walk, self._number
            self._by.move_to_end(saved)
            if len(self._by) > _LINES:
                self._by.popitem(last=False)

    def freeing_walk(self, saved: Place | None) -> Place | None:
        """Return the backward, before the current (or last) one, that freed a save made there."""
        found = self._by.get(saved) if saved is not None else None
        return found[0] if found is not None and found[1] < self._number else None


def note_maker(node: Node, place: Place) -> None:
    """Remember with a node which line made it."""
    node.metadata[_MADE] = place


def build_second_walk_tape(roots: Iterable[Node], freed: FreedSaves, backward: Place, error: str) -> Tape:
    """Build the tape of a backward from the nodes `roots` that came to a freed node."""
    nodes = list(reachable_nodes(roots))
    node = _find_freed_node(nodes, freed)
    saved = None if node is None else _find_maker(node, nodes)
    events = _last_walk_events(freed, backward) if saved is None else _node_events(node, saved, freed, backward)
    return Tape("<module>", tuple(events), error)


def _find_freed_node(nodes: list[Node], freed: FreedSaves) -> object:
    """Return the node that the backward could not run. The newest runs first; but what this backward itself has run is
    freed as well, and where nothing distinguishes the two, the oldest is certainly of an earlier one."""
    gone = sorted(filter(_is_freed, nodes), key=_sequence_number)
    before = [node for node in gone if freed.freeing_walk(node.metadata.get(_MADE)) is not None]
    return before[-1] if before else next(iter(gone), None)


def _find_maker(node: Node, nodes: list[Node]) -> Place | None:
    """Return the line of the call that made `node`: its own, or that of the result of a composed op, which is made
    last."""
    later = [other for other in nodes if _MADE in other.metadata and _sequence_number(other) >= _sequence_number(node)]
    return min(later, key=_sequence_number).metadata[_MADE] if later else None


def _node_events(node: Node, saved: Place, freed: FreedSaves, second: Place) -> Iterator[Event]:
    first = freed.freeing_walk(saved) or freed.last
    yield Save(_span_at(saved), TensorState(1, "", 1, 1, 0, ALWAYS, leaf=False), _op_name(node), "", _SAVE, _NODE)
    if first is not None:
        yield Backward(_span_at(first), _FIRST, False)
        yield Free(_span_at(first), _NODE, _FIRST)
    yield Backward(_span_at(second), _SECOND, False)
    yield Check(_span_at(second), _SAVE, _SECOND, 0, freed=True)


def _last_walk_events(freed: FreedSaves, second: Place) -> Iterator[Event]:
    """Yield events without a save: the node keeps no tensor, or a library made it out of sight."""
    if freed.last is not None:
        yield Backward(_span_at(freed.last), _FIRST, False)
    yield Backward(_span_at(second), _SECOND, False)
    yield Check(_span_at(second), -1, _SECOND, 0, freed=True)


def _is_freed(node: Node) -> bool:
    names = ["saved_tensors"] if isinstance(node, BackwardCFunction) else dir(node)
    return any(_raises_freed(node, name) for name in names if name.startswith(("_saved_", "saved_tensors")))


def _raises_freed(node: Node, name: str) -> bool:
    try:
        getattr(node, name)
    except RuntimeError as error:
        return TWICE in str(error)
    except AttributeError:
        return False
    return False


def _sequence_number(node: Node) -> int:
    return int(node._sequence_nr())


def _op_name(node: Node) -> str:
    return (
        f"{type(node).__name__.removesuffix('Backward')}.apply"
        if isinstance(node, BackwardCFunction)
        else op_of_node(node)
    )


def _span_at(place: Place) -> Span:
    return statement_at(*place)
