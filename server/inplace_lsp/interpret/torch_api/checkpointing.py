"""Activation checkpointing: save the inputs of a function, and run the function again at backward."""

from __future__ import annotations

from collections.abc import Sequence

from inplace_lsp.interpret.autograd import ops
from inplace_lsp.interpret.autograd.walks import find_reachable
from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Items, Known, Mapping, Node, Tensor, Value
from inplace_lsp.tape.model import NEVER, When


@intrinsic(
    "torch.utils.checkpoint.checkpoint(function, *args, use_reentrant=None, context_fn=None, "
    "determinism_check='default', debug=False, early_stop=True, **kwargs)",
    context_fn="contexts of the user's around the computation do not change what is kept",
    determinism_check="what raises ends the program",
    debug="it says what is printed",
    early_stop="what is computed again is not judged",
)
def _call_checkpointed(
    machine: Machine, function: Value, args: Items, use_reentrant: Value, kwargs: Mapping, text: str
) -> Value:
    """Call the function; its inputs are saved instead of what its ops save."""
    recorder = machine.recorder
    own = {str(name): value for name, value in kwargs.items.items() if name != "preserve_rng_state"}
    given = ops.tensors_in(recorder, args)
    reentrant = isinstance(use_reentrant, Known) and (use_reentrant.value is None or bool(use_reentrant.value))
    if reentrant and not recorder.needs_grad(given):  # it is a custom Function: no gradient but by its inputs
        with recorder.set_grad_mode(False):
            return machine.call(function, args.items, own, text)
    inputs = _keep_inputs(machine, given) if recorder.grad_mode and not reentrant else None
    before = recorder.newest
    recorder.hiding += not reentrant
    try:
        result = machine.call(function, args.items, own, text)
    finally:
        recorder.hiding -= not reentrant
    results = ops.tensors_in(recorder, result)
    if reentrant and recorder.grad_mode:
        _walk_at_once(machine, results, given, before)
    nodes = [tensor.node for tensor in results if tensor.node is not None]
    if inputs is not None:
        _connect_inputs(inputs, nodes)
        recorder.set_needs_of_saves(inputs)
    else:  # a reentrant checkpoint is a custom Function, which saves its inputs when it is done
        for node in nodes:
            _save_inputs(machine, node, given, node.when)
    return result


def _walk_at_once(machine: Machine, results: Sequence[Tensor], given: Sequence[Tensor], before: int) -> None:
    """Walk back through what was computed behind the tensor `before`, as a reentrant checkpoint does when the function
    has run again: what is written later is written to results that are computed anew."""
    recorder = machine.recorder
    trained = set(recorder.trained)
    recorder.run_backward(results, retain=True, assumed=True, inputs=given)
    recorder.trained = trained
    nodes, _ = find_reachable([tensor.node for tensor in results if tensor.node is not None])
    for node in nodes:
        if node.id > before:
            node.saves.clear()


def _connect_inputs(inputs: Node, nodes: Sequence[Node]) -> None:
    """Let the backward of the results reach the node that keeps the inputs."""
    for node in nodes:
        inputs.when = inputs.when | node.when
        node.edges.append(inputs)


def _keep_inputs(machine: Machine, given: list[Tensor]) -> Node:
    """Return a node that saves the inputs before the function, which may write to them, runs."""
    node = machine.recorder.new_node("checkpoint", given, NEVER)
    _save_inputs(machine, node, given, NEVER)
    return node


def _save_inputs(machine: Machine, node: Node, given: list[Tensor], when: When) -> None:
    for tensor in given:
        machine.recorder.save(node, tensor, "checkpoint", "input", when)
