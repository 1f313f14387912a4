"""Whether another path through a function can show a hazard: only where something is written or walked backward."""

from __future__ import annotations

import builtins

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import Class, Function
from inplace_lsp.source import ir
from inplace_lsp.source.ir import walk
from inplace_lsp.tape.model import Backward, Reject, Save, SetData, Write

PATHS = 32
"""Paths explored of an entry in which something is saved and something written."""
FEW = 6
"""Paths explored where only one of the two was met: another path may meet the other."""
_WRITING = frozenset("backward step grad apply data numpy untyped_storage load_state_dict apply_".split())


def paths_worth_taking(machine: Machine) -> int:
    """How many paths to explore of an entry, after what a run along one of them met or passed by."""
    events = machine.recorder.events
    if not any(isinstance(e, Write | Reject | SetData) or (isinstance(e, Backward) and not e.assumed) for e in events):
        seen: set[int] = set()
        any_writer = any(_may_write(branch, frame, seen) for branch, frame in machine.untaken)
        machine.looked_into |= seen
        if not any_writer:
            return 1
    return PATHS if any(isinstance(e, Save) for e in events) else FEW


def is_inert(definition: ir.FunctionDef) -> bool:
    """Whether a function can show no hazard whatever it is called with: it neither writes nor calls what could."""
    takes_more = len(definition.parameters) > 1
    for node in walk(definition.body):
        if _writes(node):
            return False
        if isinstance(node, ir.Call) and (takes_more or not _is_plain(node.function)):
            return False
    return True


def _is_plain(function: ir.Expr) -> bool:
    """Whether a callee is a bare class-like or builtin name: no method of the object, no helper."""
    return isinstance(function, ir.Name) and (function.id in _BUILTINS or function.id[:1].isupper())


_BUILTINS = frozenset(vars(builtins))


def _writes(node: object) -> bool:
    """Whether `node` is the syntax of a write or a backward."""
    if isinstance(node, ir.Assign):
        return any(isinstance(target, ir.Subscript) for target in node.targets)
    if isinstance(node, ir.Argument):
        return node.name in ("inplace", "out")
    if isinstance(node, ir.Attribute):
        return node.name in _WRITING or (node.name.endswith("_") and node.name[0] != "_")
    return isinstance(node, ir.AugAssign)


def _may_write(code: object, frame: Frame, seen: set[int]) -> bool:
    """Whether `code`, or a function of the user's that it names, has the syntax of a write or a backward.

    `seen` are the definitions that were looked into.
    """
    for node in walk(code):
        if isinstance(node, ir.FunctionDef):
            seen.add(id(node))
        if _writes(node):
            return True
        if isinstance(node, ir.Name) and _names_writer(node.id, frame, seen):
            return True
    return False


def _names_writer(name: str, frame: Frame, seen: set[int]) -> bool:
    scope: Frame | None = frame
    value = None
    while scope is not None and value is None:
        value, scope = scope.names.get(name), scope.parent
    if value is None or frame.globals().names.get(name) is value:
        frame.globals().asked.add(name)
        value = frame.globals().names.get(name)
    if isinstance(value, Function | Class) and value.definition is not None and id(value.definition) not in seen:
        seen.add(id(value.definition))
        return _may_write(value.definition.body, frame, seen)
    return False
