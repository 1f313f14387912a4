"""numpy arrays on the memory of a tensor: how a program gets at one, and its methods."""

from __future__ import annotations

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Tensor, Value


@intrinsic("torch.Tensor.numpy(tensor, /, *, force=False)", force="a tensor without a graph shares its memory anyway")
@intrinsic("torch.Tensor.__array__(tensor, /, dtype=None)", dtype="numpy asks for the array as it is")
def _numpy(machine: Machine, tensor: Tensor) -> Value:
    """An array on the memory of the tensor."""
    return machine.recorder.alias(tensor, ".numpy()", shares_counter=False, array=True)


@intrinsic("torch.Tensor.storage(tensor, /)", "torch.Tensor.untyped_storage(tensor, /)")
def _storage(machine: Machine, tensor: Tensor) -> Value:
    """The memory of the tensor: a write to it goes round the version counter."""
    return machine.recorder.alias(tensor, ".untyped_storage()", shares_counter=False, array=True)


_ARRAY_WRITES = frozenset(
    {"fill", "sort", "put", "partition", "itemset", "resize", "copy_", "zero_", "fill_", "setfield"}
)
_ARRAY_VIEWS = frozenset({"reshape", "ravel", "transpose", "view", "squeeze", "swapaxes", "diagonal"})


def call(machine: Machine, tensor: Tensor, name: str) -> Value:
    """`tensor.name(...)` of an array."""
    if (name.endswith("_") and not name.startswith("_")) or name in _ARRAY_WRITES:
        machine.recorder.write(tensor, "numpy")
        return tensor
    if name == "__setitem__":
        machine.recorder.write(tensor, "numpy")
        return NONE
    if name in _ARRAY_VIEWS:
        return machine.recorder.alias(tensor, tensor.alias, shares_counter=True, array=True)
    result = machine.unknown(f"{tensor.name}.{name}")
    result.graphless = True
    return result
