"""IP206: an inference tensor is written, or saved for backward, outside inference mode."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import Hazard, Program
from inplace_lsp.hazards.refused import at, of_write, refusals, refused_writes
from inplace_lsp.hazards.wording import name, origin
from inplace_lsp.tape.autograd import Rejection
from inplace_lsp.tape.model import Refusal, Tape

CODE = "IP206"
NAME = "inference-tensor-misused"


def find(tape: Tape) -> Iterator[Finding]:
    """Writes to inference tensors and ops that would have to save one."""
    for write, when in refused_writes(tape, Rejection.INFERENCE):
        message = (
            f"`{write.op}` writes {name(write.tensor)} outside inference mode, but it was made "
            "inside: such a tensor has no version "
            "counter that could tell of the write, so torch refuses it."
        )
        yield of_write(tape, CODE, NAME, write, when=when, message=message)
    for reject in refusals(tape, Refusal.INFERENCE_SAVED):
        message = (
            f"the backward of `{reject.op}` needs {name(reject.tensor)}, but it was made under "
            "inference mode: such a tensor has no "
            "version counter, so torch refuses to save it."
        )
        yield at(
            tape,
            CODE,
            NAME,
            reject.span,
            reject.tensor,
            when=reject.when,
            message=message,
            related=origin(tape, reject.tensor),
        )


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="An inference tensor is written, or saved for backward, outside inference mode.",
    what="""
Finds tensors made under `torch.inference_mode()` that are written in place after the mode has ended, or used by an op
which must save them for its backward.
""",
    why="""
An inference tensor is quick to make because it has no version counter. Outside the mode nothing could notice a write
to it, so torch raises: at the write (with or without gradients), or when an op wants to save it. Ops that save
nothing of it, such as `+`, are fine.
""",
    instead="""
Use `torch.no_grad()` for values that are used in training later, or `clone()` the tensor outside the mode.
""",
    fix_safety="""
`x.clone()` outside the mode is safe; replacing `inference_mode` by `no_grad` is safe but slower.
""",
    examples=(
        Program(
            "Written after the mode has ended",
            """\
import torch

with torch.inference_mode():
    scores = torch.zeros(3)
scores.add_(1)  # error: IP206
""",
        ),
        Program(
            "A factor that the backward needs",
            """\
import torch

weight = torch.rand(3, requires_grad=True)
with torch.inference_mode():
    features = torch.ones(3)
loss = (weight * features).sum()  # error: IP206
loss.backward()
""",
        ),
        Program(
            "A copy, an op that saves nothing, and a write inside the mode",
            """\
import torch

weight = torch.rand(3, requires_grad=True)
with torch.inference_mode():
    features = torch.ones(3)
    features.add_(1)
total = weight + features
copy = features.clone()
copy.add_(1)
(total * copy).sum().backward()
""",
        ),
    ),
    says=(
        "RuntimeError: Inplace update to inference tensor outside InferenceMode is not allowed.You can make a "
        "clone to get a normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for "
        "more details."
    ),
    find=find,
)
