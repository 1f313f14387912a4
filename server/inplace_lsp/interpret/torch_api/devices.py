"""Where tensors lie, as far as the program says it."""

from __future__ import annotations

from collections.abc import Sequence

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Known, Library, Tensor, Unknown, Value, is_none
from inplace_lsp.interpret.torch_api.module_tree import walk_modules

CPU = Known("cpu")
CUDA = Known("cuda")


def find_device(target: Value) -> Value | None:
    """Return the device that an argument of `to` names; None if it names none."""
    if isinstance(target, Known) and isinstance(target.value, str):
        return target
    if isinstance(target, Library):
        return CUDA if target.name.startswith("torch.cuda.") else None
    return target if isinstance(target, Unknown) else None


def read_device(machine: Machine, tensor: Tensor) -> Value:
    """Evaluate `tensor.device`: the same unknown for all tensors that the program has not moved."""
    return machine.usual_device if tensor.device is None else tensor.device


def is_on(machine: Machine, tensor: Tensor, device: Value) -> bool:
    """Return whether the tensor lies on that device, so that it need not be moved; `cpu` is where it may lie unless it
    certainly lies elsewhere."""
    if is_on_cpu(device):
        return not isinstance(tensor.device, Known)
    if device is machine.usual_device:
        return tensor.device is None
    if isinstance(device, Known) and isinstance(tensor.device, Known):
        return device.value == tensor.device.value
    return device is tensor.device


def is_on_cpu(device: Value) -> bool:
    """Return whether the device is the CPU."""
    return isinstance(device, Known) and device.value == "cpu"


def is_on_gpu(tensor: Tensor) -> bool:
    """Return whether the tensor certainly lies on a GPU."""
    device = tensor.device
    return isinstance(device, Known) and isinstance(device.value, str) and device.value.startswith("cuda")


def put_on(machine: Machine, tensor: Tensor, device: Value | None) -> None:
    """Record where a tensor lies from now on."""
    if device is None or is_none(device):
        return
    tensor.device = None if is_on_cpu(device) or device is machine.usual_device else device
    machine.recorder.moves = True


def move_module(machine: Machine, module: Value, targets: Sequence[Value]) -> None:
    """Record where the parameters and buffers of a module lie from now on."""
    device = next(filter(None, map(find_device, targets)), None)
    if device is None or (is_on_cpu(device) and not machine.recorder.moves):
        return
    for _, part in walk_modules(module):
        if isinstance(part, Tensor):
            put_on(machine, part, device)


def doubt_device(machine: Machine, tensor: Tensor) -> None:
    """Record that a function asks for the tensor on the CPU: its caller may have put it elsewhere."""
    if tensor.device is None and not machine.runs_program:
        put_on(machine, tensor, Unknown("device", of_constants=True))


def read_is_cuda(tensor: Tensor) -> Value:
    """Evaluate `tensor.is_cuda`: open where the program's settings choose the device."""
    return (
        Unknown("is_cuda", of_constants=True)
        if isinstance(tensor.device, Unknown)
        else Known(tensor.device is not None)
    )
