"""IP301: a write to a tensor in a graph bypasses the version counter: a wrong gradient and no error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import ExampleProgram, Hazard
from inplace_lsp.hazards.hits import Hit, find_ignored_hits, find_silent_hits
from inplace_lsp.hazards.overwritten import explain_save, make_findings
from inplace_lsp.hazards.rewrites import write_out_of_place
from inplace_lsp.hazards.wording import describe_place, name_tensor
from inplace_lsp.tape.autograd import is_shared_gradient
from inplace_lsp.tape.model import Actor, Tape, Write

CODE = "IP301"
NAME = "saved-tensor-modified-silently"


def find_hazards(tape: Tape) -> Iterator[Finding]:
    """Yield every write that a backward depends on and cannot see."""
    yield from make_findings(tape, CODE, NAME, find_silent_hits(tape), _describe_hit)
    for finding in make_findings(tape, CODE, NAME, find_ignored_hits(tape), _describe_ignored_write):
        yield replace(finding, severity="warning") if finding.severity == "error" else finding  # it may be meant


def _describe_hit(hit: Hit) -> str:
    write = hit.write
    if is_shared_gradient(hit.save):
        return _describe_shared_gradient(hit)
    way = f" through `{write.alias.strip('`')}`" if write.alias else ""
    who = "this call writes" if write.actor is Actor.STEP else "this writes"
    memory = f"the memory of {name_tensor(write.tensor, name_tensor(hit.save.tensor))}{way}"
    return (
        f"{who} {memory} unseen by its version counter, but {explain_save(hit)} "
        "The gradient will be wrong and torch will not say so."
    )


def _describe_shared_gradient(hit: Hit) -> str:
    return (
        "this hook writes the gradient that it is given, but the backward on "
        f"{describe_place(hit.check.span, hit.write.span)} gives the same memory to another input of `{hit.save.op}`. "
        "Its gradient will be wrong and torch will not say so."
    )


def _describe_ignored_write(hit: Hit) -> str:
    value = name_tensor(hit.save.tensor, "y").strip("`")
    return (
        f"this writes the memory of {name_tensor(hit.save.tensor, 'a result')} through `.data`, "
        "which autograd does not see: the gradient of what follows ignores this change "
        f"(a straight-through estimator, if that is meant: write `{value} + (f({value}) - {value}).detach()`)."
    )


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="The version counter misses a write to a saved tensor: the gradient is wrong, and torch raises no error.",
    what="""
Finds writes to memory that an op has saved for its backward by a way that the version counter does not see: `x.data`,
a numpy or dlpack alias, `untyped_storage()`, `x.data = value`, optimizers with `fused=True`.

And, as a warning, writes through `.data` to the result of an op that no other op has saved, if a backward then starts
from what was computed with the new values: `y = layer(x)`, `y.data *= 3`, `y.sum().backward()`. Nothing is reported
where the gradient is right anyway (a constant is added; a mask of -inf or -1e9 goes into a softmax) and where the write
makes steps (`round_`, `floor_`, `sign_`): their derivative is zero, and gradients are passed around them on purpose.

And hooks that write the gradient they are given (`y.register_hook(lambda g: g.mul_(0.1))`), where the backward gives
the same gradient to another tensor: `x + y` passes one gradient on to both.
""",
    why="""
Autograd notices a changed tensor only by its version. These writes change the contents and not the version: the
backward computes with the new contents, returns a wrong gradient, and nothing is raised.

What was written through `.data` after an op is not in the graph either: the gradient is that of the value as the op
made it. A factor is missing from it, elements set to zero get a gradient, a clamp does not stop it.
""",
    instead="""
Write out of place (`y = y * 3`), so that autograd records it. If the gradient is to ignore the change, say so with a
straight-through estimator: `y = y + (f(y) - y).detach()`. A hook returns a new gradient: `lambda g: g * 0.1`.

Where a saved tensor is to be changed, write with `with torch.no_grad(): x.copy_(value)`, which the version counter
sees, and only after the backward; or give numpy a copy (`x.detach().clone().numpy()`).
""",
    fix_safety="""
A copy, made where the op saves or before the write, is safe: the gradient is that of the values the op has seen.
Without `.data` the gradient goes through the write, which is unsafe. A write under `no_grad` only makes torch raise
the error.
""",
    examples=(
        ExampleProgram(
            "Through .data",
            """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.data.mul_(2)  # error: IP301
y.sum().backward()
""",
        ),
        ExampleProgram(
            "Through a numpy array",
            """\
import torch

x = torch.rand(3, requires_grad=True)
h = x * 2
loss = (h**2).sum()
array = h.detach().numpy()
array[0] = 7.0  # error: IP301
loss.backward()
""",
        ),
        ExampleProgram(
            "The memory of a parameter is swapped before backward",
            """\
import torch

w = torch.rand(3, requires_grad=True)
loss = (w**2).sum()
w.data = torch.zeros(3)  # error: IP301
loss.backward()
""",
        ),
        ExampleProgram(
            "A factor that the gradient misses",
            """\
import torch

layer = torch.nn.Linear(3, 3)
y = layer(torch.rand(2, 3))
y.data *= 3  # error: IP301
y.sum().backward()
""",
        ),
        ExampleProgram(
            "A hook that writes a gradient, which the sum gives to both layers",
            """\
import torch

first, second = torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)
x = torch.rand(2, 3)
a, b = first(x), second(x)
b.register_hook(lambda g: g.mul_(0.1))  # error: IP301
(a + b).square().sum().backward()
""",
        ),
        ExampleProgram(
            "A write after backward, one to a tensor that is neither saved nor used, and a constant that is added",
            """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.sum().backward()
y.data.mul_(2)
z = x + 1
loss = z.sum()
z.data.mul_(2)
loss.backward()
z = x + 1
z.data -= 0.5
z.sum().backward()
""",
        ),
    ),
    find=find_hazards,
    events=frozenset((Write,)),
    is_write_to_saved=True,
    is_silent=True,
    rewrite=write_out_of_place,
)
