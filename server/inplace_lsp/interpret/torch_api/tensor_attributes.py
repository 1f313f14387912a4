"""Attributes of tensors: reading them and assigning to them."""

from __future__ import annotations

from collections.abc import Callable

from inplace_lsp.interpret.autograd import ops, shapes
from inplace_lsp.interpret.autograd.walks import find_reachable
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Items, Known, Library, Number, Tensor, Unknown, Value
from inplace_lsp.interpret.torch_api import devices
from inplace_lsp.interpret.torch_api.array_methods import read_array_attribute
from inplace_lsp.interpret.torch_api.table_ops import call_table_op
from inplace_lsp.tape.autograd import DATA
from inplace_lsp.tape.model import ALWAYS, NEVER


def read_attribute(machine: Machine, tensor: Tensor, name: str) -> Value | None:
    """Evaluate `tensor.name`; return None for a method."""
    if name in tensor.attributes:
        return tensor.attributes[name]
    own = read_array_attribute(machine, tensor, name) if tensor.array else None
    if own is not None or name not in _ATTRIBUTES:
        return own
    return _ATTRIBUTES[name](machine, tensor)


def is_attribute(name: str) -> bool:
    """Return whether tensors have an attribute `name` that is not a method."""
    return name in _ATTRIBUTES


def set_attribute(machine: Machine, tensor: Tensor, name: str, value: Value, *, augmented: bool = False) -> None:
    """Execute `tensor.name = value`. After `tensor.data += ...` the attribute gets the same memory back."""
    if name == "data":
        source = ops.tensor_of(machine.recorder, value)
        if source is not None and augmented and source.storage is tensor.storage:
            machine.recorder.assign_own_data(tensor, source)
        elif source is not None:
            machine.recorder.assign_data(tensor, source)
    elif name == "requires_grad":
        set_requires_grad(machine, tensor, value)
    elif name == "grad":
        tensor.grad = value
    elif name in _PARTS:
        call_table_op(machine, "torch.Tensor.copy_", [_ATTRIBUTES[name](machine, tensor), value], {})
    else:
        tensor.attributes[name] = value


def set_requires_grad(machine: Machine, tensor: Tensor, value: Value) -> None:
    """Execute `tensor.requires_grad = value`, which torch refuses for the result of a node."""
    if not isinstance(value, Known):
        return
    if value.value and _is_computed_of_arguments(tensor):
        take_for_data(tensor)
    if tensor.leaf or tensor.assumed:
        train_leaf(machine, tensor, is_trained=bool(value.value))
        if tensor.assumed and tensor.node is None:
            tensor.leaf = True
    elif value.value:
        tensor.requires_grad = ALWAYS  # from here on, whether or not what it was computed from does


def train_leaf(machine: Machine, leaf: Tensor, *, is_trained: bool) -> None:
    """Let a leaf require grad, or freeze it. On another path, it may not be frozen."""
    under = machine.recorder.guards.list_decisions()
    if leaf.requires_grad and not is_trained and under:
        machine.recorder.frozen[leaf.id] = max(under)
    leaf.requires_grad = ALWAYS if is_trained else NEVER


def _is_computed_of_arguments(tensor: Tensor) -> bool:
    """Return whether only arguments can make the tensor require grad: code that asks for it takes them for data."""
    if tensor.node is None or tensor.requires_grad.always:
        return False
    nodes, leaves = find_reachable([tensor.node])
    return all(leaf.argument for leaf in leaves) and not any(node.op == "unknown" for node in nodes)


def take_for_data(tensor: Tensor) -> None:
    """Take the tensor, and what it is a view of, for data without a graph."""
    held: Tensor | None = tensor
    while held is not None:
        held.node, held.leaf, held.requires_grad = None, True, NEVER
        held = held.base


def _read_data(machine: Machine, tensor: Tensor) -> Value:
    return machine.recorder.new_alias(tensor, DATA, shares_counter=False)


def _read_grad(machine: Machine, tensor: Tensor) -> Value:
    machine.recorder.trained |= tensor.requires_grad.inputs
    if tensor.grad is None:
        tensor.grad = Unknown(f"{tensor.name}.grad", tensorlike=True, may_be_none=True)
        tensor.grad.tensor = machine.recorder.new_tensor("grad", name=f"{tensor.name}.grad")
    return tensor.grad


def read_shape(machine: Machine, tensor: Tensor) -> Value:
    """Evaluate `tensor.shape`."""
    if tensor.shape is None:
        shape = Items("tuple", [], open=True, count_at=lambda dim: _find_extent(machine, tensor, dim))
        shape.more = lambda: _find_extent(machine, tensor, len(shape.items))
        return shape
    extents = enumerate(tensor.shape)
    return Items(
        "tuple", [Known(known) if known is not None else _find_extent(machine, tensor, at) for at, known in extents]
    )


def _find_extent(machine: Machine, tensor: Tensor, dim: int) -> Value:
    """Return the extent of a dimension that is not known."""
    return machine.find_count(f"extent {dim}", tensor)


def count_dimensions(machine: Machine, tensor: Tensor) -> Value:
    """Return the number of dimensions."""
    return Known(len(tensor.shape)) if tensor.shape is not None else machine.find_count("dimensions", tensor)


def _read_is_leaf(machine: Machine, tensor: Tensor) -> Value:
    return Known(tensor.leaf) if not tensor.assumed else Number()


def _read_requires_grad(machine: Machine, tensor: Tensor) -> Value:
    return machine.ask_requires_grad(machine.recorder.requires_grad(tensor))


def _view_transpose(machine: Machine, tensor: Tensor) -> Value:
    view = machine.recorder.new_view(tensor, "t")
    view.contiguous = False
    shapes.set_layout(view, shapes.layout_of_view("mT", tensor, {}))
    return view


def _make_part_reader(name: str) -> Callable[[Machine, Tensor], Value]:
    """Return the reader of `z.real` or `z.imag`: a view of every other number of a complex tensor."""

    def view_part(machine: Machine, tensor: Tensor) -> Value:
        view = machine.recorder.new_view(tensor, name)
        view.shape, view.contiguous = tensor.shape, False
        return view

    return view_part


_PARTS = frozenset({"real", "imag"})


def _make_unknown_reader(name: str) -> Callable[[Machine, Tensor], Value]:
    return lambda machine, tensor: Unknown(name)


_ATTRIBUTES: dict[str, Callable[[Machine, Tensor], Value]] = {
    "data": _read_data,
    "grad": _read_grad,
    "shape": read_shape,
    "is_leaf": _read_is_leaf,
    "requires_grad": _read_requires_grad,
    "T": _view_transpose,
    "mT": _view_transpose,
    "H": _view_transpose,
    "mH": _view_transpose,
    **{name: _make_part_reader(name) for name in _PARTS},
    "device": devices.read_device,
    "dtype": lambda machine, tensor: (
        Library("torch.float32") if tensor.dtype == "float" else Unknown("dtype", of_constants=True)
    ),
    "ndim": count_dimensions,
    "grad_fn": _make_unknown_reader("grad_fn"),
    "is_cuda": lambda machine, tensor: devices.read_is_cuda(tensor),
    "_version": lambda machine, tensor: Number(),
    "itemsize": lambda machine, tensor: Number(),
    "nbytes": lambda machine, tensor: Number(),
}
