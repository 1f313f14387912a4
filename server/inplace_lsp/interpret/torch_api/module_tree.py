"""What lies inside a module: submodules, parameters, buffers."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.interpret.state.values import Container, Instance, Module, Tensor, Value

AnyModule = Module | Container | Instance


def children(module: Value) -> Iterator[tuple[str, Value]]:
    """The named submodules and parameters that `module` holds directly."""
    container = module.base if isinstance(module, Instance) else module
    if isinstance(container, Container):
        yield from container.items.items()
    if isinstance(module, Module | Container | Instance):
        yield from module.attributes.items()


def walk(module: Value, seen: set[int] | None = None, prefix: str = "") -> Iterator[tuple[str, Value]]:
    """`module` and everything below it, each once, with its dotted name."""
    seen = set() if seen is None else seen
    if id(module) in seen:
        return
    seen.add(id(module))
    yield prefix, module
    for name, child in children(module):
        if isinstance(child, Module | Container | Tensor) or (isinstance(child, Instance) and child.cls.is_module()):
            yield from walk(child, seen, f"{prefix}.{name}" if prefix else name)


def below(module: Value, path: str) -> Value | None:
    """What lies in `module` under that dotted name, as `get_submodule` and `get_parameter` find it."""
    return next((one for name, one in walk(module) if name == path), None)


def parameters(module: Value) -> list[tuple[str, Tensor]]:
    """The named parameters of `module` and of everything below it."""
    return [(name, t) for name, t in walk(module) if isinstance(t, Tensor) and t.parameter]


def is_module(value: Value) -> bool:
    """Whether it is an `nn.Module`."""
    return isinstance(value, Module | Container) or (isinstance(value, Instance) and value.cls.is_module())
