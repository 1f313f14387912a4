"""Functions that run a backward pass, and functions that write gradients."""

from __future__ import annotations

from inplace_lsp.interpret.autograd import ops
from inplace_lsp.interpret.autograd.recorder import GRADIENT
from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Items, Mapping, Tensor, Value, is_false, is_none


def keeps_graph(retain_graph: Value, *, create: bool) -> bool:
    """Return whether a backward keeps the graph that it walks, `create`: makes one of its own. An unknown flag may keep
    it."""
    return not is_false(retain_graph) or create


_VALUES = "it says what is summed into gradients, not what a walk needs"


@intrinsic(
    "torch.autograd.backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, "
    "inputs=None)",
    grad_tensors=_VALUES,
    grad_variables=_VALUES,
)
def _run_backward(machine: Machine, tensors: Value, retain_graph: Value, create_graph: Value, inputs: Value) -> Value:
    """Run backward from the tensors."""
    recorder = machine.recorder
    targets = ops.tensors_in(recorder, inputs) if not is_none(inputs) else None
    machine.gradient_evidence = True
    create = machine.decide_truth(create_graph)
    roots = ops.tensors_in(recorder, tensors)
    recorder.run_backward(roots, retain=keeps_graph(retain_graph, create=create), inputs=targets, create=create)
    return NONE


@intrinsic(
    "torch.autograd.grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, "
    "allow_unused=None, is_grads_batched=False, materialize_grads=False)",
    grad_outputs=_VALUES,
    only_inputs="torch ignores it",
    allow_unused="it says what happens to inputs that no path leads to",
    is_grads_batched=_VALUES,
    materialize_grads=_VALUES,
)
def _compute_gradients(
    machine: Machine, outputs: Value, inputs: Value, retain_graph: Value, create_graph: Value
) -> Value:
    """Run backward from the outputs to the inputs; with `create_graph` the gradients have a graph."""
    recorder = machine.recorder
    roots, leaves = ops.tensors_in(recorder, outputs), ops.tensors_in(recorder, inputs)
    create = machine.decide_truth(create_graph)
    retain = create if is_none(retain_graph) else not is_false(retain_graph)
    machine.gradient_evidence = True
    recorder.run_backward(roots, retain=retain, inputs=leaves, accumulate=False)
    needs = recorder.needs_grad(roots) if create else None
    made: list[Value] = []
    for name in [f"{leaf.name}.grad" for leaf in leaves] or ["grad"]:
        node = recorder.new_node(GRADIENT, [*roots, *leaves], needs) if needs else None
        made.append(recorder.new_tensor("grad", name=name, requires_grad=needs or recorder.needs_grad(()), node=node))
    if isinstance(inputs, Mapping) and len(made) == len(inputs.items):
        return Mapping(dict(zip(inputs.items, made, strict=True)))
    return Items("tuple", made)


_HOW_MUCH = "it says by how much gradients shrink"


@intrinsic(
    "torch.nn.utils.clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None)",
    "torch.nn.utils.clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None)",
    "torch.nn.utils.clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None)",
    max_norm=_HOW_MUCH,
    norm_type=_HOW_MUCH,
    total_norm=_HOW_MUCH,
    error_if_nonfinite="what raises ends the program",
    foreach="it says how fast gradients are written",
)
def _clip_norm(machine: Machine, parameters: Value) -> Value:
    """Write the gradients of the parameters and return their norm."""
    _write_gradients(machine, parameters, "clip_grad_norm_")
    return machine.recorder.new_tensor("clip_grad_norm_")


@intrinsic(
    "torch.nn.utils.clip_grad_value_(parameters, clip_value, foreach=None)",
    clip_value=_HOW_MUCH,
    foreach="it says how fast gradients are written",
)
def _clip_value(machine: Machine, parameters: Value) -> Value:
    """Write the gradients of the parameters."""
    _write_gradients(machine, parameters, "clip_grad_value_")
    return NONE


def _write_gradients(machine: Machine, parameters: Value, op: str) -> None:
    with machine.recorder.set_grad_mode(False):
        for tensor in ops.tensors_in(machine.recorder, parameters):
            if isinstance(tensor.grad, Tensor):
                machine.recorder.write_tensor(tensor.grad, op)
