"""Scopes of names while a program is executed abstractly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

from inplace_lsp.interpret.state.facts import ModuleText
from inplace_lsp.interpret.state.values import Class, Function, Imported, Library, Value
from inplace_lsp.source import ir
from inplace_lsp.tape.model import Span
from inplace_lsp.torch_ops.table import find_module, find_overloads


def _resolve_import(names: dict[str, Value], name: str) -> Value:
    """Return the value of a bound name; resolve an import now."""
    value = names[name]
    if isinstance(value, Imported):
        names[name] = value.plain  # the value that circular imports see
        value = names[name] = value.resolve()
    return value


def _find_in_star_imports(modules: list[str | Callable[[str], Value | None]], name: str) -> Value | None:
    """Return what a star import bound to `name`, None if none did."""
    for module in modules:
        if not isinstance(module, str):
            value = module(name)
            if value is not None:
                return value
            continue
        full = f"{module}.{name}"
        if find_overloads(full) or find_module(full) or name in ("nn", "optim", "autograd") or module == "torch.optim":
            return Library(full)
    return None


@lru_cache(maxsize=16384)
def make_span(file: str, row: int, place: ir.Place) -> Span:
    """Return the span in `file` of a `place` in a unit that begins in `row`.

    Cached: every statement needs its span again on every path and after every edit.
    """
    return Span(file, place[0] + row - 1, place[1], place[2] + row - 1, place[3])


def find_installed_name(file: str) -> str:
    """Return the dotted name of the module in `file` if it belongs to an installed package, else ""."""
    _, found, below = file.replace("\\", "/").rpartition("-packages/")  # site-packages, dist-packages
    return below.removesuffix(".py").removesuffix("/__init__").replace("/", ".") if found else ""


class Finder(Protocol):
    """Look up module-level names that were not executed yet. `running` are the ids of the units that were."""

    running: set[int]

    def __call__(self, name: str) -> Value | None:
        """Return the value of `name`, None if nothing binds it."""

    def forget_units(self) -> None:
        """Forget that any unit was executed."""


@dataclass(slots=True, eq=False)
class Frame:
    """A scope: a module, a function's call, a class body or a comprehension.

    `call_key` tells active calls of `running` apart. `row` is the file row of row 1 of the unit whose IR is executed in
    it. `find_global` looks up module-level names that were not executed yet (functions judged on their own look names
    up lazily). `asked` are the module-level names that were looked up, found or not. `other_module`: it is not the
    module that is judged; `third_party`: it belongs to an installed package; `model`: the text of the model that it is
    the scope of.
    """

    file: str
    row: int
    function: str = "<module>"
    names: dict[str, Value] = field(default_factory=dict)
    parent: Frame | None = None
    module: Frame | None = None
    owner: Class | None = None
    self: Value | None = None
    running: Function | None = None
    call_key: tuple[object, ...] = ()
    scoped: dict[str, str] = field(default_factory=dict)
    yielded: list[Value] | None = None
    on_yield: Callable[[Value], None] | None = None
    find_global: Finder | None = None
    starred: list[str | Callable[[str], Value | None]] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    other_module: bool = False
    third_party: bool = False
    model: ModuleText | None = None

    def find_span(self, place: ir.Place) -> Span:
        """Return the span in the file of a `place` in this frame's unit."""
        return make_span(self.file, self.row, place)

    def forget_names(self) -> None:
        """Forget the names of a module's scope: they are executed again when they are asked for."""
        self.names.clear()
        self.asked.clear()
        if self.find_global is not None:
            self.find_global.forget_units()

    def find_module_scope(self) -> Frame:
        """Return the module's scope."""
        return self.module or self

    def look_up(self, name: str) -> Value | None:
        """Return the value of `name` by Python's rules, None if nothing in sight binds it."""
        scope: Frame | None = self
        module = self.module or self
        if self.scoped and self.scoped.get(name) == "global":
            scope = module
        while scope is not None:
            value = scope.names.get(name)
            if value is not None:
                if scope.module is None:
                    scope.asked.add(name)
                return value if type(value) is not Imported else _resolve_import(scope.names, name)
            scope = scope.parent
        module.asked.add(name)
        if name not in module.names and module.find_global is not None:
            found = module.find_global(name)
            if found is not None and name not in module.names:
                return found
        return (
            _resolve_import(module.names, name) if name in module.names else _find_in_star_imports(module.starred, name)
        )

    def bind_name(self, name: str, value: Value) -> None:
        """Assign `name` in the scope it belongs to."""
        if not self.scoped:
            self.names[name] = value
            return
        scope = self
        declared = self.scoped.get(name)
        if declared == "global":
            scope = self.find_module_scope()
        elif declared == "nonlocal":
            outer = self.parent
            while outer is not None and name not in outer.names:
                outer = outer.parent
            scope = outer or self
        scope.names[name] = value
