"""Which names of a function are tensors, and which are lists and dicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import lru_cache

from inplace_lsp.source import ir
from inplace_lsp.torch_ops.table import find_overloads
from inplace_lsp.uses.members import OF_CONTAINERS
from inplace_lsp.uses.reading import make_adding_lookup, note_uses, note_uses_in
from inplace_lsp.uses.types import TENSORS
from inplace_lsp.uses.use import Use

Resolve = Callable[[str], str]
"""Returns the full name of a library's function or class that the program calls by this name, "" for others."""


def find_tensor_names(definition: ir.FunctionDef | ir.Lambda, resolve: Resolve) -> frozenset[str]:
    """Return the names that the body uses as only tensors can be used."""
    uses: dict[str, Use] = {}
    nodes = list(ir.walk_nodes(definition.body))
    note_uses_in(reversed(nodes), make_adding_lookup(uses))
    found = {name for name, use in uses.items() if use.is_surely_tensor}
    calls = (node for node in nodes if type(node) is ir.Call)
    found.update(name for call in calls for name in _find_passed_names(call, resolve))
    flows = [flow for node in nodes if type(node) in _ASSIGNMENTS for flow in _find_flows(node)]
    changed = True
    while changed:  # y is a tensor and y = x * w: assume that x and w are, too
        before = len(found)
        for target, operands in flows:
            if target in found:
                found.update(operands)
        changed = len(found) != before
    return frozenset(found)


@lru_cache(maxsize=1024)
def find_surely_tensors(definition: ir.FunctionDef | ir.Lambda) -> frozenset[str]:
    """Return the names that the body uses as only tensors can be used, without following assignments."""
    return find_tensor_names(definition, lambda name: "")


def is_called_tensor(annotation: ir.Expr | None) -> bool:
    """Return whether an annotation is the name of a kind of tensors."""
    if isinstance(annotation, ir.Attribute):
        return annotation.name in TENSORS
    return isinstance(annotation, ir.Name) and annotation.id in TENSORS


_ASSIGNMENTS = frozenset((ir.Assign, ir.AugAssign))


def _find_flows(node: object) -> Iterator[tuple[str, list[str]]]:
    """Yield the name that an assignment binds, with the names that its value is computed from."""
    if isinstance(node, ir.Assign):
        yield from ((it.id, list(_find_operands(node.value))) for it in node.targets if isinstance(it, ir.Name))
    elif isinstance(node, ir.AugAssign) and isinstance(node.target, ir.Name):
        yield node.target.id, list(_find_operands(node.value))


def _find_passed_names(call: ir.Call, resolve: Resolve) -> Iterator[str]:
    """Yield the names in the arguments of a function of torch that takes tensors."""
    if _takes_tensors(call.function, resolve):
        for argument in call.arguments:
            yield from _find_operands(argument.value)


def _takes_tensors(function: ir.Expr, resolve: Resolve) -> bool:
    names = []
    while isinstance(function, ir.Attribute):
        names.append(function.name)
        function = function.value
    root = resolve(function.id) if isinstance(function, ir.Name) else ""
    full = ".".join([root, *reversed(names)])
    overloads = find_overloads(full)[:1] if root else ()
    return any(parameter.type.startswith("Tensor") for overload in overloads for parameter in overload.params)


def _find_operands(node: ir.Expr) -> Iterator[str]:
    if isinstance(node, ir.Name):
        yield node.id
    elif isinstance(node, ir.BinOp):
        yield from _find_operands(node.left)
        yield from _find_operands(node.right)
    elif isinstance(node, ir.UnaryOp):
        yield from _find_operands(node.operand)
    elif isinstance(node, ir.Subscript) and _has_slice(node.index):
        yield from _find_operands(node.value)
    elif isinstance(node, ir.Compare) and len(node.rest) == 1 and node.rest[0][0] in _ELEMENTWISE:
        yield from _find_operands(node.left)
        yield from _find_operands(node.rest[0][1])


