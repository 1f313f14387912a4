"""Make the inputs of a function that nobody in sight calls, as its own text suggests them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from inplace_lsp.interpret.entries.annotations import read_annotation
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.facts import ParameterQuestion
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import Function, Items, Known, Library, Mapping, Number, Unknown, Value
from inplace_lsp.interpret.torch_api.tensor_methods import is_member
from inplace_lsp.source import ir
from inplace_lsp.source.ir import walk
from inplace_lsp.torch_ops.table import find_overloads

_OF_CONTAINERS = frozenset(["append", "extend", "insert", "keys", "items", "get", "setdefault", "popitem"])
"""Attributes that lists and dicts have, and tensors do not."""
_SHARED_WITH_OTHERS = frozenset(
    [
        "split",
        "sort",
        "index",
        "copy",
        "count",
        "type",
        "size",
        "to",
        "eval",
        "train",
        "apply",
        "update",
        "add",
        "pop",
        "format",
        "repeat",
        "put",
        "min",
        "max",
        "sum",
        "all",
        "any",
        "mean",
        "data",
        "view",
        "name",
        "names",
        "map_",
        "float",
        "double",
        "half",
        "cuda",
        "cpu",
        "numel",
        "dim",
        "abs",
        "round",
    ]
)


def make_symbolic_input(
    machine: Machine, function: Function, parameter: ir.Parameter, tensors: frozenset[str]
) -> Value:
    """Return the value of a parameter of which only its name, annotation, default and use are known."""
    name = parameter.name
    if parameter.kind == "vararg":
        return Items("tuple", [], open=True, more=lambda: Unknown(f"*{name}", tensorlike=name in tensors))
    if parameter.kind == "kwarg":
        return Mapping({}, open=True)
    annotated = read_annotation(parameter.annotation, name) if parameter.annotation is not None else None
    if annotated is not None:
        return annotated
    default = function.defaults.get(name)
    if isinstance(default, Known) and default.value is not None:
        return _make_input_like(default, name)
    if isinstance(default, (Library, Items, Mapping, Function)):
        return default
    if name not in tensors and parameter.annotation is None:
        return _infer_input(machine, function, name, default is not None)
    return Unknown(name, tensorlike=name in tensors, may_be_none=default is not None)


def _make_input_like(default: Known, name: str) -> Value:
    """Return the value of a parameter with a constant default: a number is another number, a text is itself."""
    if isinstance(default.value, (int, float)) and not isinstance(default.value, bool):
        return Number()
    return default if isinstance(default.value, str) else Unknown(name)


def _infer_input(machine: Machine, function: Function, name: str, may_be_none: bool) -> Value:
    """Return the value of a parameter by what a search of the whole project infers."""
    full = f"{function.owner.name}.{function.name}" if function.owner else function.name
    kind = machine.facts.parameter(ParameterQuestion(function.frame.file, full, name))
    if kind == "number" and not may_be_none:
        return Number()
    return Unknown(name, tensorlike=kind == "tensor", may_be_none=may_be_none)


# Which names are used as tensors


def find_tensor_names(definition: ir.FunctionDef | ir.Lambda, frame: Frame) -> frozenset[str]:
    """Return the names that the body uses as only tensors can be used."""
    nodes = list(walk(definition.body))
    found = {name for node in nodes if type(node) in _TELLING for name in _find_tensor_uses(node, frame)}
    flows = [
        (target.id, list(_find_operands(node.value)))
        for node in nodes
        if isinstance(node, ir.Assign)
        for target in node.targets
        if isinstance(target, ir.Name)
    ]
    flows += [
        (n.target.id, list(_find_operands(n.value)))
        for n in nodes
        if isinstance(n, ir.AugAssign) and isinstance(n.target, ir.Name)
    ]
    changed = True
    while changed:  # y is a tensor and y = x * w: assume that x and w are, too
        before = len(found)
        for target, operands in flows:
            if target in found:
                found.update(operands)
        changed = len(found) != before
    return frozenset(found)


def find_container_names(definition: ir.FunctionDef | ir.Lambda) -> frozenset[str]:
    """Return the names that the body uses, or creates if they are missing, as lists and dicts, never as tensors."""
    return frozenset(name for node in walk(definition.body) for name in _find_container_uses(node))


def _find_container_uses(node: object) -> Iterator[str]:
    if isinstance(node, ir.Assign):
        yield from _find_assigned_containers(node)
    elif isinstance(node, ir.Attribute) and isinstance(node.value, ir.Name) and node.name in _OF_CONTAINERS:
        yield node.value.id
    elif isinstance(node, ir.Subscript) and isinstance(node.value, ir.Name) and isinstance(node.index, ir.Const):
        if isinstance(node.index.value, str):
            yield node.value.id
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
    if isinstance(node.value, (ir.Sequence, ir.Dict)):
        holders = (target.value if isinstance(target, ir.Subscript) else target for target in node.targets)
        yield from (holder.id for holder in holders if isinstance(holder, ir.Name))
        return
    yield from _find_layered_lists(node)
    if isinstance(node.value, ir.Name) and any(isinstance(target, ir.Sequence) for target in node.targets):
        yield node.value.id  # an unpacked value consists of several


def _find_layered_lists(node: ir.Assign) -> Iterator[str]:
    """Yield `x` of `x[i] = self.layers[i](x[i])`: it is several tensors."""
    index = _find_index_name(node.value.function) if isinstance(node.value, ir.Call) else None
    for target in node.targets:
        if index is not None and isinstance(target, ir.Subscript) and _find_index_name(target) == index:
            yield from _find_operands(target.value)


def _find_index_name(node: ir.Expr) -> str | None:
    """Return the name in the brackets of `node[name]`, None if there is no single name."""
    return node.index.id if isinstance(node, ir.Subscript) and isinstance(node.index, ir.Name) else None


_TELLING = frozenset([ir.Attribute, ir.Call, ir.Subscript])
"""The nodes that `_find_tensor_uses` examines."""


def _find_tensor_uses(node: object, frame: Frame) -> Iterator[str]:
    if isinstance(node, ir.Attribute) and isinstance(node.value, ir.Name):
        if _is_of_tensors_only(node.name):
            yield node.value.id
    elif isinstance(node, ir.Call) and _takes_tensors(node.function, frame):
        for argument in node.arguments:
            yield from _find_operands(argument.value)
    elif isinstance(node, ir.Subscript) and isinstance(node.value, ir.Name) and _indexes_only_tensors(node.index):
        yield node.value.id


@lru_cache(maxsize=4096)
def _is_of_tensors_only(name: str) -> bool:
    return name not in _SHARED_WITH_OTHERS and (is_member(name) or bool(find_overloads(f"torch.Tensor.{name}")))


def _indexes_only_tensors(index: ir.Expr) -> bool:
    if isinstance(index, ir.Sequence) and index.kind == "tuple":
        return any(isinstance(i, ir.Slice) or _indexes_only_tensors(i) for i in index.items)
    return (isinstance(index, ir.Const) and index.value is ...) or isinstance(index, ir.Compare)


def _takes_tensors(function: ir.Expr, frame: Frame) -> bool:
    """Return whether a call's arguments are tensors: it calls a function of torch that takes some."""
    names = []
    while isinstance(function, ir.Attribute):
        names.append(function.name)
        function = function.value
    if isinstance(function, ir.Subscript):
        return False
    if not isinstance(function, ir.Name):
        return False
    root = frame.look_up(function.id)
    if isinstance(root, Library):
        full = ".".join([root.name, *reversed(names)])
        return any(p.type.startswith("Tensor") for overload in find_overloads(full)[:1] for p in overload.params)
    return False


def _find_operands(node: ir.Expr) -> Iterator[str]:
    if isinstance(node, ir.Name):
        yield node.id
    elif isinstance(node, ir.BinOp):
        yield from _find_operands(node.left)
        yield from _find_operands(node.right)
    elif isinstance(node, ir.UnaryOp):
        yield from _find_operands(node.operand)
