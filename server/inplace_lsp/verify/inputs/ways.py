"""Ways to a target that are more than one call of it: twice in a row, or through the functions that call it.

A write that is harmless by itself may meet the graph of an earlier call, or of a caller.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from inplace_lsp.verify.inputs.model import Driver, Inputs
from inplace_lsp.verify.inputs.plan import call_text
from inplace_lsp.verify.inputs.program import Definition, Program

CALLERS = 2


def twice(inputs: Inputs, target: Definition, program: Program, module: str | None) -> Inputs:
    """The same call two times on the same instance, both results walked together."""
    once = call_text(replace(inputs, receiver=inputs.receiver and "it"), target)
    call = f"(lambda it: [{once}, {once}])({inputs.receiver})"
    return replace(inputs, receiver=None, arguments={}, driver=whole(program, module, call))


def whole(program: Program, module: str | None, call: str) -> Driver:
    """A call that is judged as it is, not only as far as the target."""
    return Driver(program.text, program.filename, module, call, whole=True)


def callers(program: Program, target: Definition) -> Iterator[Definition]:
    """Functions of the file that mention the target, or make the objects whose method it is; the nearest first."""
    makers = _makers(program, target)
    found = (one for one in program.definitions.values() if one is not target and _mentions(one, target, makers))
    outermost = (one for one in found if one.outer is None)
    yield from islice(sorted(outermost, key=lambda one: one.owner is not target.owner), CALLERS)


def _makers(program: Program, target: Definition) -> set[str]:
    """The classes that make an instance of the target's class in their constructor."""
    if target.owner is None:
        return set()
    made = ((name, program.method(node, "__init__")) for name, node in program.classes.items())
    return {name for name, node in made if node is not None and target.owner.name in _words(node)}


def _mentions(one: Definition, target: Definition, makers: set[str]) -> bool:
    name = target.node.name
    if name in ("forward", "__call__"):
        return one.owner is not None and one.owner.name in makers and one.node.name == "forward"
    return name in _words(one.node)


def _words(node: ast.AST) -> set[str]:
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    return names | {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
