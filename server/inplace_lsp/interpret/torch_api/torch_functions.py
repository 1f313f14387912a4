"""Functions of torch that are not in the op table: functional calls, queries."""

from __future__ import annotations

from inplace_lsp.interpret.autograd.ops import tensors_in
from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Items, Known, Mapping, Number, Tensor, Unknown, Value, is_none
from inplace_lsp.interpret.torch_api import module_state

_TIED = "tensors that a module holds twice are found by each of their names"


@intrinsic(
    "torch.func.functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, "
    "strict=False)",
    tie_weights=_TIED,
    strict="what raises ends the program",
)
def functional_call(
    machine: Machine, module: Value, parameter_and_buffer_dicts: Value, args: Value, kwargs: Value, text: str
) -> Value:
    """Call the module with other tensors in place of its own."""
    tensors = parameter_and_buffer_dicts
    dicts = tensors.items if isinstance(tensors, Items) else [tensors]
    named = {
        key: value
        for tensors_by_name in dicts
        if isinstance(tensors_by_name, Mapping)
        for key, value in tensors_by_name.items.items()
    }
    own = {str(key): value for key, value in kwargs.items.items()} if isinstance(kwargs, Mapping) else {}
    positional = list(args.items) if isinstance(args, Items) else [] if is_none(args) else [args]
    replaced = module_state.replace_tensors(module, named)
    try:
        return machine.call(module, positional, own, text)
    finally:
        module_state.put_back_tensors(replaced)


@intrinsic("torch.device(type, index=-1)", index="devices of tensors are not distinguished")
def _name_device(machine: Machine, type: Value) -> Value:
    """Let the name of a device stand for it."""
    return type if isinstance(type, Known) else Unknown("device", truth=machine.share_answers("device", type))


@intrinsic("torch._assert(condition, message)", message="it is only shown")
def _assert_condition(machine: Machine, condition: Value) -> Value:
    """Go on as after an `assert`."""
    machine.assume_truth(condition, truth=True)
    return NONE


@intrinsic("torch.is_tensor(obj, /)")
def _is_tensor(machine: Machine, obj: Value) -> Value:
    """Return whether the value is a tensor, if known."""
    return Known(isinstance(obj, Tensor) and not obj.array) if not isinstance(obj, Unknown) else Number()


@intrinsic("torch.is_grad_enabled()")
def _is_grad_enabled(machine: Machine) -> Value:
    """Return whether ops are recorded."""
    return Known(machine.recorder.grad_mode)


@intrinsic("torch.is_inference_mode_enabled()")
def _is_inference_mode_enabled(machine: Machine) -> Value:
    """Return whether tensors are made for inference alone."""
    return Known(machine.recorder.inference_mode)


@intrinsic("torch.autograd.graph.increment_version(tensor)")
def _increment_version(machine: Machine, tensor: Value) -> Value:
    """Tell autograd that tensors were written, by whatever wrote them."""
    with machine.recorder.set_grad_mode(False):
        for written in tensors_in(machine.recorder, tensor):
            machine.recorder.write_tensor(written, "increment_version")
    return NONE
