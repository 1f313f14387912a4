"""`torch.autograd.Function`: `forward` runs without autograd; what it saves on its context is saved by its node."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from inplace_lsp.interpret.autograd import ops
from inplace_lsp.interpret.autograd.recorder import FLOATS
from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.signatures import put_first
from inplace_lsp.interpret.state.values import (
    NONE,
    Class,
    Function,
    Instance,
    Items,
    Native,
    Node,
    Tensor,
    Unknown,
    Value,
)
from inplace_lsp.source import ir
from inplace_lsp.source.ir import walk_nodes
from inplace_lsp.tape.model import NEVER, ViewKind


@dataclass(slots=True)
class _Context:
    """The `ctx` of a forward, and the tensors passed to its methods."""

    value: Instance
    saved: list[Value] = field(default_factory=list)
    dirty: list[Value] = field(default_factory=list)
    without_gradient: list[Value] = field(default_factory=list)


def is_custom_function(cls: Class) -> bool:
    """Return whether the class is a custom `torch.autograd.Function`."""
    return any(name.endswith("Function") and "autograd" in name for c in cls.list_lineage() for name in c.library)


@intrinsic("torch.autograd.Function.apply(cls, /, *args)")
def _apply_class(machine: Machine, cls: Class, args: Items, text: str) -> Value:
    """Run the forward without autograd and record it as one node."""
    return apply_function(machine, cls, args.items, text)


def apply_function(machine: Machine, cls: Class, arguments: list[Value], text: str) -> Value:
    """Call `MyFunction.apply(...)`."""
    forward = cls.look_up("forward")
    if not isinstance(forward, Function):
        return machine.make_unknown(text or f"{cls.name}.apply", arguments)
    recorder = machine.recorder
    context = _make_context()
    inputs = [t for a in arguments if _is_tensor(a) for t in ops.tensors_in(recorder, a)]
    needs = recorder.needs_floats(inputs)
    op = f"{cls.name}.apply"
    node = recorder.new_node(op, inputs, needs) if needs else None
    since = len(recorder.events)
    mode, recorder.grad_mode = recorder.grad_mode, False
    try:
        result = _run_forward(machine, cls, context.value, arguments)
    finally:
        recorder.grad_mode = mode
    dirty = ops.tensors_in(recorder, Items("tuple", context.dirty))
    outputs = ops.tensors_in(recorder, result)
    made = [tensor for tensor in outputs if tensor not in context.without_gradient and tensor.dtype in FLOATS]
    _mark_views(made, [*dirty, *inputs])
    if node is None:
        return result
    _mark_undeclared_writes(machine, inputs, dirty, since)
    for tensor in dirty:
        recorder.declare_write(since, tensor, node, needs)
    _save_for_backward(machine, cls, node, context, outputs)
    _connect_results(machine, made, node, dirty)
    _prepare_backward(machine, cls, node, context, len(outputs))
    untouched = [tensor for tensor in inputs if tensor not in dirty]
    return _replace_returned_inputs(machine, result, node, untouched, several=len(made) > 1)


def _mark_views(made: list[Tensor], others: list[Tensor]) -> None:
    """Mark the views that the forward has made: they may not be written, whether they need a gradient or not."""
    for tensor in made:
        if tensor.base is not None and tensor not in others:
            tensor.view = ViewKind.MULTI_OUTPUT if len(made) > 1 else ViewKind.CUSTOM


def _is_tensor(argument: Value) -> bool:
    """Return whether autograd takes the argument for an input: an unknown counts only if used as a tensor."""
    return not isinstance(argument, Unknown) or argument.tensorlike or argument.tensor is not None


def _mark_undeclared_writes(machine: Machine, inputs: list[Tensor], dirty: list[Tensor], since: int) -> None:
    """Mark the writes to inputs that the forward did not pass to `mark_dirty`."""
    declared = {tensor.storage.id for tensor in dirty}
    silent = [tensor for tensor in inputs if tensor.storage.id not in declared]
    needs = reduce(or_, (machine.recorder.requires_grad(tensor) for tensor in silent), NEVER)
    if needs:
        changed = frozenset(tensor.storage.id for tensor in silent if machine.recorder.requires_grad(tensor))
        machine.recorder.mark_undeclared_writes(since, changed, needs)


def _save_for_backward(machine: Machine, cls: Class, node: Node, context: _Context, outputs: list[Tensor]) -> None:
    """Save the tensors of `save_for_backward` and the attributes of `ctx` that the backward reads."""
    recorder, op, asked = machine.recorder, f"{cls.name}.apply", _attributes_of_backward(machine, cls)
    if asked is None or "saved_tensors" in asked:
        for tensor in ops.tensors_in(recorder, Items("tuple", context.saved)):
            recorder.save_tensor(node, tensor, op, "result" if tensor in outputs else "input", node.when)
    for name, value in context.value.attributes.items():
        held = value if isinstance(value, (Tensor, Items)) and (asked is None or name in asked) else NONE
        for tensor in ops.tensors_in(recorder, held):
            recorder.keep_on_ctx(node, tensor, op, name)


def _attributes_of_backward(machine: Machine, cls: Class) -> frozenset[str] | None:
    """Return the names of attributes that the backward reads; None if its source is not visible."""
    backward = cls.look_up("backward")
    if not isinstance(backward, Function):
        return None
    machine.looked_into.add(id(backward.definition))
    return frozenset(node.name for node in walk_nodes(backward.definition.body) if isinstance(node, ir.Attribute))


def _connect_results(machine: Machine, made: list[Tensor], node: Node, dirty: list[Tensor]) -> None:
    """Make the Function's node the producer of its results."""
    for tensor in made:
        if tensor in dirty:
            continue
        tensor.node, tensor.requires_grad, tensor.leaf = node, tensor.requires_grad | node.when, False
        tensor.seen_version = tensor.counter.version


