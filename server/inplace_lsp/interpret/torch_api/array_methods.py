"""The methods of numpy arrays that share memory with a tensor, and the ways to get such an array."""

from __future__ import annotations

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Tensor, Value


@intrinsic("torch.Tensor.numpy(tensor, /, *, force=False)", force="a tensor without a graph shares its memory anyway")
@intrinsic("torch.Tensor.__array__(tensor, /, dtype=None)", dtype="numpy asks for the array as it is")
def _share_with_numpy(machine: Machine, tensor: Tensor) -> Value:
    """Return an array on the memory of the tensor."""
    return machine.recorder.new_alias(tensor, ".numpy()", shares_counter=False, array=True)


@intrinsic("torch.Tensor.storage(tensor, /)", "torch.Tensor.untyped_storage(tensor, /)")
def _share_storage(machine: Machine, tensor: Tensor) -> Value:
    """Return the tensor's memory: a write to it bypasses the version counter."""
    return machine.recorder.new_alias(tensor, ".untyped_storage()", shares_counter=False, array=True)


_ARRAY_WRITES = frozenset(
    {"fill", "sort", "put", "partition", "itemset", "resize", "copy_", "zero_", "fill_", "setfield"}
)
_ARRAY_VIEWS = frozenset({"reshape", "ravel", "transpose", "view", "squeeze", "swapaxes", "diagonal"})


def call_array_method(machine: Machine, tensor: Tensor, name: str) -> Value:
    """Call `tensor.name(...)` on an array."""
    if (name.endswith("_") and not name.startswith("_")) or name in _ARRAY_WRITES:
        machine.recorder.write(tensor, "numpy")
        return tensor
    if name == "__setitem__":
        machine.recorder.write(tensor, "numpy")
        return NONE
    if name in _ARRAY_VIEWS:
        return machine.recorder.new_alias(tensor, tensor.alias, shares_counter=True, array=True)
    result = machine.unknown(f"{tensor.name}.{name}")
    result.graphless = True
    return result
