"""IP206: an inference tensor is written, or saved for backward, outside inference mode."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.expected_fixes import expect_safe
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import ExampleProgram, Hazard
from inplace_lsp.hazards.refused import Reasons, find_refusals, find_refused_writes, report_refusal, report_write
from inplace_lsp.hazards.wording import describe_write, name_tensor
from inplace_lsp.tape.autograd import Rejection
from inplace_lsp.tape.model import Refusal, Reject, Tape, Write

CODE = "IP206"
NAME = "inference-tensor-misused"
REFUSALS: Reasons = frozenset((Rejection.INFERENCE, Refusal.INFERENCE_SAVED))


def find_hazards(tape: Tape) -> Iterator[Finding]:
    """Yield the writes to inference tensors and the ops that would have to save one."""
    for write, when in find_refused_writes(tape, REFUSALS):
        message = (
            f"{describe_write(tape, write)} outside inference mode, but it was made "
            "inside: inference tensors have no version "
            "counter, so torch refuses the write."
        )
        yield report_write(tape, CODE, NAME, write, when=when, message=message)
    for reject in find_refusals(tape, REFUSALS):
        message = (
            f"the backward of `{reject.op}` needs {name_tensor(reject.tensor)}, but it was made under "
            "inference mode: inference tensors have no version counter, so torch refuses to save it."
        )
        yield report_refusal(tape, CODE, NAME, reject, message=message)


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
        ExampleProgram(
            "Written after the mode has ended",
            """\
import torch

with torch.inference_mode():
    scores = torch.zeros(3)
scores.add_(1)  # error: IP206
""",
        ),
        ExampleProgram(
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
        ExampleProgram(
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
    find=find_hazards,
    events=frozenset((Write, Reject)),
    refusals=REFUSALS,
    absence="was not an inference tensor",
    error_kinds=("inference",),
    needs_gradients=False,
    expect_fix=expect_safe,
)
