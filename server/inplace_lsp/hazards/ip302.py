"""IP302: `x.data = value` with a value that carries a graph: the graph is lost."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards import evidence
from inplace_lsp.hazards.assumptions import lower_to_hint
from inplace_lsp.hazards.expected_fixes import expect_unsafe
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import ExampleProgram, Hazard
from inplace_lsp.hazards.refused import report_at
from inplace_lsp.hazards.wording import find_origin_places, name_tensor
from inplace_lsp.tape.autograd import DATA
from inplace_lsp.tape.model import Backward, Create, SetData, Tape, TensorState, View

CODE = "IP302"
NAME = "gradient-dropped"


def find_hazards(tape: Tape) -> Iterator[Finding]:
    """Yield every assignment to `.data` that drops the graph of its value."""
    walks = [(place, walk) for place, walk in tape.events_of(Backward)]
    for place, event in tape.events_of(SetData):
        if _is_dropping_graph(event):
            wanted = any(when_walked > place or walk.retain for when_walked, walk in walks)
            if not wanted and _is_merge(tape, event):
                continue
            doubt = _find_doubt(tape, event, wanted=wanted)
            message = (
                f"{_describe_loss(event)}: no gradient will flow "
                f"from {name_tensor(event.tensor)} back through this computation."
            )
            related = find_origin_places(tape, event.tensor)
            when = event.value.requires_grad
            finding = report_at(tape, CODE, NAME, event, when=when, message=message, related=related)
            yield lower_to_hint(finding, doubt) if doubt else finding


def _describe_loss(event: SetData) -> str:
    """Return what carries the graph that is lost, and how it is lost."""
    if event.value.storage == event.tensor.storage:
        return "what is written was computed from a gradient with a graph (`create_graph=True`), which `.data` drops"
    return f"{name_tensor(event.value, 'the value')} has a graph, but `.data =` copies only its values"


def _is_dropping_graph(event: SetData) -> bool:
    """Return whether new memory is assigned without its history. `x.data += value` assigns the same memory: it drops no
    graph, except that of a gradient computed with `create_graph=True`."""
    loses = event.value.storage != event.tensor.storage or event.of_gradient
    return loses and event.grad_mode and bool(event.value.requires_grad) and not event.value.leaf


def _find_doubt(tape: Tape, event: SetData, *, wanted: bool) -> str:
    """Return why the program hardly needs the dropped graph, "" if nothing says so. `wanted`: a backward follows, or an
    earlier one retained its graph."""
    if evidence.is_settings_name(event.tensor.name):
        return f"`{event.tensor.name}` looks like settings, and `data` is one of them"
    if _reads_numbers(tape, event) and _needs_unseen_graph(tape, event.value):
        return "code that cannot be seen here computes it from the tensor's own `.data`, as updates without a graph do"
    if _is_merge(tape, event):
        return "it is computed from the tensor's own `.data`, as when adapters are merged into a weight"
    if event.of_itself and not _needs_trained(tape, event):
        return "it is computed from the tensor itself, and such steps are rarely differentiated"
    if _is_given(tape, event.value):
        return "it comes from the caller, and such values (loaded weights) rarely have a graph"
    if doubt := _find_doubt_about_target(tape, event):
        return doubt
    if not wanted:
        return "no backward follows in sight, and merging, fusing or adapting weights this way is usually deliberate"
    return ""


def _is_merge(tape: Tape, event: SetData) -> bool:
    """Return whether a leaf gets a value computed from its own numbers, as when adapters are merged into a weight."""
    return _reads_numbers(tape, event) and _may_be_leaf(event.tensor) and not event.of_gradient


def _find_doubt_about_target(tape: Tape, event: SetData) -> str:
    """Return why a tensor that is given other values hardly needs their graph, "" if nothing says so."""
    tensor = event.tensor
    if _is_plain_gradient(tape, tensor):
        step = "it sets a gradient, of which the step of an optimizer reads only the numbers"
        return "" if event.read_again else step
    if _is_kept_beside(tensor):
        return "what an object keeps without a gradient beside its weights is mostly statistics, which need no graph"
    return ""


def _is_plain_gradient(tape: Tape, tensor: TensorState) -> bool:
    """Return whether a tensor is a gradient that no graph was kept of."""
    made = (event for event in tape.events if isinstance(event, Create) and event.tensor.id == tensor.id)
    return not tensor.requires_grad and any(event.op == "grad" for event in made)


def _needs_trained(tape: Tape, event: SetData) -> bool:
    """Return whether the value carries a graph if another input does whose gradient the program requests."""
    others = event.value.requires_grad.inputs - event.tensor.requires_grad.inputs
    return not tape.trained.isdisjoint(others)


def _is_given(tape: Tape, value: TensorState) -> bool:
    """Return whether the value is an unchanged argument: it may have a graph, but most (loaded weights) have none."""
    root = value.base if value.base is not None else value.id
    return any(isinstance(event, Create) and event.tensor.id == root and event.op == "input" for event in tape.events)


def _needs_unseen_graph(tape: Tape, value: TensorState) -> bool:
    """Return whether the value carries a graph only if the results of unseen code do."""
    assumed = set() if value.requires_grad.always else set(value.requires_grad.inputs)
    unseen = {event.tensor.name for event in tape.events if isinstance(event, Create) and event.op == "unknown"}
    return bool(assumed) and assumed <= unseen


def _may_be_leaf(tensor: TensorState) -> bool:
    """Return whether a tensor is a leaf, or made by code that is not in sight."""
    return tensor.leaf or tensor.requires_grad.inputs == {tensor.name}


def _is_kept_beside(tensor: TensorState) -> bool:
    """Return whether a tensor is an attribute that requires no grad, as a buffer does."""
    return tensor.leaf and not tensor.requires_grad and tensor.name.startswith("self.")


def _reads_numbers(tape: Tape, assignment: SetData) -> bool:
    """Return whether the `.data` of the tensor is read somewhere."""
    storage, name = assignment.tensor.storage, f"{assignment.tensor.name}{DATA}"
    return any(
        (isinstance(event, View) and event.op == DATA and event.of.storage == storage)
        or (isinstance(event, Create) and event.tensor.name == name)
        for event in tape.events
    )


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="`x.data = value` drops the graph of `value`: the gradient is missing, and torch raises no error.",
    what="""
Finds assignments to `.data` of a value that was computed from something that requires grad, with grad mode on. Also
`x.data -= rate * gradient` where the gradient was asked for with `create_graph=True`: the inner step of meta-learning.
""",
    why="""
`x.data = value` swaps the memory of `x`. `x` does not take over the history of `value`; it keeps its own. The gradient
of everything that `value` was computed from is missing, training goes on, and nothing is raised.
""",
    instead="""
Assign a new tensor to the name (`x = value`) if the gradient is wanted; write `x.data = value.detach()` inside
`torch.no_grad()` if it is not.
""",
    fix_safety="""
`x = value` changes which tensor other references to `x` see, and whether gradients flow: check the training
afterwards. `.detach()` changes nothing, it only says that the gradient is dropped; it is never made without asking.
""",
    examples=(
        ExampleProgram(
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
        ExampleProgram(
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
        ExampleProgram(
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
    find=find_hazards,
    events=frozenset((SetData,)),
    is_silent=True,
    expect_fix=expect_unsafe,
)
