"""A second walk through a graph: who had saved there, and which backward has freed it.

What a graph keeps is gone with it, so two things are noted before: with each node, the line that made it; and with each
save that a backward lets go, the line of that backward.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from torch.autograd.function import BackwardCFunction

from inplace_lsp.tape.model import ALWAYS, Backward, Check, Event, Free, Save, Span, Tape, TensorState
from inplace_lsp.worker.graph import reachable
from inplace_lsp.worker.places import statement
from inplace_lsp.worker.saves import op_of
from inplace_lsp.worker.script.own_code import Place

TWICE = "backward through the graph a second time"
_MADE = "inplace-lsp"
_LINES = 4096
_SAVE = _NODE = _FIRST = 1
_SECOND = 2


class Freed:
    """Which backward has freed what was saved on which line; `last` is the last one that did not retain its graph."""

    def __init__(self) -> None:
        self.last: Place | None = None
        self._walk: Place | None = None
        self._number = 0
        self._by: OrderedDict[Place, tuple[Place, int]] = OrderedDict()

    @contextmanager
    def walking(self, place: Place, *, retain: bool) -> Iterator[None]:
        """A backward runs."""
        outer, self._walk = self._walk, place
        self._number += 1
        try:
            yield
            self.last = self.last if retain else place
        finally:
            self._walk = outer

    def note(self, saved: Place) -> None:
        """A save made on that line is let go."""
        if self._walk is not None:
            self._by[saved] = self._walk, self._number
            self._by.move_to_end(saved)
            if len(self._by) > _LINES:
                self._by.popitem(last=False)

    def by(self, saved: Place | None) -> Place | None:
        """The backward before the one that runs now (or ran last) that let go of a save made there."""
        found = self._by.get(saved) if saved is not None else None
        return found[0] if found is not None and found[1] < self._number else None


def note_maker(node: Any, place: Place) -> None:
    """Remember with a node which line made it."""
    node.metadata[_MADE] = place


def tape(roots: Iterable[Any], freed: Freed, backward: Place, error: str) -> Tape:
    """What there is to say of a walk from the nodes `roots` that came to a freed one."""
    nodes = list(reachable(roots))
    node = _reached(nodes, freed)
    saved = None if node is None else _maker(node, nodes)
    events = _of_the_last(freed, backward) if saved is None else _of_a_node(node, saved, freed, backward)
    return Tape("<module>", tuple(events), error)


def _reached(nodes: list[Any], freed: Freed) -> Any:
    """The node that the walk could not run. The newest runs first; but what this walk itself has run is freed as well,
    and where nothing tells the two apart, the oldest is sure to be of an earlier one."""
    gone = sorted(filter(_is_freed, nodes), key=_order)
    before = [node for node in gone if freed.by(node.metadata.get(_MADE)) is not None]
    return before[-1] if before else next(iter(gone), None)


def _maker(node: Any, nodes: list[Any]) -> Place | None:
    """The line of the call that made `node`: its own, or that of the result of a composed op, which is made last."""
    later = [one for one in nodes if _MADE in one.metadata and _order(one) >= _order(node)]
    return min(later, key=_order).metadata[_MADE] if later else None


def _of_a_node(node: Any, saved: Place, freed: Freed, second: Place) -> Iterator[Event]:
    first = freed.by(saved) or freed.last
    yield Save(_span(saved), TensorState(1, "", 1, 1, 0, ALWAYS, leaf=False), _op(node), "", _SAVE, _NODE)
    if first is not None:
        yield Backward(_span(first), _FIRST, False)
        yield Free(_span(first), _NODE, _FIRST)
    yield Backward(_span(second), _SECOND, False)
    yield Check(_span(second), _SAVE, _SECOND, 0, freed=True)


def _of_the_last(freed: Freed, second: Place) -> Iterator[Event]:
    """The node is not known: it keeps no tensor, or a library made it out of sight."""
    if freed.last is not None:
        yield Backward(_span(freed.last), _FIRST, False)
    yield Backward(_span(second), _SECOND, False)
    yield Check(_span(second), -1, _SECOND, 0, freed=True)


def _is_freed(node: Any) -> bool:
    names = ["saved_tensors"] if isinstance(node, BackwardCFunction) else dir(node)
    return any(_raises(node, name) for name in names if name.startswith(("_saved_", "saved_tensors")))


def _raises(node: Any, name: str) -> bool:
    try:
        getattr(node, name)
    except RuntimeError as error:
        return TWICE in str(error)
    except AttributeError:
        return False
    return False


def _order(node: Any) -> int:
    return int(node._sequence_nr())


def _op(node: Any) -> str:
    return (
        f"{type(node).__name__.removesuffix('Backward')}.apply" if isinstance(node, BackwardCFunction) else op_of(node)
    )


def _span(place: Place) -> Span:
    return statement(*place)
