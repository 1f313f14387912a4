"""How a class uses what its constructor is given: there, in its methods through the attributes that keep it, and in the
constructors of its bases that it is handed on to."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from inplace_lsp.source import ir
from inplace_lsp.uses.reading import find_uses_of_self, name_of
from inplace_lsp.uses.use import Use
from inplace_lsp.verify.inputs.nested_uses import find_held_uses, note_held
from inplace_lsp.verify.inputs.program import (
    Function,
    Parameter,
    Program,
    filled_parameters,
    lower_to_ir,
    parameters_of,
)

_DEPTH = 4


def uses_by_class(program: Program, owner: ast.ClassDef, depth: int = _DEPTH) -> dict[str, Use]:
    """Return the class's uses of each parameter of its constructor."""
    made = program.find_method(owner, "__init__")
    if made is None:
        return {}
    found = find_held_uses(lower_to_ir(made))
    for use in found.values():
        use.makes = use.called
    kept = {f"self.{attribute}": found[name] for attribute, name in find_kept_parameters(made).items()}
    for method in (statement for statement in owner.body if isinstance(statement, Function)):
        note_held(lower_to_ir(method).body, kept)
    if depth:
        _follow_bases(program, owner, made, found, depth)
        _follow_parts(program, owner, made, found, depth)
    return found


def uses_through_calls(
    program: Program, node: Function, owner: ast.ClassDef | None = None, depth: int = 2
) -> dict[str, Use]:
    """Return a function's uses of its parameters, through the functions of the file that it passes them to, and the
    methods of its class."""
    found = find_held_uses(lower_to_ir(node))
    for call in _calls_in(node):
        helper, skip, taken = _find_helper(program, call, owner)
        if helper is None or helper is node or not depth:
            continue
        inner = uses_through_calls(program, helper, owner if taken else None, depth - 1)
        for parameter, name in _match_arguments(call, parameters_of(helper)[taken:], skip):
            if name in found and parameter in inner:
                found[name].add(inner[parameter])
    return found


def _find_helper(program: Program, call: ir.Call, owner: ast.ClassDef | None) -> tuple[Function | None, int, int]:
    """Return the function or method in sight that a call calls, how many of its arguments are an instance, and how many
    of the parameters."""
    match call.function:
        case ir.Name(id=name) if name in program.definitions:
            return program.definitions[name].node, 0, 0
        case ir.Attribute(value=ir.Name(id="self"), name=name) if owner is not None:
            return program.find_method(owner, name), 0, 1
        case ir.Attribute(value=ir.Call(function=ir.Name(id="super")), name=name) if owner is not None:
            found = (program.find_method(base, name) for base in _bases_of(program, owner))
            return next((method for method in found if method is not None), None), 0, 1
        case ir.Attribute(value=ir.Name(id=base), name=name) if owner is not None and base in program.classes:
            return program.find_method(program.classes[base], name), 1, 1
    return None, 0, 0


def _bases_of(program: Program, owner: ast.ClassDef) -> list[ast.ClassDef]:
    return [
        program.classes[base.id] for base in owner.bases if isinstance(base, ast.Name) and base.id in program.classes
    ]


def uses_of_attributes(program: Program, owner: ast.ClassDef, method: Function) -> dict[str, Use]:
    """Return a method's uses of the attributes of `self` that no class in sight defines, through the methods that it
    calls as well."""
    methods, waiting = {method.name: method}, [method]
    found: dict[str, Use] = {}
    while waiting:
        node = waiting.pop()
        own = set(_attributes_set_by(node))
        for name, use in find_uses_of_self(lower_to_ir(node).body).items():
            helper = program.find_method(owner, name)
            if helper is not None and name not in methods:
                methods[name] = helper
                waiting.append(helper)
            elif helper is None and name not in own and not program.has_class_attribute(owner, name):
                found.setdefault(name, Use()).add(use)
    return found


def _attributes_set_by(method: Function) -> Iterator[str]:
    """Yield the attributes of `self` that a method sets."""
    for node in ir.walk_nodes(lower_to_ir(method).body):
        if isinstance(node, ir.Assign):
            names = map(name_of, node.targets)
            yield from (name.removeprefix("self.") for name in names if name.startswith("self."))


def find_kept_parameters(constructor: Function) -> dict[str, str]:
    """Return the attributes that keep a parameter as it is, by the parameter's name."""
    names = {parameter.name for parameter in parameters_of(constructor)}
    found = {}
    for node in ir.walk_nodes(lower_to_ir(constructor).body):
        match node:
            case ir.Assign(targets=(target,), value=ir.Name(id=name)) if name in names:
                if name_of(target).startswith("self."):
                    found[name_of(target).removeprefix("self.")] = name
    return found


def _follow_bases(program: Program, owner: ast.ClassDef, made: Function, found: dict[str, Use], depth: int) -> None:
    for base in _bases_of(program, owner):
        taken = program.constructor_parameters(base) or ()
        inner = uses_by_class(program, base, depth - 1) if base is not owner else {}
        for call in _calls_in(made):
            for parameter, name in _parameters_passed_on(call, taken):
                if name in found and parameter in inner:
                    found[name].add(inner[parameter])


def _follow_parts(program: Program, owner: ast.ClassDef, made: Function, found: dict[str, Use], depth: int) -> None:
    """Add the uses by the parts that a constructor makes of other classes."""
    for call in _calls_in(made):
        part = program.classes.get(call.function.id) if isinstance(call.function, ir.Name) else None
        taken = program.constructor_parameters(part) if part is not None and part is not owner else None
        handed = [pair for pair in _match_arguments(call, taken or ()) if pair[1] in found]
        inner = uses_by_class(program, part, depth - 1) if part is not None and handed else {}
        for parameter, name in handed:
            if parameter in inner:
                _add_held(found[name], inner[parameter])


def _add_held(use: Use, inner: Use) -> None:
    """Add what a part asks of an object that it is handed: what it is itself, the maker has to know."""
    if inner.held:
        use.add(Use(attributes=inner.attributes, keys=inner.keys, held=inner.held))


def _calls_in(node: Function) -> Iterator[ir.Call]:
    return (inner for inner in ir.walk_nodes(lower_to_ir(node).body) if isinstance(inner, ir.Call))


def _parameters_passed_on(call: ir.Call, taken: tuple[Parameter, ...]) -> list[tuple[str, str]]:
    """Return which parameters of the base's constructor a call of it fills, and with which names."""
    match call.function:
        case ir.Attribute(value=ir.Call(function=ir.Name(id="super")), name="__init__"):
            return _match_arguments(call, taken)
        case ir.Attribute(value=ir.Name(), name="__init__"):
            return _match_arguments(call, taken, skip=1)
    return []


def _match_arguments(call: ir.Call, taken: tuple[Parameter, ...], skip: int = 0) -> list[tuple[str, str]]:
    """Return parameters with the names that a call gives for them."""
    given = [argument.value for argument in call.arguments if not argument.name and argument.star < 2]
    named = [(argument.name, argument.value) for argument in call.arguments if argument.name]
    filled = filled_parameters(taken, given[skip:], named)
    return [(parameter, value.id) for parameter, value in filled if isinstance(value, ir.Name)]
