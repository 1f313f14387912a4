"""How a class uses what its constructor is given: there, in its methods through the attributes that keep it, and in the
constructors of its bases that it is handed on to."""

from __future__ import annotations

import ast

from inplace_lsp.verify.inputs.program import Function, Parameter, Program, parameters
from inplace_lsp.verify.inputs.uses import Use, note_uses

_DEPTH = 4


def uses_by_class(program: Program, owner: ast.ClassDef, depth: int = _DEPTH) -> dict[str, Use]:
    """What the class does with each parameter of its constructor."""
    made = program.method(owner, "__init__")
    if made is None:
        return {}
    found = {one.name: Use() for one in parameters(made)}
    note_uses(made, found)
    kept = {f"self.{attribute}": found[name] for attribute, name in kept_parameters(made).items()}
    for method in (one for one in owner.body if isinstance(one, Function)):
        note_uses(method, kept)
    if depth:
        _follow_bases(program, owner, made, found, depth)
    return found


def kept_parameters(constructor: Function) -> dict[str, str]:
    """The attributes that keep a parameter as it is, by the parameter's name."""
    names = {one.name for one in parameters(constructor)}
    found = {}
    for node in ast.walk(constructor):
        match node:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=attribute)], value=ast.Name(id=name)
            ):
                if name in names:
                    found[attribute] = name
    return found


def _follow_bases(program: Program, owner: ast.ClassDef, made: Function, found: dict[str, Use], depth: int) -> None:
    bases = [
        program.classes[base.id] for base in owner.bases if isinstance(base, ast.Name) and base.id in program.classes
    ]
    for base in bases:
        taken = program.constructor(base) or ()
        inner = uses_by_class(program, base, depth - 1) if base is not owner else {}
        for call in (node for node in ast.walk(made) if isinstance(node, ast.Call)):
            for parameter, name in _handed_on(call, taken):
                if name in found and parameter in inner:
                    found[name].add(inner[parameter])


def _handed_on(call: ast.Call, taken: tuple[Parameter, ...]) -> list[tuple[str, str]]:
    """Which parameters of the base's constructor a call of it fills, and with which names."""
    match call.func:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__"):
            given = call.args
        case ast.Attribute(value=ast.Name(), attr="__init__"):
            given = call.args[1:]
        case _:
            return []
    plain = [one.name for one in taken if one.kind == "plain"]
    filled = [(name, one.id) for name, one in zip(plain, given, strict=False) if isinstance(one, ast.Name)]
    named = [(one.arg, one.value.id) for one in call.keywords if one.arg and isinstance(one.value, ast.Name)]
    return [*filled, *named]
