"""What a library's name stands for where a model file describes it: functions and classes, executed like the user's."""

from __future__ import annotations

import ast
from functools import lru_cache

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import Raised
from inplace_lsp.interpret.python.bindings import bindings, stars
from inplace_lsp.interpret.state.facts import ModuleText
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import Known, Unknown, Value
from inplace_lsp.models import read_model
from inplace_lsp.source.module_units import read_module
from inplace_lsp.source.trees import parse_tree
from inplace_lsp.source.units import Unit


def find(machine: Machine, name: str) -> Value | None:
    """What the model of a module binds for the dotted `name`; None where no model does."""
    module, _, attribute = name.rpartition(".")
    text = _text_of(machine, module) if module in machine.described else None
    if text is None:
        package = _find_package(machine, module)
        return _ask_module(machine, package, attribute) if package is not None else None
    bound = scope_of(machine, text).lookup(attribute) if may_bind(text, attribute) else None
    return bound if bound is not None else _ask_module(machine, text, attribute)


def describes(machine: Machine, module: str) -> bool:
    """Whether a model says anything of the names in a module."""
    return module in machine.described or _find_package(machine, module) is not None


def _find_package(machine: Machine, module: str) -> ModuleText | None:
    """The model of the nearest package around a module without one, if its `__getattr__` answers for what lies below:
    libraries keep the classes that a package hands out in modules of their own."""
    while "." in module:
        module = module.rpartition(".")[0]
        if module in machine.described:
            text = _text_of(machine, module)
            return text if text is not None and "__getattr__" in _bound_in(text) else None
    return None


def _ask_module(machine: Machine, text: ModuleText, attribute: str) -> Value | None:
    """What the `__getattr__` of a model gives for a name that the file does not bind, as Python asks a module."""
    if attribute.startswith("_") or "__getattr__" not in _bound_in(text):
        return None
    scope = scope_of(machine, text)
    asked = scope.lookup("__getattr__")
    if asked is None:
        return None
    try:
        found = machine.call(asked, [Known(attribute)], {})
    except Raised:
        return None
    if isinstance(found, Unknown):
        return None
    scope.names[attribute] = found  # the same object each time
    return found


def _text_of(machine: Machine, module: str) -> ModuleText | None:
    """The model of the module: the project's own before the shipped one."""
    own = machine.models.get(module)
    return own if own is not None else _read_shipped(module)


@lru_cache(maxsize=1024)
def _read_shipped(module: str) -> ModuleText | None:
    found = read_model(module)
    return ModuleText(*found, own=False, model=True) if found is not None else None


_NO_LIBRARY = "opaque_modules.py"
"""What models derive from: a reader knows none of its names."""


def describe(model: ModuleText, function: str) -> str:
    """How messages name a function of a model file: with the first line of its docstring, "" if it has none."""
    words = _docstrings(model.text).get(function, "")
    if words and model.filename.endswith(_NO_LIBRARY):
        return "layers that keep their weights and what goes into them"
    shown = function.rpartition(".")[2] if function.startswith("_") else function  # a class that users do not know
    return f"`{shown}`: {words[0].lower()}{words[1:]}" if words else ""


@lru_cache(maxsize=256)
def _docstrings(text: str) -> dict[str, str]:
    """The first line of each function's docstring, by its name or that of its class and its own."""
    found: dict[str, str] = {}
    tree = parse_tree(text)
    for node in tree.body if tree is not None else ():  # a user's file that does not parse has its own findings
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        for one in inside:
            if isinstance(one, ast.FunctionDef) and (words := ast.get_docstring(one)):
                name = f"{node.name}.{one.name}" if isinstance(node, ast.ClassDef) else one.name
                found[name] = words.partition("\n")[0].rstrip(".")
    return found


def scope_of(machine: Machine, module: ModuleText) -> Frame:
    """The scope of a module of source; what it binds is executed when it is asked for."""
    if module.filename not in machine.modules:
        machine.modules[module.filename] = machine.scope_of(module, parsed(module))
    return machine.modules[module.filename]


@lru_cache(maxsize=512)
def parsed(module: ModuleText) -> tuple[Unit, ...]:
    """The module's units; the same object for the same text."""
    return read_module(module.text)


@lru_cache(maxsize=1024)
def _bound_in(module: ModuleText) -> frozenset[str]:
    units = parsed(module)
    return frozenset([*bindings(units), *(["*"] if stars(units) else [])])


def may_bind(module: ModuleText, name: str) -> bool:
    """Whether a module has a unit that binds `name`, or star imports that may."""
    return not _bound_in(module).isdisjoint((name, "*"))