def _has_slice(index: ir.Expr) -> bool:
    """Return whether an index takes a part of the same kind: of a tensor a tensor, of a list a list."""
    parts = index.items if isinstance(index, ir.Sequence) else (index,)
    return any(isinstance(part, ir.Slice) for part in parts)


_ELEMENTWISE = frozenset(("==", "!=", "<", "<=", ">", ">="))
"""Comparisons that give a mask of tensors."""


# Lists and dicts


@lru_cache(maxsize=1024)
def find_container_names(definition: ir.FunctionDef | ir.Lambda) -> frozenset[str]:
    """Return the names that the body uses, or creates if they are missing, as lists and dicts, never as tensors."""
    uses: dict[str, Use] = {}
    note_uses(definition.body, make_adding_lookup(uses))
    used = {name for name, use in uses.items() if use.keys or not OF_CONTAINERS.isdisjoint(use.attributes)}
    nodes = list(ir.walk_nodes(definition.body))
    layered = _find_layered_lists(nodes)
    filled = (name for node in nodes for name in _find_filled_names(node))
    return frozenset(used.union(filled, layered, _find_other_names(nodes, layered)))


def _find_other_names(nodes: Iterable[object], found: Set[str]) -> Iterator[str]:
    """Yield `x` of `y = x`, where `y` is one of the names `found`."""
    for node in nodes:
        source = node.value if isinstance(node, ir.Assign) else None
        if isinstance(node, ir.Assign) and isinstance(source, ir.Name):
            yield from [source.id for target in node.targets if isinstance(target, ir.Name) and target.id in found]


def _find_filled_names(node: object) -> Iterator[str]:
    if isinstance(node, ir.Assign):
        yield from _find_assigned_containers(node)
    elif isinstance(node, ir.Compare):
        yield from _find_missing_elements(node)


def _find_missing_elements(node: ir.Compare) -> Iterator[str]:
    """Yield `x` of `x[i] is None` and `x[i] is not None`."""
    op, right = node.rest[0]
    is_with_none = op in ("is", "is not") and isinstance(right, ir.Const) and right.value is None
    if is_with_none and isinstance(node.left, ir.Subscript) and isinstance(node.left.value, ir.Name):
        yield node.left.value.id


def _find_assigned_containers(node: ir.Assign) -> Iterator[str]:
    """Yield the names that an assignment uses as containers: it fills or unpacks them."""
    if isinstance(_strip_repetition(node.value), (ir.Sequence, ir.Dict)):
        holders = (target.value if isinstance(target, ir.Subscript) else target for target in node.targets)
        yield from (holder.id for holder in holders if isinstance(holder, ir.Name))
        return
    unpacked = _strip_slice(node.value)
    if isinstance(unpacked, ir.Name) and any(isinstance(target, ir.Sequence) for target in node.targets):
        yield unpacked.id  # an unpacked value consists of several


def _strip_slice(node: ir.Expr) -> ir.Expr:
    """Return `x` of `x[:3]`; any other expression itself."""
    return node.value if isinstance(node, ir.Subscript) and isinstance(node.index, ir.Slice) else node


def _strip_repetition(node: ir.Expr) -> ir.Expr:
    """Return `[None]` of `[None] * count`; any other expression itself."""
    return node.left if isinstance(node, ir.BinOp) and node.op == "*" else node


def _find_layered_lists(nodes: Sequence[object]) -> set[str]:
    """Return the names that are several tensors: layers of a list replace one element after the other."""
    layered = [node for node in nodes if isinstance(node, ir.Assign) and _calls_element(node.value)]
    found = {name for node in layered for name in _find_parallel_lists(node)}
    replaced = [node for node in layered if any(_find_replaced(node))]
    if not replaced:
        return found
    numbers = {name for node in nodes if isinstance(node, ir.For) for name in _find_loop_numbers(node)}
    inside = {id(node) for statement in replaced for node in ir.walk_nodes(statement)}
    elsewhere = {name for node in nodes if id(node) not in inside for name in _find_holders(node, numbers)}
    whole = {name for node in nodes for name in _find_whole_operands(node)}
    return found | ({name for node in replaced for name in _find_replaced(node, numbers)} & elsewhere - whole)


