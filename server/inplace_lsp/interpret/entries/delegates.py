"""Recognise functions that only pass their arguments on to other functions of their file, as factories of models do.

Such a function makes settings, calls the other functions, and returns their results. These functions are judged by
their own entries. So are the methods of a class of the file that it hands, with settings, to an imported function: that
makes the object, and is judged in its own file.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

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
Statement = TypeVar("Statement", bound=ir.Statement)


@dataclass(frozen=True, slots=True)
class Delegation:
    """What is judged in the place of a function that only delegates: `functions` of its file, and the methods of the
    classes of the file that it hands to `makers`, imported functions. `classes`: their names."""

    functions: tuple[ir.FunctionDef, ...]
    makers: tuple[str, ...]
    classes: tuple[str, ...]


def find_delegation(definition: ir.FunctionDef, binding: Binding) -> Delegation | None:
    """Return to what a function delegates everything; None if it does more. `binding`: the units that bind the names of
    the file."""
    if writes_by_itself(definition) or any(isinstance(node, _OTHER_CODE) for node in ir.walk_nodes(definition.body)):
        return None
    functions: dict[ir.FunctionDef, None] = {}
    makers: dict[str, None] = {}
    classes: dict[str, None] = {}
    for call in _find_calls(definition.body):
        delegate = _find_function(call.function, binding)
        if delegate is not None and delegate is not definition and not _chooses_delegate(call, delegate):
            functions[delegate] = None
        elif maker := _find_maker(call, binding):
            makers[maker] = None
            functions.update(dict.fromkeys(_find_given_functions(call, binding)))
            classes.update(dict.fromkeys(made.name for made in _find_given_classes(call, binding)))
        elif not _makes_settings(call.function, binding):
            return None
    if not functions or _passes_made_values(definition, binding):
        return None
    return Delegation(tuple(functions), tuple(makers), tuple(classes))


def _find_maker(call: ir.Call, binding: Binding) -> str:
    """Return the name of the imported function to which a call hands a class of the file, "" for any other call."""
    callee = call.function.id if isinstance(call.function, ir.Name) else ""
    is_imported = bool(callee) and _find_only(callee, binding, ir.ImportFrom) is not None
    return callee if is_imported and any(_find_given_classes(call, binding)) else ""


def _find_given_classes(call: ir.Call, binding: Binding) -> Iterator[ir.ClassDef]:
    """Yield the classes of the file that are arguments of a call."""
    for name in _find_given_names(call):
        made = _find_only(name, binding, ir.ClassDef)
        if made is not None:
            yield made


def _find_given_functions(call: ir.Call, binding: Binding) -> Iterator[ir.FunctionDef]:
    """Yield the functions of the file that are arguments of a call, and the methods of the classes that are."""
    for name in _find_given_names(call):
        given = _find_only(name, binding, ir.FunctionDef)
        if given is not None:
            yield given
    for made in _find_given_classes(call, binding):
        yield from _find_methods(made, binding, ())


def _find_methods(made: ir.ClassDef, binding: Binding, heirs: Sequence[ir.ClassDef]) -> Iterator[ir.FunctionDef]:
    """Yield the methods of a class, and of its bases in the file. `heirs`: the classes that lead to it."""
    yield from (member for member in made.body if isinstance(member, ir.FunctionDef))
    names = (argument.value.id for argument in made.arguments if isinstance(argument.value, ir.Name))
    for base in (_find_only(name, binding, ir.ClassDef) for name in names):
        if base is not None and base is not made and base not in heirs:
            yield from _find_methods(base, binding, (*heirs, made))


def _find_given_names(call: ir.Call) -> Iterator[str]:
    """Yield the names in the arguments of a call: `Deep if deep else Net` hands on one of two classes."""
    return (node.id for node in ir.walk_nodes(call.arguments) if isinstance(node, ir.Name))


def _passes_made_values(definition: ir.FunctionDef, binding: Binding) -> bool:
    """Return whether a function gives to another what it has computed itself."""
    made = _find_made_names(definition.body, binding)
    given = (argument for call in _find_calls(definition.body) for argument in call.arguments)
    return any(_mentions_any(argument.value, made) or _calls_delegate(argument, binding) for argument in given)


def _find_calls(code: object) -> list[ir.Call]:
    return [node for node in ir.walk_nodes(code) if isinstance(node, ir.Call)]


def _find_function(callee: ir.Expr, binding: Binding) -> ir.FunctionDef | None:
    """Return the only function of the file that a callee names."""
    return _find_only(callee.id, binding, ir.FunctionDef) if isinstance(callee, ir.Name) else None


def _find_only(name: str, binding: Binding, kind: type[Statement]) -> Statement | None:
    """Return the only statement of the file that binds a name, if it is of that kind."""
    statements = [statement for unit in binding.get(name, ()) for statement in unit.statements]
    only = statements[0] if len(statements) == 1 else None
    return only if isinstance(only, kind) else None


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
    """Return the names to which the results of delegates are assigned."""
    assigned = (node for node in ir.walk_nodes(body) if isinstance(node, ir.Assign))
    return frozenset(
        part.id
        for node in assigned
        if _calls_delegate(node.value, binding)
        for part in ir.walk_nodes(node.targets)
        if isinstance(part, ir.Name)
    )


def _calls_delegate(code: object, binding: Binding) -> bool:
    """Return whether code calls a function of the file, or an imported one to which it hands a class of the file."""
    return any(_find_function(call.function, binding) or _find_maker(call, binding) for call in _find_calls(code))


def _mentions_any(code: object, names: frozenset[str]) -> bool:
    return any(isinstance(node, ir.Name) and node.id in names for node in ir.walk_nodes(code))
