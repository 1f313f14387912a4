"""Decide whether another path through a function can show a hazard: only if something is written or walked back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from inplace_lsp.interpret.entries.coverage import Coverage
from inplace_lsp.interpret.entries.skipped_code import is_plain_callee, is_write_syntax
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.source import ir
from inplace_lsp.source.ir import walk_nodes
from inplace_lsp.tape.model import Backward, Create, Event, Reject, Save, SetData, View, Write

PATHS = 256
"""The number of paths explored of an entry that saves and writes something, if the budget of steps allows: a short
function with many branches takes most of them, on torchvision and timm they cost 0.2 % more steps than 32."""
FEW = 2
"""The number of paths explored if no run both saves and writes, and no guide led to skipped code that may."""
PATHS_COMPARED = 8
"""The number of paths on which a repair is checked to train the same."""


@dataclass(slots=True)
class Risk:
    """Whether the runs of an entry save tensors and whether they write or walk: a hazard takes both."""

    saves: bool = False
    writes: bool = False

    def note_run(self, machine: Machine, began: int) -> None:
        """Record what a run did that recorded the events from `began` on. Writes before, when its object was made, no
        longer matter."""
        events = machine.recorder.events
        self.saves = self.saves or any(type(event) is Save for event in events)
        self.writes = self.writes or any(map(_is_write, events[began:]))

    def lacks_saves(self) -> bool:
        """Return whether all that is missing for a hazard is something that saves."""
        return self.writes and not self.saves

    def has_both(self) -> bool:
        """Return whether the runs saved and wrote."""
        return self.saves and self.writes


def make_flip_counter(machine: Machine, coverage: Coverage) -> Callable[[], int]:
    """Return a function that counts how many decisions of a run, from the first, are worth flipping in another run.

    A hazard needs a write after a save. A decision after the last write, and after the last skipped code that may
    write, can only add or remove saves after it; unless a walk would already find something changed: then it can decide
    on the walk. Skipped code that other runs have reached by then does not count, unless this run reached it too at
    another time: where it writes, the decisions before it are flipped in those runs.
    """
    decisions = machine.path.times
    events = machine.recorder.events
    last = next((at for at in range(len(events) - 1, -1, -1) if _is_write(events[at])), -1)
    if last >= 0 and _is_changed(events):
        return partial(len, decisions)
    worth = sum(time <= last for time in decisions)
    skipped, executed = coverage.find_skipped_code(machine, worth), machine.executed

    def count_worth_flipping() -> int:
        counts = (made for code, made in skipped.items() if code in executed or code not in coverage.executed)
        return max(counts, default=worth)

    return count_worth_flipping


_WRITES = frozenset({Write, Reject, SetData})


def _is_write(event: Event) -> bool:
    """Return whether the event writes a tensor, or is a walk that the program asks for."""
    return type(event) in _WRITES or (type(event) is Backward and not event.assumed)


def _is_changed(events: Sequence[Event]) -> bool:
    """Return whether something was written after it had been saved, or walked."""
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


def is_risky(events: Sequence[Event]) -> bool:
    """Return whether what a run recorded may be part of a hazard: a write was refused, data replaced, or something was
    written after it had been saved."""
    return any(type(event) in (Reject, SetData) for event in events) or _is_changed(events)


def is_forward(definition: ir.FunctionDef) -> bool:
    """Return whether a function is a forward pass, or a part of one, by its name."""
    return definition.name.startswith("forward")


def is_training(definition: ir.FunctionDef) -> bool:
    """Return whether a function walks back and steps by its own text."""
    calls = (node.function for node in walk_nodes(definition.body) if isinstance(node, ir.Call))
    return {"backward", "step"} <= {function.name for function in calls if isinstance(function, ir.Attribute)}


def is_inert(definition: ir.FunctionDef) -> bool:
    """Return whether a function can show no hazard with any arguments: it neither writes nor calls what could."""
    takes_more = len(definition.parameters) > 1
    for node in walk_nodes(definition.body):
        if is_write_syntax(node):
            return False
        if isinstance(node, ir.Call) and (takes_more or not is_plain_callee(node.function)):
            return False
    return True
