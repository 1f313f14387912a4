"""The layers of a file's modules: which class each attribute is made of, and who uses it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from inplace_lsp.offers.ops import is_fresh_layer
from inplace_lsp.offers.reading import Function, Reading

_WALKS = frozenset(
    (
        "children named_children get_submodule set_submodule add_module register_module _modules __dict__ __getattr__"
    ).split()
)
"""Whoever uses these reaches layers without their names."""
SEQUENTIAL = "torch.nn.Sequential"
_MODULE = "torch.nn.Module"
_HARMLESS = frozenset(
    "parameters named_parameters train eval to cuda cpu zero_grad state_dict load_state_dict float double half "
    "requires_grad_ buffers".split()
)
"""Methods of modules that run no layer and hand none out."""


class Layers:
    """The attributes of the modules in a file that hold layers, by their names: any object's, since one class may be
    another's base, or hold it."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    @cached_property
    def are_named(self) -> bool:
        """Whether code in sight reaches layers by their names alone."""
        return not any(map(self._may_walk, self._reading.nodes))

    def _may_walk(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "setattr"):
            return self._names_layer(node)
        if isinstance(node, ast.Attribute) and node.attr in ("modules", "named_modules"):
            return self._runs_modules(node)
        return isinstance(node, ast.Attribute) and node.attr in _WALKS

    def _names_layer(self, call: ast.Call) -> bool:
        """Return whether `getattr` or `setattr` may be given the name of a layer."""
        name = call.args[1] if len(call.args) > 1 else None
        if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
            return True
        return bool(self.find_constructors(name.value)) or _writes_attribute(call)

    def _runs_modules(self, node: ast.Attribute) -> bool:
        """Return whether a walk over all modules may run one: it is no loop, or calls what it loops over."""
        call = self._reading.parents[node]
        loop = self._reading.parents.get(call)
        if not isinstance(loop, ast.For) or loop.iter is not call:
            return True
        names = {name.id for name in ast.walk(loop.target) if isinstance(name, ast.Name)}
        called = (inner.func for inner in ast.walk(loop) if isinstance(inner, ast.Call))
        return any(isinstance(function, ast.Name) and function.id in names for function in called)

    def is_fresh_call(self, call: ast.Call) -> bool:
        """Return whether a call runs a layer that gives a new tensor: `self.conv(x)`, whatever class of the file set
        that attribute."""
        name = self.find_called_attribute(call)
        if name is None or not self.are_named:
            return False
        made = self.find_constructors(name)
        return bool(made) and all(is_fresh_layer(self._reading.find_dotted_name(maker.func)) for maker in made)

    def find_called_attribute(self, call: ast.Call) -> str | None:
        """Return the attribute of its own object that a method of a module calls: `conv` of `self.conv(x)`."""
        function = call.func
        if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
            return None
        method = next((node for node in self._reading.ancestors(call) if isinstance(node, Function)), None)
        owner = self._reading.parents[method] if method is not None else None
        if method is None or not isinstance(owner, ast.ClassDef) or not self._is_module(owner):
            return None
        first = [*method.args.posonlyargs, *method.args.args][:1]
        return function.attr if first and first[0].arg == function.value.id and not method.decorator_list else None

    def _is_module(self, owner: ast.ClassDef, depth: int = 0) -> bool:
        """Return whether a class is an `nn.Module` all of whose code is in sight."""
        return bool(owner.bases) and not owner.keywords and all(self._is_base(base, depth) for base in owner.bases)

    def _is_base(self, base: ast.expr, depth: int) -> bool:
        if self._reading.find_dotted_name(base) == _MODULE:
            return True
        named = self._classes.get(base.id) if isinstance(base, ast.Name) else None
        return named is not None and depth < len(self._classes) and self._is_module(named, depth + 1)

    @cached_property
    def _classes(self) -> dict[str, ast.ClassDef]:
        return {node.name: node for node in self._reading.nodes if isinstance(node, ast.ClassDef)}

    def find_constructors(self, name: str) -> list[ast.Call]:
        """Return the calls whose results are stored in attributes of that name; none if anything else is."""
        stored = [node for node in self._uses.get(name, ()) if not isinstance(node.ctx, ast.Load)]
        values = [self._find_value(node) for node in stored]
        return [value for value in values if value is not None] if None not in values else []

    def _find_value(self, target: ast.Attribute) -> ast.Call | None:
        """Return the call that alone is assigned to a target."""
        statement = self._reading.parents[target]
        if isinstance(statement, ast.AnnAssign) or (
            isinstance(statement, ast.Assign) and statement.targets == [target]
        ):
            return statement.value if isinstance(statement.value, ast.Call) else None
        return None

    def find_reads(self, name: str) -> list[ast.Attribute]:
        """Return where an attribute of that name is read."""
        return [node for node in self._uses.get(name, ()) if isinstance(node.ctx, ast.Load)]

    @cached_property
    def _uses(self) -> dict[str, list[ast.Attribute]]:
        found: dict[str, list[ast.Attribute]] = {}
        for node in self._reading.nodes:
            if isinstance(node, ast.Attribute):
                found.setdefault(node.attr, []).append(node)
        return found

    def list_stored(self) -> Iterator[tuple[str, list[ast.Call]]]:
        """Yield the attributes that are made of calls alone, with these calls."""
        for name in self._uses:
            if made := self.find_constructors(name):
                yield name, made

    def runs_as_a_whole(self, sequence: ast.Call) -> bool:
        """Return whether an `nn.Sequential(...)` in sight is only called: nobody takes its layers out."""
        holder = self._reading.parents[sequence]
        if isinstance(holder, ast.Call) and sequence in holder.args:
            inner = self._reading.find_dotted_name(holder.func) == SEQUENTIAL
            return inner and self.runs_as_a_whole(holder)
        if not isinstance(holder, ast.Assign) or len(holder.targets) != 1:
            return False
        target = holder.targets[0]
        if isinstance(target, ast.Attribute):
            reads: list[ast.expr] = [*self.find_reads(target.attr)]
            made = self.find_constructors(target.attr)
            return sequence in made and self.are_named and all(map(self._only_runs, reads))
        if not isinstance(target, ast.Name):
            return False
        named = [node for node in self._reading.nodes if isinstance(node, ast.Name) and node.id == target.id]
        return self.are_named and all(node is target or self._only_runs(node) for node in named)

    def _only_runs(self, node: ast.expr) -> bool:
        """Return whether a use of a module calls it, or asks it for what is no layer."""
        around = self._reading.parents[node]
        if isinstance(around, ast.Call):
            return around.func is node
        return isinstance(around, ast.Attribute) and around.attr in _HARMLESS


def _writes_attribute(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "setattr"
