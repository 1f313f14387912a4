"""Recognise functions that only pass their arguments on to other functions of their file, as factories of models do.

Such a function makes settings, calls the other functions, and returns their results. These functions are judged by
their own entries.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from inplace_lsp.interpret.entries.write_syntax import writes_by_itself
from inplace_lsp.interpret.python.bindings import Binding
from inplace_lsp.interpret.python.texts import METHODS
from inplace_lsp.source import ir

_MAKE_SETTINGS = frozenset(vars(builtins)) - frozenset(
    "exec eval globals locals vars getattr setattr delattr __import__ open input super map filter next iter".split()
)
"""Builtins that make numbers, texts and containers."""
_OF_CONTAINERS = frozenset("get pop setdefault update copy items keys values append extend".split())
_OTHER_CODE = (ir.FunctionDef, ir.ClassDef, ir.Lambda, ir.For, ir.While, ir.With, ir.Try, ir.Suspend)
"""Statements that a function which only delegates does not have."""


def find_delegates(definition: ir.FunctionDef, binding: Binding) -> Sequence[ir.FunctionDef]:
    """Return the functions of the file to which a function delegates everything; () if it does more. `binding`: the
    units that bind the names of the file."""
    if writes_by_itself(definition) or any(isinstance(node, _OTHER_CODE) for node in ir.walk_nodes(definition.body)):
        return ()
    found: dict[ir.FunctionDef, None] = {}
    for call in _find_calls(definition.body):
        delegate = _find_function(call.function, binding)
        if delegate is not None and delegate is not definition and not _chooses_delegate(call, delegate):
            found[delegate] = None
        elif not _makes_settings(call.function, binding):
            return ()
    return () if _passes_made_values(definition, binding) else tuple(found)


def _passes_made_values(definition: ir.FunctionDef, binding: Binding) -> bool:
    """Return whether a function gives to another what it has computed itself."""
    made = _find_made_names(definition.body, binding)
    given = (argument for call in _find_calls(definition.body) for argument in call.arguments)
    return any(_mentions_any(argument.value, made) or _find_calls_of(argument, binding) for argument in given)


def _find_calls(code: object) -> list[ir.Call]:
    return [node for node in ir.walk_nodes(code) if isinstance(node, ir.Call)]


def _find_function(callee: ir.Expr, binding: Binding) -> ir.FunctionDef | None:
    """Return the only function of the file that a callee names."""
    units = binding.get(callee.id, ()) if isinstance(callee, ir.Name) else ()
    statements = [statement for unit in units for statement in unit.statements]
    only = statements[0] if len(statements) == 1 else None
    return only if isinstance(only, ir.FunctionDef) else None


def _chooses_delegate(call: ir.Call, delegate: ir.FunctionDef) -> bool:
    """Return whether a call chooses what a function does: by a flag, or by a text that the function compares with."""
    given = [argument.value.value for argument in call.arguments if isinstance(argument.value, ir.Const)]
    if any(value is None or isinstance(value, bool) for value in given):
        return True
    texts = {value for value in given if isinstance(value, str)}
    return (
        any(isinstance(node, ir.Const) and node.value in texts for node in ir.walk_nodes(delegate.body))
        if texts
        else False
    )


def _makes_settings(callee: ir.Expr, binding: Binding) -> bool:
    """Return whether a callee makes a number, a text or a container, or changes one."""
    if isinstance(callee, ir.Attribute):
        return callee.name in METHODS or callee.name in _OF_CONTAINERS
    return isinstance(callee, ir.Name) and callee.id in _MAKE_SETTINGS and callee.id not in binding


def _find_made_names(body: Sequence[ir.Statement], binding: Binding) -> frozenset[str]:
    """Return the names to which the results of functions of the file are assigned."""
    assigned = (node for node in ir.walk_nodes(body) if isinstance(node, ir.Assign))
    return frozenset(
        part.id
        for node in assigned
        if _find_calls_of(node.value, binding)
        for part in ir.walk_nodes(node.targets)
        if isinstance(part, ir.Name)
    )


def _find_calls_of(code: object, binding: Binding) -> bool:
    """Return whether code calls a function of the file."""
    return any(_find_function(call.function, binding) is not None for call in _find_calls(code))


def _mentions_any(code: object, names: frozenset[str]) -> bool:
    return any(isinstance(node, ir.Name) and node.id in names for node in ir.walk_nodes(code))
