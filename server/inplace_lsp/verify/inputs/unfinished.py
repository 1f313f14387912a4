"""Objects whose constructor does not run: plans with what can be made of one, and with invented attributes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from inplace_lsp.verify.inputs import names
from inplace_lsp.verify.inputs.constructor_uses import uses_of_attributes
from inplace_lsp.verify.inputs.errors import quoted_names
from inplace_lsp.verify.inputs.guess import Guesses, guess_tensor
from inplace_lsp.verify.inputs.plan import Plan
from inplace_lsp.verify.inputs.program import Parameter, Program, last_name
from inplace_lsp.verify.inputs.recipes import Group, Recipe, Tensor, Text
from inplace_lsp.verify.inputs.shapes import give_shapes

_OF_EVERY_MODULE = frozenset("training device dtype parameters named_parameters modules children buffers".split())
"""Attributes that are there without any constructor, or that a base class out of sight has."""
ATTRIBUTES = "attributes"


def make_partly(plan: Plan) -> Plan | None:
    """Return the plan with an object that may stay unfinished by its constructor; None if it makes none."""
    made = plan.root.get("receiver")
    if not isinstance(made, Group) or is_unfinished(made.source()):
        return None
    inner = made.items[0][1] if made.head == names.PREPARED else made
    if not isinstance(inner, Group):
        return None
    given = Group(names.PARTLY, (("0", Text(inner.head, sure=True)), *inner.items))
    return plan.with_root(plan.root.put("receiver", made.put("0", given) if inner is not made else given))


def invent_attributes(plan: Plan, program: Program, error: str) -> Plan:
    """Return the plan with values for what the target reads of the unfinished object, if the error of a run with it
    names something of that."""
    made = plan.root.get("receiver")
    invented = _guess_attributes(plan, program)
    if made is None or not any(invented.get(name) is not None for name in quoted_names(error)):
        return plan
    return plan.with_root(plan.root.put("receiver", Group(names.INVENTED, (("0", made), *invented.items))))


def is_unfinished(receiver: str) -> bool:
    """Return whether an expression makes an object that its constructor may leave unfinished."""
    return names.PARTLY in receiver


def _guess_attributes(plan: Plan, program: Program) -> Group:
    """Return values for the attributes that the target reads and no class defines, as arguments get them."""
    found = Group("{")
    if plan.target.owner is None:
        return found
    guesses = Guesses(program)
    parameters = set(_parameters_of_module(program, plan.target.owner))
    for name, use in uses_of_attributes(program, plan.target.owner, plan.target.node).items():
        if name in _OF_EVERY_MODULE or name.startswith("__"):
            continue
        if name in parameters:
            value: Recipe | None = replace(guess_tensor(name), grad=True, leaf=True)
        else:
            value = guesses.guess_parameter(Parameter(name, "plain"), use)
            value = replace(value, grad=False) if isinstance(value, Tensor) else value
        found = found if value is None else found.put(name, value)
    shaped = give_shapes(program, plan.target, plan.root.put(ATTRIBUTES, found), {}).get(ATTRIBUTES)
    return shaped if isinstance(shaped, Group) else found


def _parameters_of_module(program: Program, owner: ast.ClassDef) -> Iterator[str]:
    """Yield the attributes that a constructor makes parameters; all other tensors of an object are its state."""
    made = program.find_method(owner, "__init__")
    for node in ast.walk(made) if made is not None else ():
        match node:
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.Call(func=called)):
                if last_name(called) == "Parameter":
                    yield name
