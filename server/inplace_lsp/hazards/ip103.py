"""IP103: a second backward through a graph that the first one freed."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.assumptions import lower_to_hint, weigh_finding
from inplace_lsp.hazards.expected_fixes import expect_kept_graph
from inplace_lsp.hazards.finding import Finding, Related
from inplace_lsp.hazards.hazard import ExampleProgram, Hazard
from inplace_lsp.hazards.wording import (
    describe_backward,
    describe_place,
    drop_repeated_places,
    find_events_of_memory,
    name_tensor,
)
from inplace_lsp.tape.model import Backward, Check, Free, Save, Span, Tape

CODE = "IP103"
NAME = "graph-used-after-free"


def find_hazards(tape: Tape) -> Iterator[Finding]:
    """Yield one finding for each backward that reaches a node freed by an earlier one."""
    saves = {save.key: save for _, save in tape.events_of(Save)}
    backwards = {backward.key: backward for _, backward in tape.events_of(Backward)}
    check_by_backward: dict[int, Check] = {}
    for _, check in tape.events_of(Check):
        known = check_by_backward.get(check.backward)
        if check.freed and check.when and (known is None or known.apart > check.apart):
            check_by_backward[check.backward] = check
    for check in check_by_backward.values():
        finding = _make_finding(tape, check, backwards.get(check.backward), saves.get(check.save))
        yield lower_to_hint(finding, _APART) if check.apart else finding


_APART = "it comes from code that cannot be seen here, which may build a new graph each time"


def _make_finding(tape: Tape, check: Check, second: Backward | None, save: Save | None) -> Finding:
    own, span = describe_backward(second) if second is not None else ("this backward", check.span)
    first = _find_freeing_backward(tape, check, save)
    saves = (save,) if save else ()
    weight = weigh_finding(tape, check.when, *(one.when for one in saves), walked_again=True, recorded=saves)
    which = "the" if first and first.span != check.span else "an earlier"
    freed = f"{which} backward on {describe_place(_find_place(first), span)}" if first else "an earlier backward"
    what = f"what `{save.op}` on {describe_place(save.span, span)} had saved" if save else "what its nodes had saved"
    return Finding(
        code=CODE,
        name=NAME,
        severity=weight.severity,
        message=f"{own} goes through the same graph a second time, but {freed} has freed {what}.{weight.remark}",
        assumptions=weight.assumed,
        negligible=weight.negligible,
        span=span,
        related=_list_related_places(first, save),
        function=tape.function,
        story=find_events_of_memory(tape, save.tensor) if save else (),
        conditions=tape.list_conditions([event for event in (first, save, check) if event is not None]),
        after=tape.find_refusal_before(check),
    )


def _find_place(backward: Backward) -> Span:
    return describe_backward(backward)[1]


def _find_freeing_backward(tape: Tape, check: Check, save: Save | None) -> Backward | None:
    """Return the backward that freed the node; without a known save, the last earlier one without `retain_graph`."""
    before = tape.events[: tape.events.index(check)]
    backwards = {event.key: event for event in before if isinstance(event, Backward)}
    freed = [event.backward for event in before if isinstance(event, Free) and save and event.node == save.node]
    if freed:
        return backwards.get(freed[0])
    earlier = [backward for key, backward in backwards.items() if not backward.retain and key != check.backward]
    return earlier[-1] if earlier else None


def _list_related_places(first: Backward | None, save: Save | None) -> tuple[Related, ...]:
    freed = (Related("backward", "this backward freed the graph", _find_place(first)),) if first else ()
    saved = (Related("saved", f"`{save.op}` saved {name_tensor(save.tensor)} here", save.span),) if save else ()
    return drop_repeated_places((*freed, *saved))


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="A second backward goes through a graph that the first one freed.",
    what="""
Finds `backward()` and `torch.autograd.grad()` calls that go through a graph which an earlier call without
`retain_graph=True` freed.
""",
    why="""
A backward frees what the ops of the graph had saved. A later backward that reaches such an op raises. The graph is
often kept alive by accident: a hidden state carried from batch to batch without `detach()`, a loss summed over
batches, or a part shared by two losses. Ops that saved nothing (`+`, `sum`, `cat`) can be part of two backwards.
""",
    instead="""
Add the losses and call backward once; `detach()` the state that is carried over; or keep the graph with
`retain_graph=True` in the first call, which costs memory.
""",
    fix_safety="""
`retain_graph=True` is safe where two backwards through one graph are intended. In a loop it keeps the graphs of all
iterations: there, `detach()` of the carried state, or a separate forward pass for every iteration, is offered first.
Both change gradients.
""",
    examples=(
        ExampleProgram(
            "The same loss twice",
            """\
import torch

x = torch.rand(3, requires_grad=True)
loss = x.exp().sum()
loss.backward()
loss.backward()  # error: IP103
""",
        ),
        ExampleProgram(
            "A hidden state that is carried over without detach",
            """\
import torch
from torch import nn

cell = nn.RNNCell(2, 3)
hidden = torch.zeros(1, 3)
for step in range(2):
    hidden = cell(torch.rand(1, 2), hidden)
    hidden.sum().backward()  # error: IP103
""",
        ),
        ExampleProgram(
            "The first call keeps the graph",
            """\
import torch

x = torch.rand(3, requires_grad=True)
loss = x.exp().sum()
loss.backward(retain_graph=True)
loss.backward()
""",
        ),
        ExampleProgram(
            "A shared part that saved nothing, and a state that was detached",
            """\
import torch
from torch import nn

x = torch.rand(3, requires_grad=True)
total = x + 1
total.sum().backward()
total.sum().backward()

cell = nn.RNNCell(2, 3)
hidden = torch.zeros(1, 3)
for step in range(2):
    hidden = cell(torch.rand(1, 2), hidden.detach())
    hidden.sum().backward()
""",
        ),
    ),
    says=(
        "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after "
        "they have already been freed). Saved intermediate values of the graph are freed when you call .backward()"
        " or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or"
        " if you need to access saved tensors after calling backward."
    ),
    find=find_hazards,
    events=frozenset((Check,)),
    error_kinds=("freed",),
    is_at_backward=True,
    expect_fix=expect_kept_graph,
)
