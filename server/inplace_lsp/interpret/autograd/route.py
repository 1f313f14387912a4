"""The calls that led to the statement at work, and the names by which its function knows the tensors of modules."""

from __future__ import annotations

from typing import NamedTuple

from inplace_lsp.interpret.state.values import Container, Instance, Module, Tensor, Value
from inplace_lsp.tape.model import Span


class Route(NamedTuple):
    """The calls of the user's functions that led to a statement: the `outermost` that left the judged statement (None
    for none), the functions that were called, by name, and the places of all calls, outermost first. `receiver` is the
    `self` of the innermost function."""

    outermost: Span | None = None
    through: tuple[str, ...] = ()
    calls: tuple[Span, ...] = ()
    receiver: Value | None = None

    def find_local_name(self, name: str) -> str:
        """Return the tensor's name in the innermost function: `self.weight`, whatever variable holds the module. Names
        that are not parts of `self` stay unchanged."""
        if self.receiver is None or "." not in name:
            return name
        path = name.split(".")[1:]
        while path:
            part = _find_part(self.receiver, path)
            if isinstance(part, Tensor) and part.name == name:
                return f"self.{'.'.join(path)}"
            del path[0]
        return name


def _find_part(module: Value, path: list[str]) -> Value | None:
    part: Value | None = module
    for name in path:
        part = _find_held(part, name)
    return part


def _find_held(module: Value | None, name: str) -> Value | None:
    """Return what `module` holds directly under that name."""
    if isinstance(module, Instance) and name not in module.attributes:
        module = module.base
    if isinstance(module, Container) and name in module.items:
        return module.items[name]
    return module.attributes.get(name) if isinstance(module, (Instance, Module, Container)) else None
