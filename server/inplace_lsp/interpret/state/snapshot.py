"""Save everything that can change while a program is executed, and restore it before another path is taken."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import chain, starmap
from operator import attrgetter, eq, is_
from typing import Any

from inplace_lsp.interpret.state import values
from inplace_lsp.interpret.state.values import Frame

_KINDS = frozenset((
    values.Tensor, values.Counter, values.Node, values.Unknown, values.Number, values.Items, values.Mapping,
    values.Instance, values.Module, values.Container, values.Optimizer, values.Class, values.Function, values.Mode,
    values.Bound, values.UserModule, values.Imported, values.Super, values.Suspended, values.Dispatch, Frame,
))  # fmt: skip
SETTLED: dict[type, frozenset[str]] = {
    values.Function: frozenset({"name", "definition", "frame", "defaults", "owner", "site"}),
    values.Class: frozenset(
        {"name", "bases", "library", "members", "definition", "metaclass", "_lineage", "_is_module"}
    ),
    values.Bound: frozenset({"self", "method"}),
    values.Super: frozenset({"self", "cls"}),
    values.UserModule: frozenset({"frame", "importer", "level", "name"}),
    values.Imported: frozenset({"resolve", "plain"}),
    values.Dispatch: frozenset({"position", "variants"}),
    Frame: frozenset(
        {"file", "row", "function", "names", "parent", "module", "scoped", "starred", "third_party", "model"}
    ),
}
"""Fields that are never assigned again once the object is made; the dicts and lists in them can change."""
_NAMES: dict[type, tuple[str, ...]] = {kind: tuple(f.name for f in fields(kind)) for kind in _KINDS}
_CHANGING: dict[type, tuple[str, ...]] = {
    kind: tuple(name for name in names if name not in SETTLED.get(kind, ())) for kind, names in _NAMES.items()
}


def _make_getter(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that reads these fields of an object, always as a tuple."""
    if len(names) == 1:
        only = attrgetter(names[0])
        return lambda item: (only(item),)
    return attrgetter(*names) if names else lambda item: ()


_GET = {kind: _make_getter(names) for kind, names in _NAMES.items()}
_GET_CHANGING = {kind: _make_getter(names) for kind, names in _CHANGING.items()}
_LOT = 32
"""The number of objects that are compared at once, at the speed of C: only if one differs they are compared one by
one."""

_PLAIN = frozenset((type(None), bool, int, str, values.Known, values.Library))
"""Kinds that hold nothing which can change."""
ATOMS = frozenset((values.Known, values.Library, values.Imported))
"""Kinds of immutable values: settings and tables hold hundreds of them."""
DATA = frozenset((values.Items, values.Mapping, values.Instance, values.Unknown, values.Number, values.Function))
"""Kinds of values that settings and tables are made of."""


class Snapshot:
    """The state of everything reachable from some roots. Objects stay the same; their content is restored.

    `kinds`: the kinds of objects that are restored, and searched. `apart`: objects that are not.
    """

    def __init__(self, roots: Iterable[object], kinds: Collection[type] = _KINDS, apart: Iterable[object] = ()) -> None:
        objects: dict[type, list[Any]] = {}
        dicts: list[tuple[dict[Any, Any], dict[Any, Any]]] = []
        self._containers: list[tuple[Any, Any]] = []
        seen = set(map(id, apart))
        stack = list(roots)
        while stack:
            item = stack.pop()
            kind = type(item)
            if kind in _PLAIN:  # three of five
                continue
            if kind is tuple:
                stack.extend(item)  # type: ignore[arg-type]
            elif kind in kinds:
                if id(item) in seen or (kind is Frame and _shares_names(item, seen)):  # type: ignore[arg-type]
                    continue
                seen.add(id(item))
                if _CHANGING[kind]:
                    objects.setdefault(kind, []).append(item)
                stack.extend(_GET[kind](item))
                if kind is Frame and item.find_global is not None:  # type: ignore[attr-defined]
                    stack += [item.find_global.running, item.find_global.unfilled]  # type: ignore[attr-defined]
            elif isinstance(item, (dict, list, set)) and id(item) not in seen:
                seen.add(id(item))
                if isinstance(item, dict):
                    dicts.append((item, item.copy()))
                else:
                    self._containers.append((item, item.copy()))
                stack.extend(_find_changeable(item))
        self._objects = [
            _Objects(kind, lot) for kind, all_of_it in objects.items() for lot in _split_into_lots(all_of_it)
        ]
        self._dicts = [_Dicts(lot) for lot in _split_into_lots(dicts)]

    def restore(self) -> None:
        """Restore everything. Little of it changed: the rest is skipped at the speed of C."""
        for objects in self._objects:
            objects.restore()
        for dicts in self._dicts:
            dicts.restore()
        for container, copy in self._containers:
            if container != copy:
                container.clear()
                container.extend(copy) if isinstance(container, list) else container.update(copy)

    def is_unchanged(self) -> bool:
        """Return whether everything is as it was."""
        return (
            all(objects.are_unchanged() for objects in self._objects)
            and all(dicts.are_unchanged() for dicts in self._dicts)
            and all(starmap(eq, self._containers))
        )


def _find_changeable(container: Collection[Any]) -> Iterable[Any]:
    """Return the values in a dict, list or set, nothing if none of them can change."""
    inside = container.values() if isinstance(container, dict) else container
    return () if ATOMS.issuperset(map(type, inside)) else inside


def _shares_names(frame: Frame, seen: set[int]) -> bool:
    """Return whether a frame is one more scope over the names of a module or a class: only those can change in it."""
    return frame.function in ("<module>", "<class>") and id(frame.names) in seen


def _split_into_lots(items: Sequence[Any]) -> Iterable[Sequence[Any]]:
    return (items[at : at + _LOT] for at in range(0, len(items), _LOT))


class _Objects:
    """Some objects of one kind, with a copy of their fields that can change."""

    def __init__(self, kind: type, lot: Sequence[Any]) -> None:
        self._get, self._names = _GET_CHANGING[kind], _CHANGING[kind]
        self._objects, self._inside = lot, list(map(self._get, lot))

    def are_unchanged(self) -> bool:
        return list(map(self._get, self._objects)) == self._inside

    def restore(self) -> None:
        if self.are_unchanged():
            return
        for item, inside in zip(self._objects, self._inside, strict=True):
            if not all(map(is_, self._get(item), inside)):
                for name, value in zip(self._names, inside, strict=True):
                    setattr(item, name, value)


class _Dicts:
    """Some dicts, with copies of their content."""

    def __init__(self, lot: Sequence[tuple[dict[Any, Any], dict[Any, Any]]]) -> None:
        self._dicts, self._copies = zip(*lot, strict=True)
        self._keys = list(chain.from_iterable(self._copies))

    def are_unchanged(self) -> bool:
        return self._dicts == self._copies and list(chain.from_iterable(self._dicts)) == self._keys

    def restore(self) -> None:
        if self.are_unchanged():
            return
        for names, copy in zip(self._dicts, self._copies, strict=True):
            if (names or copy) and not same_entries(names, copy):
                names.clear()
                names.update(copy)


def same_entries(now: Mapping[Any, object], then: Mapping[Any, object]) -> bool:
    """Return whether two dicts hold the same objects, in the same order."""
    return now == then and list(now) == list(then)