def _replace_returned_inputs(
    machine: Machine, result: Value, node: Node, untouched: list[Tensor], *, several: bool
) -> Value:
    """Return the result as the caller sees it: an input that is returned unchanged becomes a view of it."""
    if isinstance(result, Items):
        return result.copy_with_items(
            [_replace_returned_inputs(machine, item, node, untouched, several=several) for item in result.items]
        )
    if not isinstance(result, Tensor) or result not in untouched:
        return result
    view = machine.recorder.return_input(result, node, node.when)
    view.view = ViewKind.MULTI_OUTPUT if several else view.view
    return view


def _prepare_backward(machine: Machine, cls: Class, node: Node, context: _Context, outputs: int) -> None:
    """Let a backward pass that reaches `node` run the user's backward, which may write to what it gets."""
    backward = cls.look_up("backward")
    if not isinstance(backward, Function):
        return
    context.value.attributes["saved_tensors"] = Items("tuple", list(context.saved))

    def run_backward(summed: bool) -> None:
        gradients = [machine.recorder.new_gradient(summed) for _ in range(outputs)]
        with machine.recorder.set_grad_mode(False):
            machine.call(
                machine.get_attribute(cls, "backward"), [context.value, *gradients], {}, f"{cls.name}.backward"
            )

    node.backward = run_backward


def _run_forward(machine: Machine, cls: Class, context: Value, arguments: list[Value]) -> Value:
    setup = cls.look_up("setup_context")
    bound = machine.get_attribute(cls, "forward")
    if isinstance(setup, Function):
        result = machine.call(bound, arguments, {})
        machine.call(setup, [context, Items("tuple", list(arguments)), result], {})
        return result
    return machine.call(bound, put_first(context, arguments), {})


def _make_context() -> _Context:
    """Return a new `ctx`."""
    context = _Context(Instance(Class("ctx", (), (), {}), name="ctx"))

    def note_into(into: list[Value]) -> Native:
        def note_call(arguments: list[Value], keywords: dict[str, Value]) -> Value:
            into.extend(arguments)
            return NONE

        return Native(note_call)

    context.value.attributes["save_for_backward"] = note_into(context.saved)
    context.value.attributes["mark_dirty"] = note_into(context.dirty)
    context.value.attributes["mark_non_differentiable"] = note_into(context.without_gradient)
    for name in ("set_materialize_grads", "save_for_forward"):
        context.value.attributes[name] = note_into([])
    return context
