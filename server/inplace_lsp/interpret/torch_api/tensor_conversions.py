"""Conversions to another device or element type: the tensor itself if nothing changes, else a copy."""

from __future__ import annotations

from collections.abc import Sequence

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Items, Known, Library, Tensor, Value, is_none, is_true
from inplace_lsp.interpret.torch_api import devices
from inplace_lsp.interpret.torch_api.table_ops import call_table_op

_WHEN = "when the copy is made does not matter"
_LAYOUT = "the elements are the same in every order"


@intrinsic(
    "torch.Tensor.to(tensor, /, *args, device=None, dtype=None, other=None, non_blocking=False, copy=False, "
    "memory_format=None)",
    non_blocking=_WHEN,
)
def _move_tensor(
    machine: Machine,
    tensor: Tensor,
    args: Items,
    device: Value,
    dtype: Value,
    other: Value,
    copy: Value,
    memory_format: Value,
) -> Value:
    """Return the tensor itself if nothing changes, else a copy in the graph."""
    flags = [given for given in args.items if _is_flag(given)]
    targets = [given for given in args.items if not _is_flag(given)]
    return _convert_tensor(
        machine,
        tensor,
        [*targets, device, dtype, other],
        always=is_true(copy) or any(map(is_true, flags[1:])) or memory_format == Library("torch.channels_last"),
    )


def _is_flag(value: Value) -> bool:
    """Return whether a positional argument of `to` is `non_blocking` or `copy`, in that order."""
    return isinstance(value, Known) and isinstance(value.value, bool)


@intrinsic("torch.Tensor.type(tensor, /, dtype=None, non_blocking=False, **kwargs)", non_blocking=_WHEN, kwargs=_WHEN)
def _convert_type(machine: Machine, tensor: Tensor, dtype: Value) -> Value:
    """Convert as `to(dtype)` does; without an argument return the name of the type."""
    return machine.make_unknown("type") if is_none(dtype) else _convert_tensor(machine, tensor, [dtype])


@intrinsic(
    "torch.Tensor.cuda(tensor, /, device=None, non_blocking=False, memory_format=None)",
    non_blocking=_WHEN,
    memory_format=_LAYOUT,
)
def _move_to_device(machine: Machine, tensor: Tensor, device: Value) -> Value:
    """Return a copy on a GPU."""
    return _convert_tensor(machine, tensor, [devices.CUDA if isinstance(device, Known) else device])


def _convert_tensor(machine: Machine, tensor: Tensor, targets: Sequence[Value], *, always: bool = False) -> Value:
    """Return the tensor itself if it fits all `targets` (and not `always`), else a copy in the graph."""
    if any(map(devices.is_on_cpu, targets)):
        devices.doubt_device(machine, tensor)
    if not always and all(_is_converted(machine, tensor, target) for target in targets):
        return tensor
    copy = call_table_op(machine, "torch.Tensor.clone", [tensor], {})
    if isinstance(copy, Tensor):
        if not all(isinstance(t, Known) or _is_converted(machine, copy, t) for t in targets):
            copy.dtype = _integer_type_among(targets)
        for target in targets:
            devices.put_on(machine, copy, target.device if isinstance(target, Tensor) else devices.find_device(target))
    return copy


def _integer_type_among(targets: Sequence[Value]) -> str:
    return "int" if any(isinstance(target, Library) and "int" in target.name for target in targets) else ""


def _is_converted(machine: Machine, tensor: Tensor, target: Value) -> bool:
    """Return whether `tensor` already has this device or element type."""
    if isinstance(target, Known):
        return target.value is None or devices.is_on(machine, tensor, target)
    if isinstance(target, Library):
        return target.name in ("torch.float", "torch.float32") and tensor.dtype == "float"
    if isinstance(target, Tensor):
        same = devices.is_on(machine, tensor, devices.read_device(machine, target))
        return same and target.dtype == tensor.dtype
    return devices.is_on(machine, tensor, target)


@intrinsic("torch.Tensor.cpu(tensor, /, memory_format=None)", memory_format=_LAYOUT)
def _move_to_cpu(machine: Machine, tensor: Tensor) -> Value:
    """Return the tensor itself, unless it certainly lies elsewhere."""
    return _convert_tensor(machine, tensor, [devices.CPU])


@intrinsic("torch.Tensor.share_memory_(tensor, /)")
def _keep_tensor(machine: Machine, tensor: Tensor) -> Value:
    """Return the tensor itself."""
    return tensor
