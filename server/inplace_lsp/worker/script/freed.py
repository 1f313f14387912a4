"""A second walk through a graph: who had saved there, and which backward has freed it.

What a graph keeps is gone with it, so two things are noted before: with each node, the line that made it; and with each
save that a backward lets go, the line of that backward.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
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


class Freed:
    """Which backward has freed what was saved on which line; `walk` is the one that runs now."""

    def __init__(self) -> None:
        self.walk: Place | None = None
        self._by: OrderedDict[Place, Place] = OrderedDict()

    def note(self, saved: Place) -> None:
        """A save made on that line is let go."""
        if self.walk is not None:
            self._by[saved] = self.walk
            self._by.move_to_end(saved)
            if len(self._by) > _LINES:
                self._by.popitem(last=False)

    def by(self, saved: Place) -> Place | None:
        """The last backward that let go of a save made there."""
        return self._by.get(saved)


def note_maker(node: Any, place: Place) -> None:
    """Remember with a node which line made it."""
    node.metadata[_MADE] = place


def tape(roots: Iterable[Any], freed: Freed, backward: Place, error: str) -> Tape | None:
    """What there is to say of a walk from the nodes `roots` that came to a freed one; None if that is not found."""
    known = [node for node in reachable(roots) if _MADE in node.metadata and _is_freed(node)]
    if not known:
        return None
    node = max(known, key=_order)  # the newest runs first
    saved = node.metadata[_MADE]
    return Tape("<module>", tuple(_events(node, saved, freed.by(saved), backward)), error)


def _events(node: Any, saved: Place, first: Place | None, second: Place) -> Iterable[Event]:
    one, other = 1, 2
    result = TensorState(1, "", 1, 1, 0, ALWAYS, False, None, False)
    yield Save(_span(saved), result, _op(node), "", 1, 1)
    if first is not None:
        yield Backward(_span(first), one, False)
        yield Free(_span(first), 1, one)
    yield Backward(_span(second), other, False)
    yield Check(_span(second), 1, other, 0, freed=True)


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
