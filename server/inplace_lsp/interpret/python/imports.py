"""Execute imports: of libraries, and of other files in the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import models, source_modules
from inplace_lsp.interpret.state.values import Frame, Value
from inplace_lsp.source import ir

_CANONICAL = {
    "torch.nn.modules": "torch.nn",
    "torch.nn.parameter": "torch.nn",
    "torch.tensor": "torch",
    "torch._tensor": "torch",
    "numpy.core": "numpy",
}
_STARRED = ("torch", "torch.nn", "torch.nn.functional", "torch.optim", "math")


def execute_import(machine: Machine, node: ir.Import, frame: Frame) -> None:
    """Execute `import a.b as c`."""
    for name, alias in node.names:
        whole = name if alias else name.partition(".")[0]
        frame.bind_name(alias or whole, source_modules.import_module(machine, frame.file, whole))


def execute_import_from(machine: Machine, node: ir.ImportFrom, frame: Frame) -> None:
    """Execute `from a import b as c`. A star import is recorded and searched when a name is not found."""
    module = node.module if node.level else find_public_module(node.module)
    for name, alias in node.names:
        if name != "*":
            frame.bind_name(alias or name, source_modules.import_name(machine, frame, node.level, module, name))
        elif frame.find_module_scope().find_global is None:  # else `add_star_imports` has recorded it
            add_star_imports(machine, frame, [(node.level, node.module)])


def add_star_imports(machine: Machine, frame: Frame, modules: Sequence[tuple[int, str]]) -> None:
    """Record the star imports of `modules` (level and name): they are searched when a name is not found."""
    of_source = []
    for level, name in modules:
        module = name if level else find_public_module(name)
        if not level and module in machine.described:
            frame.find_module_scope().starred.append(partial(_find_in, machine, module))
        if not level and module in _STARRED:
            frame.find_module_scope().starred.append(module)
        elif level or module.partition(".")[0] not in source_modules.LIBRARIES:
            of_source.append((level, module))
    if of_source:
        frame.find_module_scope().starred.append(source_modules.make_star_lookup(machine, frame.file, of_source))


def _find_in(machine: Machine, module: str, name: str) -> Value | None:
    return models.find_in_model(machine, f"{module}.{name}")


@lru_cache(maxsize=4096)
def find_public_owner(module: str, name: str) -> str:
    """Return the public module that offers `name` of a private one, but not for submodules like
    `torch.nn.modules.linear`."""
    is_module = module in _CANONICAL and name.islower()
    return module if is_module else find_public_module(module)


def find_public_module(module: str) -> str:
    """Return the public module of a private one: `torch.nn` for `torch.nn.modules.linear`."""
    for private, public in _CANONICAL.items():
        if module == private or module.startswith(private + "."):
            return public
    return module
