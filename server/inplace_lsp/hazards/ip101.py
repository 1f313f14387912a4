"""IP101: a tensor that an op saved is written in place before the backward that needs it."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import ExampleProgram, Hazard
from inplace_lsp.hazards.hits import Hit, find_loud_hits
from inplace_lsp.hazards.overwritten import explain_save, make_findings, name_written_tensor
from inplace_lsp.hazards.rewrites import write_out_of_place
from inplace_lsp.hazards.wording import describe_versions, name_tensor
from inplace_lsp.tape.autograd import DETACH
from inplace_lsp.tape.model import Actor, Tape, Write

CODE = "IP101"
NAME = "saved-tensor-modified"


def find_hazards(tape: Tape) -> Iterator[Finding]:
    """Yield every write by the program itself that makes a backward fail."""
    hits = (hit for hit in find_loud_hits(tape) if hit.write.actor is not Actor.STEP)
    return make_findings(tape, CODE, NAME, hits, _describe_hit)


def _describe_hit(hit: Hit) -> str:
    if hit.write.op == DETACH:
        return f"{name_tensor(hit.write.tensor)} loses its history here (`detach_`), but {explain_save(hit)}"
    through = f" through {hit.write.alias}" if hit.write.alias else ""
    return (
        f"{name_written_tensor(hit)} is written here{through} ({describe_versions(hit.write)}), but {explain_save(hit)}"
    )


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="A tensor that an op saved for its backward is written in place before that backward.",
    what="""
Finds writes in place (`y.add_(1)`, `y += 1`, `y[0] = 1`, `F.relu(y, inplace=True)`, `out=y`) to memory that an
earlier op keeps for its backward, directly or through a view that shares the memory.
""",
    why="""
Many derivatives need a value of the forward pass: that of `exp` is its own result, that of `x ** 2` is `2 * x`.
Autograd keeps a reference to the tensor, not a copy, together with its version; every write in place adds one to the
version. When backward finds another version than it saved, it cannot compute the gradient and raises a RuntimeError,
which names the op that saved the tensor but not the line that wrote it. All views of a tensor share one version, so
a write to any part of it counts. Whether a write is a hazard depends on the op: `relu`, `exp`,
`sigmoid`, `tanh` and `softmax` keep their result, `x ** n`, `log`, `sin` and `gelu` their input, `a * b` and `a @ b`
each factor if the other one needs a gradient, and `+`, `-`, `sum`, `mean` and `cat` nothing at all.
""",
    instead="""
Compute a new tensor (`y = y + 1`), write to a copy (`y = y.clone()` first), or move the write before the op that
saves.
""",
    fix_safety="""
`y += 1` to `y = y + 1` changes what other names of the same tensor see: they keep the old values. The repair is safe
only where nothing else refers to the tensor.
""",
    examples=(
        ExampleProgram(
            "The result of exp is its own derivative",
            """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.add_(1)  # error: IP101
y.sum().backward()
""",
        ),
        ExampleProgram(
            "Each of several writes, and a write through a view",
            """\
import torch

x = torch.rand(4, requires_grad=True)
h = x * 2
loss = (h**2).sum()
first = h[0]
first += 1  # error: IP101
h[2:] = 0  # error: IP101
loss.backward()
""",
        ),
        ExampleProgram(
            "An activation with inplace=True after an op that keeps its result",
            """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        h = torch.sigmoid(self.linear(x))
        return self.act(h)  # error: IP101


Block()(torch.rand(2, 4)).sum().backward()
""",
        ),
        ExampleProgram(
            "A write to a tensor that no op saved",
            """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
z = y + 1
z.mul_(2)
x2 = x * 3
x2.add_(1)
(z.sum() + x2.sum()).backward()
""",
        ),
        ExampleProgram(
            "A write after the backward that needed the value",
            """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.sum().backward()
y.add_(1)
""",
        ),
        ExampleProgram(
            "A copy is written",
            """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.sigmoid()
z = y.clone()
z[0] = 0
(y.sum() + z.sum()).backward()
""",
        ),
    ),
    says=(
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [torch.FloatTensor [3]], which is output 0 of Exp, is at version 1; expected version 0 "
        "instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    ),
    find=find_hazards,
    events=frozenset((Write,)),
    error_kinds=("saved",),
    is_write_to_saved=True,
    rewrite=write_out_of_place,
)
