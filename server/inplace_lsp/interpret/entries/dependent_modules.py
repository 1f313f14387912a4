"""Find modules that only their maker in sight knows whole: it hands them an object that their own class cannot know."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from inplace_lsp.interpret.entries.write_syntax import read_definition
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Class, Function, Instance, Value
from inplace_lsp.interpret.torch_api.module_tree import is_module, walk_modules
from inplace_lsp.source import ir

_LARGE = 64
"""The number of modules within each other that are looked at."""


def find_waiting_modules(machine: Machine, value: Value | None) -> list[tuple[Instance, Function]]:
    """Return the modules in `value` whose forward pass nobody has run, each with that `forward`, which may write a
    tensor by an object that their constructor was handed."""
    if value is None or not is_module(value):
        return []
    return list(_find_waiting(machine, value))


def makes_waiting_modules(machine: Machine, value: Value | None) -> bool:
    """Return whether `value` is a module without a forward pass of its own that holds such modules."""
    if not isinstance(value, Instance) or isinstance(value.cls.look_up("forward"), Function):
        return False
    return bool(find_waiting_modules(machine, value))


def _find_waiting(machine: Machine, value: Value) -> Iterator[tuple[Instance, Function]]:
    for at, (_, part) in enumerate(walk_modules(value)):
        if at > _LARGE:
            return
        if not isinstance(part, Instance) or not _is_handed_writer(part):
            continue
        forward = part.cls.look_up("forward")
        if isinstance(forward, Function) and id(forward.definition) not in machine.called:
            yield part, forward


def _is_handed_writer(module: Instance) -> bool:
    """Return whether a module keeps an object from its constructor's arguments whose methods write."""
    init = module.cls.look_up("__init__")
    if not isinstance(init, Function):
        return False
    kept = (module.attributes.get(name) for name in _find_kept_arguments(init.definition))
    return any(isinstance(held, Instance) and not is_module(held) and _has_writing_method(held.cls) for held in kept)


def _has_writing_method(cls: Class) -> bool:
    methods = (member for owner in cls.list_lineage() for member in owner.members.values())
    return any(isinstance(method, Function) and read_definition(method.definition).writes for method in methods)


@lru_cache(maxsize=1024)
def _find_kept_arguments(definition: ir.FunctionDef | ir.Lambda) -> tuple[str, ...]:
    """Return the attributes of `self` to which a constructor assigns its arguments as they are."""
    given = {parameter.name for parameter in definition.parameters[1:]}
    return tuple(
        target.name
        for node in ir.walk_nodes(definition.body)
        if isinstance(node, ir.Assign) and isinstance(node.value, ir.Name) and node.value.id in given
        for target in node.targets
        if isinstance(target, ir.Attribute)
    )
