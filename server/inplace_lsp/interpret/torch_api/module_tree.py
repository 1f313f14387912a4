"""The parts of a module: submodules, parameters, buffers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, MutableMapping
from typing import Any

from inplace_lsp.interpret.state.values import Container, Instance, Known, Mapping, Module, Tensor, Unknown, Value

AnyModule = Module | Container | Instance


def held_parts(module: Value) -> list[tuple[str, Value]]:
    """Return the named submodules and parameters that `module` holds directly; a module that stands for an unknown
    value takes its place."""
    container = module.base if isinstance(module, Instance) else module
    members = [*container.items.items()] if isinstance(container, Container) else []
    if isinstance(module, (Module, Container, Instance)):
        members += module.attributes.items()
    return [
        (name, value.module) if type(value) is Unknown and value.module is not None else (name, value)
        for name, value in members
    ]


def walk_modules(module: Value, seen: set[int] | None = None, prefix: str = "") -> Iterator[tuple[str, Value]]:
    """Yield `module` and all its descendants, each once, with their dotted names."""
    seen = set() if seen is None else seen
    waiting = [(prefix, module)]
    while waiting:
        found = waiting.pop()
        path, part = found
        if id(part) not in seen:
            seen.add(id(part))
            yield found
            if type(part) is not Tensor:
                waiting.extend(reversed(_find_parts(path, part)))


def _find_parts(prefix: str, module: Value) -> list[tuple[str, Value]]:
    """Return the modules and tensors that `module` holds directly, with their dotted names, in torch's order."""
    begin = f"{prefix}." if prefix else ""
    parts = [
        (f"{begin}{name}", child) for name, child in held_parts(module) if type(child) is Tensor or is_module(child)
    ]
    parts.sort(key=_rank_part)
    return parts


def _rank_part(named: tuple[str, Value]) -> int:
    """Return 0 for parameters, which come before buffers (1) and modules (2)."""
    part = named[1]
    return 2 if not isinstance(part, Tensor) else 0 if part.parameter else 1


def find_part(module: Value, path: str) -> Value | None:
    """Return the part of `module` with that dotted name, as `get_submodule` and `get_parameter` do."""
    return next((part for name, part in walk_modules(module) if name == path), None)


def find_parameters(module: Value) -> list[tuple[str, Tensor]]:
    """Return the named parameters of `module` and its descendants."""
    return [(name, t) for name, t in walk_modules(module) if isinstance(t, Tensor) and t.parameter]


def name_tensors(module: Value, owner: str, beside: Collection[str] = ()) -> None:
    """Name the tensors of a module after the variable that holds it, as torch does: `critic.net.2.weight`. Keep names
    from another variable, but not longer names through another attribute, one of `beside`."""
    for path, found in walk_modules(module):
        if isinstance(found, Tensor) and (
            found.name in (f"self.{path}", path.rpartition(".")[2]) or _is_longer_way(found.name, path, beside)
        ):
            found.name = f"{owner}.{path}"


def _is_longer_way(name: str, path: str, beside: Collection[str]) -> bool:
    """Return whether `name` leads to the path through one of the attributes `beside`."""
    if not beside or not name.startswith("self.") or not name.endswith(f".{path}"):
        return False
    first, *inner = name.removeprefix("self.").removesuffix(f".{path}").split(".")
    return bool(inner) and first in beside


def forget_names(module: Value) -> None:
    """Name the tensors of a module as if no variable had held it yet."""
    for path, found in walk_modules(module):
        if isinstance(found, Tensor):
            found.name = path.rpartition(".")[2]


def is_module(value: Value) -> bool:
    """Return whether the value is an `nn.Module`."""
    kind = type(value)
    return kind is Module or kind is Container or (isinstance(value, Instance) and value.cls.is_module())


class Members(MutableMapping[Any, Value]):
    """A live view of the module's attributes of one kind."""

    def __init__(self, attributes: MutableMapping[Any, Value], wanted: Callable[[Value], bool]) -> None:
        self._attributes = attributes
        self._wanted = wanted

    def __getitem__(self, name: object) -> Value:
        value = self._attributes[name]
        if not self._wanted(value):
            raise KeyError(name)
        return value

    def __setitem__(self, name: object, value: Value) -> None:
        if isinstance(value, Tensor) and not self._wanted(value):
            value.parameter = not value.parameter  # torch lists as a parameter, or a buffer, what lies there
        if isinstance(name, str):  # which one an unknown name replaces is not known
            self._attributes[name] = value

    def __delitem__(self, name: object) -> None:
        del self._attributes[name]

    def __iter__(self) -> Iterator[object]:
        return iter([name for name, value in self._attributes.items() if self._wanted(value)])

    def __len__(self) -> int:
        return sum(map(self._wanted, self._attributes.values()))


def members_of(module: AnyModule, name: str) -> Members:
    """Return `module._modules`, `module._parameters` or `module._buffers`."""
    container = module.base if isinstance(module, Instance) else module
    held = container.items if isinstance(container, Container) else module.attributes
    return Members(held, MEMBERS[name])


MEMBERS: dict[str, Callable[[Value], bool]] = {
    "_modules": is_module,
    "_parameters": lambda value: isinstance(value, Tensor) and value.parameter,
    "_buffers": lambda value: isinstance(value, Tensor) and not value.parameter,
}
"""Where a module keeps what it holds, and what lies there."""


class Namespace(MutableMapping[Any, Value]):
    """A live view of the `__dict__` of a module: the attributes in sight, and what torch keeps beside them."""

    def __init__(self, attributes: dict[str, Value], beside: dict[str, Value]) -> None:
        self.attributes = attributes
        self._beside = beside

    def __getitem__(self, name: Any) -> Value:
        return self.attributes[name] if name in self.attributes else self._beside[name]

    def __setitem__(self, name: Any, value: Value) -> None:
        held = self._beside.get(name) if name in MEMBERS else None
        if isinstance(held, Mapping) and isinstance(value, Mapping):
            held.items.update(value.items)
        elif isinstance(name, str):  # which one an unknown name replaces is not known
            self.attributes[name] = value

    def __delitem__(self, name: Any) -> None:
        del self.attributes[name]

    def __iter__(self) -> Iterator[Any]:
        return iter({**self._beside, **self.attributes})

    def __len__(self) -> int:
        return len({**self._beside, **self.attributes})


def list_attributes(module: AnyModule) -> Mapping:
    """Return `module.__dict__`, in which there may be more than is in sight."""
    beside = {name: Mapping(members_of(module, name)) for name in MEMBERS}
    options = module.arguments if isinstance(module, Module) else {}
    return Mapping(Namespace(module.attributes, {"training": Known(True), **options, **beside}), open=True)
