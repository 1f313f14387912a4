"""IP302: `x.data = value` with a value that carries a graph: the graph is lost."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards import evidence
from inplace_lsp.hazards.assumptions import lower
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import Hazard, Program
from inplace_lsp.hazards.refused import at
from inplace_lsp.hazards.wording import name, origin
from inplace_lsp.tape.model import Backward, Create, SetData, Tape, TensorState

CODE = "IP302"
NAME = "gradient-dropped"


def find(tape: Tape) -> Iterator[Finding]:
    """Every assignment to `.data` that drops the graph of its value."""
    walks = [(place, walk) for place, walk in tape.each(Backward)]
    for place, event in tape.each(SetData):
        if _drops_a_graph(event):
            doubt = _doubt(tape, event, wanted=any(when_walked > place or walk.retain for when_walked, walk in walks))
            message = (
                f"{_describe_loss(event)}: no gradient will flow "
                f"from {name(event.tensor)} back through this computation."
            )
            related = origin(tape, event.tensor)
            when = event.value.requires_grad
            finding = at(tape, CODE, NAME, event.span, event.tensor, when=when, message=message, related=related)
            yield lower(finding, doubt) if doubt else finding


def _describe_loss(event: SetData) -> str:
    """Return what carries the graph that is lost, and how it is lost."""
    if event.value.storage == event.tensor.storage:
        return "what is written was computed from a gradient with a graph (`create_graph=True`), which `.data` drops"
    return f"{name(event.value, 'the value')} carries a graph, but `.data =` hands over its numbers only"


def _drops_a_graph(event: SetData) -> bool:
    """Whether new memory is handed over without its history. `x.data += value` writes, and hands back the same: there
    nobody misses a graph unless it is that of a gradient, which was asked for."""
    loses = event.value.storage != event.tensor.storage or event.of_gradient
    return loses and event.grad_mode and bool(event.value.requires_grad) and not event.value.leaf


def _doubt(tape: Tape, event: SetData, *, wanted: bool) -> str:
    """Return why nobody may want the graph that is dropped, "" if there is no reason to think so. `wanted`: a walk
    follows, or one before kept its graph for another."""
    if evidence.names_settings(event.tensor.name):
        return f"`{event.tensor.name}` looks like settings, whose `data` is one of them"
    if _is_given(tape, event.value):
        return "it is handed over as it came in, and most of what comes in (loaded weights) carries no graph"
    if not wanted:
        return "no backward follows in sight, and weights are merged, fused or adapted for use this way on purpose"
    return ""


def _is_given(tape: Tape, value: TensorState) -> bool:
    """Whether the value came in as it is: such a tensor may carry a graph, but most (loaded weights) do not."""
    root = value.base if value.base is not None else value.id
    return any(isinstance(one, Create) and one.tensor.id == root and one.op == "input" for one in tape.events)


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="`x.data = value` drops the graph that `value` carries: the gradient is missing and torch does not tell.",
    what="""
Finds assignments to `.data` of a value that was computed from something that requires grad, with grad mode on. Also
`x.data -= rate * gradient` where the gradient was asked for with `create_graph=True`: the inner step of meta-learning.
""",
    why="""
`x.data = value` swaps the memory of `x`. The history of `value` is not taken over: `x` keeps its own. The gradient of
everything that `value` was computed from is missing, training goes on, and nothing is raised.
""",
    instead="""
Bind the name anew (`x = value`) if the gradient is wanted; write `x.data = value.detach()` inside `torch.no_grad()`
if it is not.
""",
    fix_safety="""
`x = value` changes which tensor other holders of `x` see, and whether gradients flow: look at the training
afterwards. `.detach()` changes nothing, it only says that the gradient is dropped; it is never made without asking.
""",
    examples=(
        Program(
            "A hidden state is replaced through .data",
            """\
import torch
from torch import nn

cell = nn.Linear(5, 3)
hidden = torch.zeros(1, 3, requires_grad=True)
for step in range(2):
    both = torch.cat((torch.rand(1, 2), hidden), dim=1)
    hidden.data = torch.tanh(cell(both))  # error: IP302
hidden.sum().backward()
""",
        ),
        Program(
            "The inner step of meta-learning",
            """\
import torch

weight = torch.rand(3, requires_grad=True)
adapted = weight.detach().clone().requires_grad_()
(gradient,) = torch.autograd.grad((adapted**2).sum(), adapted, create_graph=True)
adapted.data -= 0.1 * gradient  # error: IP302
(adapted**2).sum().backward()
""",
        ),
        Program(
            "A value without a graph",
            """\
import torch
from torch import nn

weight = nn.Parameter(torch.rand(3))
update = weight * 2
weight.data = update.detach()
with torch.no_grad():
    weight.data = weight * 0.5
weight.sum().backward()
""",
        ),
    ),
    find=find,
)
