"""Imports: names of libraries, and of other files where the workspace has them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import linked, models
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import Value
from inplace_lsp.source import ir

_CANONICAL = {
    "torch.nn.modules": "torch.nn",
    "torch.nn.parameter": "torch.nn",
    "torch.tensor": "torch",
    "torch._tensor": "torch",
    "numpy.core": "numpy",
}
_STARRED = ("torch", "torch.nn", "torch.nn.functional", "torch.optim", "math")


def execute(machine: Machine, node: ir.Import, frame: Frame) -> None:
    """`import a.b as c`."""
    for name, alias in node.names:
        whole = name if alias else name.partition(".")[0]
        frame.bind(alias or whole, linked.module_named(machine, frame.file, whole))


def execute_from(machine: Machine, node: ir.ImportFrom, frame: Frame) -> None:
    """`from a import b as c`; of a star import the module is remembered and asked when a name is not found."""
    module = node.module if node.level else canonical(node.module)
    for name, alias in node.names:
        if name != "*":
            frame.bind(alias or name, linked.imported(machine, frame, node.level, module, name))
        elif frame.globals().find_global is None:  # else `stars` has seen it
            stars(machine, frame, [(node.level, node.module)])


def stars(machine: Machine, frame: Frame, modules: Sequence[tuple[int, str]]) -> None:
    """`from module import *` for `modules` (level and name): they are asked when a name is not found."""
    of_source = []
    for level, name in modules:
        module = name if level else canonical(name)
        if not level and module in machine.described:
            frame.globals().starred.append(partial(_find_in, machine, module))
        if not level and module in _STARRED:
            frame.globals().starred.append(module)
        elif level or module.partition(".")[0] not in linked.LIBRARIES:
            of_source.append((level, module))
    if of_source:
        frame.globals().starred.append(linked.starred(machine, frame.file, of_source))


def _find_in(machine: Machine, module: str, name: str) -> Value | None:
    return models.find(machine, f"{module}.{name}")


@lru_cache(maxsize=4096)
def public_owner(module: str, name: str) -> str:
    """The module that offers `name` of a private one: not a module itself, as `linear` of `torch.nn.modules` is."""
    is_module = module in _CANONICAL and name.islower()
    return module if is_module else canonical(module)


def canonical(module: str) -> str:
    """The public module of a private one: `torch.nn.modules.linear` is `torch.nn`."""
    for private, public in _CANONICAL.items():
        if module == private or module.startswith(private + "."):
            return public
    return module
