"""Which nodes of autograd's graph each public callable leaves, seen by running the example calls."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from inplace_lsp.torch_ops.generate.binding import Call
from inplace_lsp.torch_ops.generate.names import resolve
from inplace_lsp.torch_ops.generate.observe import NotObservableError, run, tensors
from inplace_lsp.torch_ops.generate.samples import calls
from inplace_lsp.torch_ops.nodes import Nodes, plain_name

MOST_CALLS = 24
_OF_INPUTS = frozenset({"CloneBackward0", "torch::autograd::AccumulateGrad"})
"""The nodes that lead to what a call was given (`observe.run` clones its leaves)."""


def build_nodes() -> dict[str, Nodes]:
    """The nodes of each op, by its name without the module that it stands in."""
    found: dict[str, Nodes] = {}
    for name, examples in calls().items():
        seen = _nodes_of(resolve(name), examples[:MOST_CALLS])
        if seen.outer:
            short = plain_name(name)
            found[short] = found.get(short, Nodes()) | seen
    return dict(sorted(found.items()))


def _nodes_of(function: Any, examples: Iterable[Call]) -> Nodes:
    seen = Nodes()
    for example in examples:
        with suppress(NotObservableError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            seen = seen | _nodes_of_call(function, example)
    return seen


def _nodes_of_call(function: Any, example: Call) -> Nodes:
    """The nodes of the call's outputs, and those between them and what the call was given."""

    def call(given: Mapping[str, Any]) -> Any:
        return function(*given["args"], **given["kwargs"])

    made = run(call, {"args": example.args, "kwargs": dict(example.kwargs)}, frozenset({"args", "kwargs"}))
    outputs = [one.grad_fn for one in tensors([each for _, each in made.outputs]) if one.grad_fn is not None]
    outer = frozenset(node.name() for node in outputs) - _OF_INPUTS
    inner = frozenset(node.name() for output in outputs for node in _below(output)) - _OF_INPUTS
    return Nodes(frozenset(map(plain_name, outer)), frozenset(map(plain_name, inner)))


def _below(root: Any) -> Iterator[Any]:
    """The nodes that `root` leads to, as far as the call made them."""
    waiting = [node for node, _ in root.next_functions if node is not None]
    while waiting:
        node = waiting.pop()
        if node.name() not in _OF_INPUTS:
            yield node
            waiting += [below for below, _ in node.next_functions if below is not None]
