"""Whether another path through a function can show a hazard: only where something is written or walked backward."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from functools import partial

from inplace_lsp.interpret.entries.coverage import Coverage
from inplace_lsp.interpret.entries.left_out import writes
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.source import ir
from inplace_lsp.source.ir import walk
from inplace_lsp.tape.model import Backward, Create, Event, Reject, Save, SetData, View, Write

PATHS = 32
"""Paths explored of an entry in which something is saved and something written."""
FEW = 2
"""Paths explored where only one of the two was met: one that decides the last thing otherwise may meet the other."""


def paths_worth_taking(machine: Machine, began: int) -> int:
    """How many paths to explore of an entry, after what a run along one of them met: the events from `began` on. What
    was written before, when its object was made, is no longer in the way."""
    events = machine.recorder.events
    both = any(type(event) is Save for event in events) and any(map(_is_write, events[began:]))
    return PATHS if both else FEW


def decisions_worth_flipping(machine: Machine, coverage: Coverage) -> Callable[[], int]:
    """Return what counts how many of the decisions of a run, from the first, another run should make otherwise.

    A hazard needs a write after a save. What is decided after the last write, and after the last code left out that may
    write, can only add saves behind it or leave some away; unless there is something already that a walk would find
    changed: then it can decide on the walk. Code left out that other runs have come to by then does not count, unless
    this run came to it, too, at another time: where it writes, the decisions before it are flipped in those runs.
    """
    decisions = machine.path.times
    events = machine.recorder.events
    last = next((at for at in range(len(events) - 1, -1, -1) if _is_write(events[at])), -1)
    if last >= 0 and _is_changed(events):
        return partial(len, decisions)
    worth = sum(time <= last for time in decisions)
    left_out, executed = coverage.find_left_out(machine, worth), machine.executed

    def count() -> int:
        counts = (made for code, made in left_out.items() if code in executed or code not in coverage.executed)
        return max(counts, default=worth)

    return count


_WRITES = frozenset({Write, Reject, SetData})


def _is_write(event: Event) -> bool:
    """Whether the event writes a tensor, or is a walk that the program asks for."""
    return type(event) in _WRITES or (type(event) is Backward and not event.assumed)


def _is_changed(events: Sequence[Event]) -> bool:
    """Whether something was written after it had been saved, or walked."""
    saved: set[int] = set()
    for event in events:
        kind = type(event)
        if kind is Create or kind is View:
            continue
        if isinstance(event, Save):
            saved.add(event.tensor.storage)
        elif isinstance(event, (Write, SetData)):
            if event.tensor.storage in saved:
                return True
        elif _is_write(event):
            return True
    return False


def is_inert(definition: ir.FunctionDef) -> bool:
    """Whether a function can show no hazard whatever it is called with: it neither writes nor calls what could."""
    takes_more = len(definition.parameters) > 1
    for node in walk(definition.body):
        if writes(node):
            return False
        if isinstance(node, ir.Call) and (takes_more or not _is_plain(node.function)):
            return False
    return True


def _is_plain(function: ir.Expr) -> bool:
    """Whether a callee is a bare class-like or builtin name: no method of the object, no helper."""
    return isinstance(function, ir.Name) and (function.id in _BUILTINS or function.id[:1].isupper())


_BUILTINS = frozenset(vars(builtins))
