"""The names of an op's parts in sentences: what it saves, makes and writes. The names in torch's schemas (`self`,
`other`, `mat2`, `accumulate_grad`) mean nothing to a reader and are not used."""

from __future__ import annotations

from inplace_lsp.tape.autograd import INDEXED, is_on_ctx
from inplace_lsp.tape.model import Actor, Save, Write

UNNAMED = "a tensor without a name"

_ITS = {
    "input": "its input",
    "self": "its input",
    "target": "its target",
    "targets": "its targets",
    "weight": "its weight",
    "bias": "its bias",
    "mask": "its mask",
    "index": "its index",
    "indices": "its indices",
    "exponent": "its exponent",
    "running_mean": "its running mean",
    "running_var": "its running variance",
    "query": "its query",
    "key": "its key",
    "value": "its value",
    "hx": "its hidden state",
    "grid": "its grid",
}
"""The arguments that users know by these names."""

_MADE = {
    "input": "an argument of the function",
    "unknown": "the result of an unknown call",
    "Parameter": "a parameter",
    "buffer": "a buffer",
    "grad": "a gradient",
}
"""Words that a tape has in place of an op for a tensor that no op made."""

_BY_BACKWARD = "accumulate_grad"
SWAP = "data"
"""The op of the Write by which `x.data = value` changes what was saved of `x`."""


def name_saved_part(role: str) -> str:
    """Name the saved part from the op's point of view: `its result`, `its weight`, `one of its inputs`."""
    if role.startswith(("result", "output")):
        return "its result"
    if role.startswith("ctx."):
        return f"`{role}`"
    if role.startswith("self."):
        return f"its {role.rpartition('.')[2]}"
    return _ITS.get(role, "one of its inputs")


def name_saved_part_of_op(save: Save) -> str:
    """Name the saved part of an op where it has no variable name: `the result of exp`, `an input of mul`."""
    if is_on_ctx(save):
        return save.role
    part = name_saved_part(save.role)
    return f"{part.replace('its ', 'the ', 1)} of {save.op}"


def name_unnamed_result(op: str) -> str:
    """Name a tensor without a variable by the op that made it: `the result of relu`."""
    return _MADE.get(op, f"the result of {op}" if op else UNNAMED)


def name_writer(write: Write) -> str:
    """Return the subject of "writes": `add_`, `-=`, `an assignment`, `the step`, `backward`."""
    if write.op == _BY_BACKWARD:
        return "backward"
    if write.op == SWAP:
        return "`.data =`"
    if write.spelling:
        return "an assignment" if write.spelling == INDEXED else write.spelling
    if write.actor is Actor.STEP and write.op.endswith("_"):
        return "the step"
    return write.op


def is_by_backward(write: Write) -> bool:
    """Return whether a backward accumulates into a `.grad`, as it is meant to."""
    return write.op == _BY_BACKWARD
