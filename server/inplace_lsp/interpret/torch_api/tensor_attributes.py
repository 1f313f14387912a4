"""Attributes of tensors: what reading one gives, and what assigning to one does."""

from __future__ import annotations

from collections.abc import Callable

from inplace_lsp.interpret.autograd import ops, shapes
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Items, Known, Library, Number, Tensor, Unknown, Value
from inplace_lsp.interpret.torch_api.table_ops import torch_call
from inplace_lsp.tape.autograd import DATA
from inplace_lsp.tape.model import ALWAYS, NEVER


def attribute(machine: Machine, tensor: Tensor, name: str) -> Value | None:
    """`tensor.name` where it is no method; None if it is one."""
    if name in tensor.attributes:
        return tensor.attributes[name]
    if name in _ATTRIBUTES:
        return _ATTRIBUTES[name](machine, tensor)
    return None


def is_attribute(name: str) -> bool:
    """Whether tensors have an attribute `name` that is no method."""
    return name in _ATTRIBUTES


def set_attribute(machine: Machine, tensor: Tensor, name: str, value: Value, *, augmented: bool = False) -> None:
    """`tensor.name = value`. After `tensor.data += ...` the attribute gets the very memory it had."""
    if name == "data":
        source = ops.tensor_of(machine.recorder, value)
        if source is not None and augmented and source.storage is tensor.storage:
            machine.recorder.hand_back(tensor, source)
        elif source is not None:
            machine.recorder.set_data(tensor, source)
    elif name == "requires_grad":
        set_requires_grad(tensor, value)
    elif name == "grad":
        tensor.grad = value
    elif name in _PARTS:
        torch_call(machine, "torch.Tensor.copy_", [_ATTRIBUTES[name](machine, tensor), value], {})
    else:
        tensor.attributes[name] = value


def set_requires_grad(tensor: Tensor, value: Value) -> None:
    """`tensor.requires_grad = value`: of a tensor that a node made, torch refuses it."""
    if isinstance(value, Known) and (tensor.leaf or tensor.assumed):
        tensor.requires_grad = ALWAYS if value.value else NEVER
        if tensor.assumed and tensor.node is None:
            tensor.leaf = True


def _data(machine: Machine, tensor: Tensor) -> Value:
    return machine.recorder.alias(tensor, DATA, shares_counter=False)


def _grad(machine: Machine, tensor: Tensor) -> Value:
    machine.recorder.trained |= tensor.requires_grad.inputs
    if tensor.grad is None:
        tensor.grad = Unknown(f"{tensor.name}.grad", tensorlike=True, may_be_none=True)
        tensor.grad.tensor = machine.recorder.fresh("grad", name=f"{tensor.name}.grad")
    return tensor.grad


def extents(machine: Machine, tensor: Tensor) -> Value:
    """`tensor.shape`."""
    if tensor.shape is not None:
        return Items("tuple", [Known(extent) if extent is not None else Number() for extent in tensor.shape])
    return Items("tuple", [], open=True, more=Number)


def _is_leaf(machine: Machine, tensor: Tensor) -> Value:
    return Known(tensor.leaf) if not tensor.assumed else Number()


def _requires_grad(machine: Machine, tensor: Tensor) -> Value:
    return machine.ask_requires_grad(machine.recorder.requires_grad(tensor))


def _transposed(machine: Machine, tensor: Tensor) -> Value:
    view = machine.recorder.view(tensor, "t")
    view.contiguous = False
    shapes.give(view, shapes.of_view("mT", tensor, {}))
    return view


def _view_part(name: str) -> Callable[[Machine, Tensor], Value]:
    """`z.real`, `z.imag`: a view of every other number in the memory of a complex tensor."""

    def read(machine: Machine, tensor: Tensor) -> Value:
        view = machine.recorder.view(tensor, name)
        view.shape, view.contiguous = tensor.shape, False
        return view

    return read


_PARTS = frozenset({"real", "imag"})


def _unknown(name: str) -> Callable[[Machine, Tensor], Value]:
    return lambda machine, tensor: Unknown(name)


_ATTRIBUTES: dict[str, Callable[[Machine, Tensor], Value]] = {
    "data": _data,
    "grad": _grad,
    "shape": extents,
    "is_leaf": _is_leaf,
    "requires_grad": _requires_grad,
    "T": _transposed,
    "mT": _transposed,
    "H": _transposed,
    "mH": _transposed,
    **{name: _view_part(name) for name in _PARTS},
    "device": _unknown("device"),
    "dtype": lambda machine, tensor: Library("torch.float32") if tensor.dtype == "float" else Unknown("dtype"),
    "ndim": lambda machine, tensor: Known(len(tensor.shape)) if tensor.shape is not None else Number(),
    "grad_fn": _unknown("grad_fn"),
    "is_cuda": lambda machine, tensor: Known(False),
    "_version": lambda machine, tensor: Number(),
    "itemsize": lambda machine, tensor: Number(),
    "nbytes": lambda machine, tensor: Number(),
}
