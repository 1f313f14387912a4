"""The state of everything that can change while a program is executed, to be put back before another path is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from operator import attrgetter, is_
from typing import Any

from inplace_lsp.interpret.python.module_scope import Globals
from inplace_lsp.interpret.state import values
from inplace_lsp.interpret.state.frames import Frame

_KINDS = (
    values.Tensor, values.Counter, values.Node, values.Unknown, values.Number, values.Items, values.Mapping,
    values.Instance, values.Module, values.Container, values.Optimizer, values.Class, values.Function, values.Mode,
    values.Bound, values.UserModule, values.Imported, values.Super, values.Suspended, Frame,
)  # fmt: skip
_NAMES: dict[type, tuple[str, ...]] = {kind: tuple(f.name for f in fields(kind)) for kind in _KINDS}
_GET: dict[type, Callable[[Any], tuple[Any, ...]]] = {kind: attrgetter(*names) for kind, names in _NAMES.items()}


class Snapshot:
    """What is reachable from some roots, as it is now. Objects stay the same; what is in them is put back."""

    def __init__(self, roots: Iterable[object]) -> None:
        self._objects: list[tuple[Any, Callable[[Any], tuple[Any, ...]], tuple[Any, ...]]] = []
        self._dicts: list[tuple[dict[Any, Any], dict[Any, Any]]] = []
        self._containers: list[tuple[Any, Any]] = []
        seen: set[int] = set()
        stack = list(roots)
        while stack:
            item = stack.pop()
            kind = type(item)
            if kind is tuple:
                stack.extend(item)  # type: ignore[arg-type]
            elif id(item) in seen:
                continue
            elif kind in _GET:
                seen.add(id(item))
                inside = _GET[kind](item)
                self._objects.append((item, _GET[kind], inside))
                stack.extend(inside)
            elif isinstance(item, dict):
                seen.add(id(item))
                self._dicts.append((item, item.copy()))
                stack.extend(item.values())
            elif isinstance(item, list | set):
                seen.add(id(item))
                self._containers.append((item, item.copy()))
                stack.extend(item)
            elif kind is Globals:
                stack.append(item.running)  # type: ignore[attr-defined]

    def restore(self) -> None:
        """Put everything back. Little of it changed: what did not is passed over at the speed of C."""
        for item, get, inside in self._objects:
            if not all(map(is_, get(item), inside)):
                for name, value in zip(_NAMES[type(item)], inside, strict=True):
                    setattr(item, name, value)
        for names, values_then in self._dicts:
            if len(names) != len(values_then) or not (
                all(map(is_, names.values(), values_then.values())) and all(map(is_, names, values_then))
            ):
                names.clear()
                names.update(values_then)
        for container, copy in self._containers:
            if len(container) != len(copy) or (copy and not all(map(is_, container, copy))):
                container.clear()
                container.extend(copy) if isinstance(container, list) else container.update(copy)
