"""Checkpoints: what a function saves is computed again at backward, from its inputs, which are kept."""

from __future__ import annotations

from inplace_lsp.interpret.autograd import ops
from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Items, Known, Mapping, Node, Tensor, Value
from inplace_lsp.tape.model import NEVER


@intrinsic(
    "torch.utils.checkpoint.checkpoint(function, *args, use_reentrant=None, context_fn=None, "
    "determinism_check='default', debug=False, early_stop=True, **kwargs)",
    context_fn="contexts of the user's around the computation do not change what is kept",
    determinism_check="what raises ends the program",
    debug="it says what is printed",
    early_stop="what is computed again is not judged",
)
def _checkpoint(
    machine: Machine, function: Value, args: Items, use_reentrant: Value, kwargs: Mapping, text: str
) -> Value:
    """Call the function; its inputs are kept instead of what it saves."""
    recorder = machine.recorder
    own = {str(name): value for name, value in kwargs.items.items() if name != "preserve_rng_state"}
    given = ops.tensors_in(recorder, args)
    reentrant = isinstance(use_reentrant, Known) and (use_reentrant.value is None or bool(use_reentrant.value))
    if reentrant and not recorder.needs_grad(given):  # it is a custom Function: no gradient but by its inputs
        with recorder.set_grad_mode(False):
            return machine.call(function, args.items, own, text)
    inputs = _keep_inputs(machine, given) if recorder.grad_mode and not reentrant else None
    recorder.hiding += 1
    try:
        result = machine.call(function, args.items, own, text)
    finally:
        recorder.hiding -= 1
    for tensor in ops.tensors_in(recorder, result):
        if tensor.node is not None and inputs is not None:
            inputs.when = inputs.when | tensor.node.when
            tensor.node.edges.append(inputs)
        elif tensor.node is not None:  # the custom Function of a reentrant one keeps them when it is done
            for one in given:
                recorder.save(tensor.node, one, "checkpoint", "input", tensor.node.when)
    if inputs is not None:
        recorder.needed(inputs)
    return result


def _keep_inputs(machine: Machine, given: list[Tensor]) -> Node:
    """A node that keeps the inputs as they are before the function runs, which may write them."""
    node = machine.recorder.node("checkpoint", given, NEVER)
    for one in given:
        machine.recorder.save(node, one, "checkpoint", "input", NEVER)
    return node
