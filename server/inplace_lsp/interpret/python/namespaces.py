"""The names of a module as a dict: `module.__dict__` and `globals()`."""

from __future__ import annotations

from collections.abc import Callable

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Class, Instance, Native, Value


def make_namespace(machine: Machine, find: Callable[[str], Value | None], text: str) -> Value:
    """Return a dict whose entries `find` looks up when they are asked for, by a text that is known."""

    def read_entry(arguments: list[Value], keywords: dict[str, Value]) -> Value:
        return _read_entry(machine, find, arguments, text)

    methods: dict[str, Value] = {name: Native(read_entry, name) for name in ("__getitem__", "get")}
    return Instance(Class("dict", (), (), methods), name=text)


def _read_entry(machine: Machine, find: Callable[[str], Value | None], arguments: list[Value], text: str) -> Value:
    """Return the entry under the first argument; without one of that name the second, if it is given."""
    name = machine.decide_text(arguments[0]) if arguments else None
    found = find(name) if name is not None else None
    if found is not None:
        return found
    return arguments[1] if name is not None and len(arguments) > 1 else machine.make_unknown(text)


@intrinsic("builtins.globals()")
def _read_globals(machine: Machine, text: str) -> Value:
    """Return the names of the module whose code asks."""
    if not machine.stack:
        return machine.make_unknown(text)
    module = machine.stack[-1].find_module_scope()
    return make_namespace(machine, module.look_up, text or "globals()")