def _calls_element(node: ir.Expr) -> bool:
    return isinstance(node, ir.Call) and isinstance(node.function, ir.Subscript)


def _find_parallel_lists(node: ir.Assign) -> Iterator[str]:
    """Yield `x` of `x[i] = self.layers[i](x[i])` and of `x[i], y[i] = ...`."""
    index = _find_index_name(node.value.function) if isinstance(node.value, ir.Call) else None
    for target in _list_targets(node):
        if isinstance(target, ir.Subscript) and _find_index_name(target) == index is not None:
            yield from _find_operands(target.value)


def _find_replaced(node: ir.Assign, numbers: Set[str] | None = None) -> Iterator[str]:
    """Yield `x` of `x[i - 1] = self.layers[k](x[i - 1])`."""
    arguments = node.value.arguments if isinstance(node.value, ir.Call) else ()
    given = {name for argument in arguments for name in _find_holders(argument.value, numbers)}
    for target in _list_targets(node):
        yield from given.intersection(_find_holders(target, numbers))


def _find_holders(node: object, numbers: Set[str] | None) -> Iterator[str]:
    """Yield `x` of `x[i]`, where the index is made of constants and `numbers`, if these are given."""
    if not isinstance(node, ir.Subscript) or not isinstance(node.value, ir.Name):
        return
    if numbers is None or _is_number(node.index, numbers):
        yield node.value.id


def _is_number(node: ir.Expr, numbers: Set[str]) -> bool:
    """Return whether an expression is made of whole numbers, lengths and the names `numbers`."""
    if isinstance(node, ir.BinOp):
        return _is_number(node.left, numbers) and _is_number(node.right, numbers)
    if isinstance(node, ir.UnaryOp):
        return _is_number(node.operand, numbers)
    if isinstance(node, ir.Const):
        return type(node.value) is int
    return _find_callee_name(node) == "len" or (isinstance(node, ir.Name) and node.id in numbers)


def _find_loop_numbers(node: ir.For) -> Iterator[str]:
    """Yield `i` of `for i in range(...)` and of `for i, part in enumerate(...)`."""
    counted, target = node.iterable, node.target
    if _find_callee_name(counted) == "reversed" and isinstance(counted, ir.Call) and counted.arguments:
        counted = counted.arguments[0].value
    callee = _find_callee_name(counted)
    if callee == "enumerate" and isinstance(target, ir.Sequence):
        target = target.items[0]
    if callee in ("range", "enumerate") and isinstance(target, ir.Name):
        yield target.id


def _find_callee_name(node: ir.Expr) -> str | None:
    return node.function.id if isinstance(node, ir.Call) and isinstance(node.function, ir.Name) else None


def _find_whole_operands(node: object) -> Iterator[str]:
    """Yield the names that are operands of arithmetic, or that a layer takes: `x` of `x * 2` and of `self.gate(x)`."""
    if isinstance(node, ir.BinOp):
        yield from _find_operands(node)
    elif isinstance(node, ir.AugAssign):
        yield from (*_find_operands(node.target), *_find_operands(node.value))
    elif isinstance(node, ir.Call) and _is_called_layer(node.function):
        yield from (argument.value.id for argument in node.arguments if isinstance(argument.value, ir.Name))


def _is_called_layer(function: ir.Expr) -> bool:
    """Return whether what is called may be a layer that a module holds: `self.gate` or `self.gates[0]`."""
    held = function.value if isinstance(function, ir.Subscript) else function
    return isinstance(held, ir.Attribute) and isinstance(held.value, ir.Name) and held.value.id == "self"


def _list_targets(node: ir.Assign) -> Iterator[ir.Expr]:
    """Yield the targets of an assignment, each part of a tuple separately."""
    for target in node.targets:
        yield from target.items if isinstance(target, ir.Sequence) else [target]


def _find_index_name(node: ir.Expr) -> str | None:
    """Return the name in the brackets of `node[name]`, None if there is no single name."""
    return node.index.id if isinstance(node, ir.Subscript) and isinstance(node.index, ir.Name) else None
