"""Observe the autograd nodes of each public callable by running the example calls."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from inplace_lsp.torch_ops.nodes import Nodes, plain_name
from tools.op_table.binding import Call
from tools.op_table.names import resolve_object
from tools.op_table.observe import NotObservableError, run_forward, tensors_in

if TYPE_CHECKING:
    from torch.autograd.graph import Node

MOST_CALLS = 24
_OF_INPUTS = frozenset({"CloneBackward0", "torch::autograd::AccumulateGrad"})
"""The nodes that lead to what a call was given (`observe.run` clones its leaves)."""


def build_nodes(examples: Mapping[str, Sequence[Call]]) -> dict[str, Nodes]:
    """Return the nodes of each op, by its name without its module; `examples` are calls by the full name."""
    found: dict[str, Nodes] = {}
    for name, calls in examples.items():
        seen = _nodes_of(resolve_object(name), calls[:MOST_CALLS])
        if seen.outer:
            short = plain_name(name)
            found[short] = found.get(short, Nodes()) | seen
    return dict(sorted(found.items()))


def _nodes_of(function: Callable[..., object], examples: Iterable[Call]) -> Nodes:
    seen = Nodes()
    for example in examples:
        with suppress(NotObservableError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            seen = seen | _nodes_of_call(function, example)
    return seen


def _nodes_of_call(function: Callable[..., object], example: Call) -> Nodes:
    """Return the nodes of the call's outputs, and those between them and its inputs."""

    def call_bound(given: Mapping[str, object]) -> object:
        args, kwargs = given["args"], given["kwargs"]
        assert isinstance(args, Sequence) and isinstance(kwargs, Mapping)
        return function(*args, **kwargs)

    made = run_forward(
        call_bound, {"args": example.args, "kwargs": dict(example.kwargs)}, frozenset({"args", "kwargs"})
    )
    outputs = [
        output.grad_fn for output in tensors_in([each for _, each in made.outputs]) if output.grad_fn is not None
    ]
    outer = frozenset(node.name() for node in outputs) - _OF_INPUTS
    inner = frozenset(node.name() for output in outputs for node in _nodes_below(output)) - _OF_INPUTS
    return Nodes(frozenset(map(plain_name, outer)), frozenset(map(plain_name, inner)))


def _nodes_below(root: Node) -> Iterator[Node]:
    """Yield the nodes that `root` leads to, as far as the call made them."""
    waiting = [node for node, _ in root.next_functions if node is not None]
    while waiting:
        node = waiting.pop()
        if node.name() not in _OF_INPUTS:
            yield node
            waiting += [below for below, _ in node.next_functions if below is not None]
