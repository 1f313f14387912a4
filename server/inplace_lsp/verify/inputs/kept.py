"""How a class uses what its constructor is given: there, in its methods through the attributes that keep it, and in the
constructors of its bases that it is handed on to."""

from __future__ import annotations

import ast

from inplace_lsp.verify.inputs.program import Function, Parameter, Program, parameters
from inplace_lsp.verify.inputs.uses import Use, note_uses, uses

_DEPTH = 4


def uses_by_class(program: Program, owner: ast.ClassDef, depth: int = _DEPTH) -> dict[str, Use]:
    """What the class does with each parameter of its constructor."""
    made = program.method(owner, "__init__")
    if made is None:
        return {}
    found = {one.name: Use() for one in parameters(made)}
    note_uses(made, found)
    for one in found.values():
        one.makes = one.called
    kept = {f"self.{attribute}": found[name] for attribute, name in kept_parameters(made).items()}
    for method in (one for one in owner.body if isinstance(one, Function)):
        note_uses(method, kept)
    if depth:
        _follow_bases(program, owner, made, found, depth)
    return found


def uses_through_calls(program: Program, node: Function, depth: int = 2) -> dict[str, Use]:
    """What a function does with its parameters, and what the functions of the file do that it hands them on to."""
    found = uses(node)
    for call in (one for one in ast.walk(node) if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)):
        assert isinstance(call.func, ast.Name)
        helper = program.definitions.get(call.func.id)
        if helper is None or helper.node is node or not depth:
            continue
        inner = uses_through_calls(program, helper.node, depth - 1)
        for parameter, name in _filled(call.args, call.keywords, parameters(helper.node)):
            if name in found and parameter in inner:
                found[name].add(inner[parameter])
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
    return _filled(given, call.keywords, taken)


def _filled(given: list[ast.expr], keywords: list[ast.keyword], taken: tuple[Parameter, ...]) -> list[tuple[str, str]]:
    """Parameters with the names that a call gives for them."""
    plain = [one.name for one in taken if one.kind == "plain"]
    filled = [(name, one.id) for name, one in zip(plain, given, strict=False) if isinstance(one, ast.Name)]
    named = [(one.arg, one.value.id) for one in keywords if one.arg and isinstance(one.value, ast.Name)]
    return [*filled, *named]
