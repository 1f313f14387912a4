"""The layers of a file's modules: which class each attribute is made of, and who uses it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property

from inplace_lsp.offers.ops import is_fresh_layer
from inplace_lsp.offers.reading import Function, Reading, name_of

_HANDS_OUT = frozenset("children named_children modules named_modules get_submodule".split())
"""Methods of modules that give their layers to whoever asks."""
_PUTS_IN = frozenset({"add_module", "register_module"})
_WALKS = frozenset("set_submodule _modules __dict__ __getattr__".split())
"""Whoever uses these reaches layers without their names, or replaces them."""
_RUNS = frozenset("forward __call__ _call_impl _wrapped_call_impl".split())
_LOOKS = frozenset("isinstance hasattr getattr type id print".split())
_CONVERTS = frozenset("to half double float bfloat16 type".split())
_PAIRS = frozenset({"enumerate", "zip", "reversed"})
_NEITHER_RUN_NOR_KEEP = (ast.If, ast.While, ast.Expr, ast.Compare, ast.UnaryOp)
_LABELLED = frozenset({"enumerate", "named_children", "named_modules"})
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
        if isinstance(node, ast.Call):
            return self._may_reach_by_text(node)
        return isinstance(node, ast.Attribute) and self._may_walk_by_method(node)

    def _may_reach_by_text(self, call: ast.Call) -> bool:
        """Return whether a call of `getattr` or `setattr` may run, keep or replace a layer."""
        if not isinstance(call.func, ast.Name) or call.func.id not in ("getattr", "setattr"):
            return False
        if not self._may_name_layer(call.args[1] if len(call.args) > 1 else None):
            return False
        return call.func.id == "setattr" or self._may_run(call)

    def _may_walk_by_method(self, node: ast.Attribute) -> bool:
        call = self._reading.parents[node]
        if node.attr in _PUTS_IN and isinstance(call, ast.Call):
            return self._may_name_layer(call.args[0] if call.args else None)
        if node.attr in _HANDS_OUT:
            return not isinstance(call, ast.Call) or call.func is not node or self._may_run(call)
        return node.attr in {*_WALKS, *_PUTS_IN}

    def _may_name_layer(self, name: ast.expr | None) -> bool:
        """Return whether a text that is made may be the name of an attribute that holds a layer."""
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            return bool(self.find_constructors(name.value))
        if not isinstance(name, ast.JoinedStr):
            return True
        start = name.values[0]
        prefix = str(start.value) if isinstance(start, ast.Constant) else ""
        return any(stored.startswith(prefix) for stored, _ in self.list_attributes_of_layers())

    def _may_run(self, given: ast.expr, seen: frozenset[str] = frozenset()) -> bool:
        """Return whether somebody may run or keep the layers that an expression gives, not only look at them."""
        around = self._reading.parents[given]
        if isinstance(around, ast.Attribute):
            return around.attr in _RUNS
        if isinstance(around, ast.Call):
            return given not in around.args or self._may_run_arguments(around, seen)
        if isinstance(around, ast.For) and around.iter is given:
            return self._may_run_names(_drop_labels(around), seen)
        if isinstance(around, ast.Assign) and len(around.targets) == 1:
            return self._may_run_names(around.targets[0], seen)
        if isinstance(around, ast.Subscript):
            return self._may_run(around, seen)
        return not isinstance(around, _NEITHER_RUN_NOR_KEEP)

    def _may_run_arguments(self, call: ast.Call, seen: frozenset[str]) -> bool:
        if not isinstance(call.func, ast.Name):
            return True
        return call.func.id not in _LOOKS and (call.func.id not in _PAIRS or self._may_run(call, seen))

    def _may_run_names(self, target: ast.expr, seen: frozenset[str]) -> bool:
        """Return whether somebody may run the layers that a loop or an assignment gives names to."""
        if not isinstance(target, (ast.Name, ast.Tuple)):
            return True
        names = {name.id for name in ast.walk(target) if isinstance(name, ast.Name)}
        scope = self._reading.scope_of(target)
        return any(
            self._may_run(use, seen | names)
            for use in ast.walk(scope)
            if isinstance(use, ast.Name) and isinstance(use.ctx, ast.Load) and use.id in names - seen
        )

    def is_fresh_call(self, call: ast.Call) -> bool:
        """Return whether a call runs a layer that gives a new tensor: `self.conv(x)`, whatever class of the file set
        that attribute."""
        name = self.find_called_attribute(call)
        if name is None or not self.are_named:
            return False
        made = self.find_constructors(name)
        return bool(made) and all(is_fresh_layer(self._reading.find_dotted_name(maker.func)) for maker in made)

    def find_maker(self, call: ast.Call) -> ast.Call | None:
        """Return the one call that makes the layer that `self.conv(x)` runs; None if several may have."""
        name = self.find_called_attribute(call)
        if name is None or not self.are_named:
            return None
        uses = (self._reading.parents[use] for use in self.find_uses(name))
        if any(isinstance(use, ast.Attribute) and use.attr in _CONVERTS for use in uses):
            return None
        owner = self._find_class(call)
        made = [maker for maker in self.find_constructors(name) if self._is_related(self._find_class(maker), owner)]
        return made[0] if len(made) == 1 else None

    def _find_class(self, node: ast.AST) -> ast.ClassDef | None:
        return next((part for part in self._reading.ancestors(node) if isinstance(part, ast.ClassDef)), None)

    def _is_related(self, one: ast.ClassDef | None, other: ast.ClassDef | None) -> bool:
        """Return whether an object may be of both classes."""
        if one is None or other is None:
            return True
        above = [{part.name for part in self._list_bases(part)} for part in (one, other)]
        return one.name in above[1] or other.name in above[0]

    def _list_bases(self, owner: ast.ClassDef, depth: int = 0) -> Iterator[ast.ClassDef]:
        yield owner
        for base in owner.bases:
            named = self._classes.get(base.id) if isinstance(base, ast.Name) else None
            if named is not None and depth < len(self._classes):
                yield from self._list_bases(named, depth + 1)

    def find_called_attribute(self, call: ast.Call) -> str | None:
        """Return the attribute of its own object that a method of a module calls: `conv` of `self.conv(x)`."""
        function = call.func
        if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
            return None
        method = next((node for node in self._reading.ancestors(call) if isinstance(node, Function)), None)
        if method is None or method.decorator_list or not self._is_of_module(method):
            return None
        first = [*method.args.posonlyargs, *method.args.args][:1]
        return function.attr if first and first[0].arg == function.value.id else None

    def _is_of_module(self, method: ast.AST) -> bool:
        owner = self._reading.parents[method]
        return isinstance(owner, ast.ClassDef) and self._is_module(owner)

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

    def find_uses(self, name: str) -> list[ast.Attribute]:
        """Return where an attribute of that name is read or set."""
        return self._uses.get(name, [])

    @cached_property
    def _uses(self) -> dict[str, list[ast.Attribute]]:
        found: dict[str, list[ast.Attribute]] = {}
        for node in self._reading.nodes:
            if isinstance(node, ast.Attribute):
                found.setdefault(node.attr, []).append(node)
        return found

    def list_attributes_of_layers(self) -> Iterator[tuple[str, list[ast.Call]]]:
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
        reads = self._find_reads_of_target(holder.targets[0], sequence)
        return reads is not None and self.are_named and all(map(self._only_runs, reads))

    def _find_reads_of_target(self, target: ast.expr, value: ast.Call) -> Sequence[ast.expr] | None:
        """Return where the variable or attribute to which `value` is assigned is read; None for other targets, and for
        an attribute that something else than calls sets, too."""
        if isinstance(target, ast.Attribute):
            return self.find_reads(target.attr) if value in self.find_constructors(target.attr) else None
        if not isinstance(target, ast.Name):
            return None
        names = (node for node in self._reading.nodes if isinstance(node, ast.Name) and node.id == target.id)
        return [node for node in names if node is not target]

    def _only_runs(self, node: ast.expr) -> bool:
        """Return whether a use of a module calls it, or asks it for what is no layer."""
        around = self._reading.parents[node]
        if isinstance(around, ast.Call):
            return around.func is node
        return isinstance(around, ast.Attribute) and around.attr in _HARMLESS


def _drop_labels(loop: ast.For) -> ast.expr:
    """Return the names that a loop gives to layers, without those for their number or their name."""
    pairs, target = loop.iter, loop.target
    if not isinstance(pairs, ast.Call) or not isinstance(target, ast.Tuple) or len(target.elts) != 2:
        return target
    return target.elts[1] if name_of(pairs) in _LABELLED else target
