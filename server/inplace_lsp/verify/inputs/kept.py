"""How a class uses what its constructor is given: there, in its methods through the attributes that keep it, and in the
constructors of its bases that it is handed on to."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from inplace_lsp.verify.inputs.program import Function, Parameter, Program, parameters_of
from inplace_lsp.verify.inputs.uses import Use, find_uses, note_uses

_DEPTH = 4


def uses_by_class(program: Program, owner: ast.ClassDef, depth: int = _DEPTH) -> dict[str, Use]:
    """Return the class's uses of each parameter of its constructor."""
    made = program.find_method(owner, "__init__")
    if made is None:
        return {}
    found = {parameter.name: Use() for parameter in parameters_of(made)}
    note_uses(made, found)
    for use in found.values():
        use.makes = use.called
    kept = {f"self.{attribute}": found[name] for attribute, name in find_kept_parameters(made).items()}
    for method in (statement for statement in owner.body if isinstance(statement, Function)):
        note_uses(method, kept)
    if depth:
        _follow_bases(program, owner, made, found, depth)
    return found


def uses_through_calls(program: Program, node: Function, depth: int = 2) -> dict[str, Use]:
    """Return a function's uses of its parameters, through the functions of the file that it passes them to."""
    found = find_uses(node)
    for call in (child for child in ast.walk(node) if isinstance(child, ast.Call) and isinstance(child.func, ast.Name)):
        assert isinstance(call.func, ast.Name)
        helper = program.definitions.get(call.func.id)
        if helper is None or helper.node is node or not depth:
            continue
        inner = uses_through_calls(program, helper.node, depth - 1)
        for parameter, name in _match_arguments(call.args, call.keywords, parameters_of(helper.node)):
            if name in found and parameter in inner:
                found[name].add(inner[parameter])
    return found


def uses_of_attributes(program: Program, owner: ast.ClassDef, method: Function) -> dict[str, Use]:
    """Return a method's uses of the attributes of `self` that no class in sight defines, through the methods that it
    calls as well."""
    methods, waiting = {method.name: method}, [method]
    asked: dict[str, None] = {}
    while waiting:
        for name in _attributes_of_self(waiting.pop()):
            helper = program.find_method(owner, name)
            if helper is None:
                asked[name] = None
            elif name not in methods:
                methods[name] = helper
                waiting.append(helper)
    found = {f"self.{name}": Use() for name in asked if not program.has_class_attribute(owner, name)}
    for node in methods.values():
        note_uses(node, found)
    return {name.removeprefix("self."): use for name, use in found.items()}


def _attributes_of_self(method: Function) -> Iterator[str]:
    """Yield the attributes of `self` that a method reads and does not set itself."""
    used = sorted(filter(_is_of_self, ast.walk(method)), key=lambda node: (node.lineno, node.col_offset))
    own = {node.attr for node in used if isinstance(node.ctx, ast.Store)}
    yield from (node.attr for node in used if node.attr not in own)


def _is_of_self(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def find_kept_parameters(constructor: Function) -> dict[str, str]:
    """Return the attributes that keep a parameter as it is, by the parameter's name."""
    names = {parameter.name for parameter in parameters_of(constructor)}
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
        taken = program.constructor_parameters(base) or ()
        inner = uses_by_class(program, base, depth - 1) if base is not owner else {}
        for call in (node for node in ast.walk(made) if isinstance(node, ast.Call)):
            for parameter, name in _parameters_passed_on(call, taken):
                if name in found and parameter in inner:
                    found[name].add(inner[parameter])


def _parameters_passed_on(call: ast.Call, taken: tuple[Parameter, ...]) -> list[tuple[str, str]]:
    """Return which parameters of the base's constructor a call of it fills, and with which names."""
    match call.func:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__"):
            given = call.args
        case ast.Attribute(value=ast.Name(), attr="__init__"):
            given = call.args[1:]
        case _:
            return []
    return _match_arguments(given, call.keywords, taken)


def _match_arguments(
    given: list[ast.expr], keywords: list[ast.keyword], taken: tuple[Parameter, ...]
) -> list[tuple[str, str]]:
    """Parameters with the names that a call gives for them."""
    plain = [parameter.name for parameter in taken if parameter.kind == "plain"]
    filled = [
        (name, argument.id) for name, argument in zip(plain, given, strict=False) if isinstance(argument, ast.Name)
    ]
    named = [
        (keyword.arg, keyword.value.id) for keyword in keywords if keyword.arg and isinstance(keyword.value, ast.Name)
    ]
    return [*filled, *named]
