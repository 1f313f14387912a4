"""Find what model files bind for a library's names: functions and classes, executed like the user's."""

from __future__ import annotations

import ast
from functools import lru_cache

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import Raised
from inplace_lsp.interpret.python.bindings import find_binding_units, find_star_imports
from inplace_lsp.interpret.state.facts import ModuleText
from inplace_lsp.interpret.state.values import Frame, Known, Unknown, Value
from inplace_lsp.models import read_model
from inplace_lsp.source.module_units import read_module
from inplace_lsp.source.trees import parse_tree
from inplace_lsp.source.units import Unit


def find_in_model(machine: Machine, name: str) -> Value | None:
    """Return what the model of a module binds for the dotted `name`; None if no model does."""
    module, _, attribute = name.rpartition(".")
    text = _find_model(machine, module) if module in machine.described else None
    if text is None:
        package = _find_package(machine, module)
        return _ask_module(machine, package, attribute) if package is not None else None
    bound = find_scope(machine, text).look_up(attribute) if may_bind(text, attribute) else None
    return bound if bound is not None else _ask_module(machine, text, attribute)


def describes_module(machine: Machine, module: str) -> bool:
    """Return whether a model describes names of a module."""
    return module in machine.described or _find_package(machine, module) is not None


def _find_package(machine: Machine, module: str) -> ModuleText | None:
    """Return the model of the nearest package around a module without one, if its `__getattr__` answers for submodules.

    Libraries define the classes that a package exports in modules of their own.
    """
    while "." in module:
        module = module.rpartition(".")[0]
        if module in machine.described:
            text = _find_model(machine, module)
            return text if text is not None and "__getattr__" in _find_bound_names(text) else None
    return None


def _ask_module(machine: Machine, text: ModuleText, attribute: str) -> Value | None:
    """Return the result of a model's `__getattr__` for a name that the file does not bind, as Python asks a module."""
    if attribute.startswith("_") or "__getattr__" not in _find_bound_names(text):
        return None
    scope = find_scope(machine, text)
    asked = scope.look_up("__getattr__")
    if asked is None:
        return None
    try:
        found = machine.call(asked, [Known(attribute)], {})
    except Raised:
        return None
    if isinstance(found, Unknown):
        return None
    scope.names[attribute] = found  # return the same object each time
    return found


def _find_model(machine: Machine, module: str) -> ModuleText | None:
    """Return the model of the module: the project's own before the shipped one."""
    own = machine.models.get(module)
    return own if own is not None else _read_shipped_model(module)


@lru_cache(maxsize=1024)
def _read_shipped_model(module: str) -> ModuleText | None:
    found = read_model(module)
    return ModuleText(*found, own=False, model=True) if found is not None else None


_NO_LIBRARY = "opaque_modules.py"
"""The base file of models: it describes no library, so readers know none of its names."""


def describe_function(model: ModuleText, function: str) -> str:
    """Return how messages describe a function of a model: its name and the first line of its docstring, if any."""
    words = _find_docstrings(model.text).get(function, "")
    if words and model.filename.endswith(_NO_LIBRARY):
        return "layers that keep their weights and what goes into them"
    shown = function.rpartition(".")[2] if function.startswith("_") else function  # hide a private class
    return f"`{shown}`: {words[0].lower()}{words[1:]}" if words else ""


@lru_cache(maxsize=256)
def _find_docstrings(text: str) -> dict[str, str]:
    """Return the first line of each function's docstring, by its qualified name."""
    found: dict[str, str] = {}
    tree = parse_tree(text)
    for node in tree.body if tree is not None else ():  # a file that does not parse has findings of its own
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        for definition in inside:
            if isinstance(definition, ast.FunctionDef) and (words := ast.get_docstring(definition)):
                name = f"{node.name}.{definition.name}" if isinstance(node, ast.ClassDef) else definition.name
                found[name] = words.partition("\n")[0].rstrip(".")
    return found


def find_scope(machine: Machine, module: ModuleText) -> Frame:
    """Return the scope of a source module; its units are executed when their names are asked for."""
    if module.filename not in machine.modules:
        machine.modules[module.filename] = machine.open_module(module, find_units(module))
    return machine.modules[module.filename]


@lru_cache(maxsize=512)
def find_units(module: ModuleText) -> tuple[Unit, ...]:
    """Return the module's units; the same object for the same text."""
    return read_module(module.text)


@lru_cache(maxsize=1024)
def _find_bound_names(module: ModuleText) -> frozenset[str]:
    units = find_units(module)
    return frozenset([*find_binding_units(units), *(["*"] if find_star_imports(units) else [])])


def binds_name(module: ModuleText, name: str) -> bool:
    """Return whether a unit of the module itself binds `name`."""
    return name in _find_bound_names(module)


def may_bind(module: ModuleText, name: str) -> bool:
    """Return whether a unit of the module binds `name`, or a star import may."""
    return not _find_bound_names(module).isdisjoint((name, "*"))
