"""`torch.autograd.Function`: `forward` runs outside the graph; what it keeps through its context is saved."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from inplace_lsp.interpret.autograd import ops
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
from inplace_lsp.source.ir import walk
from inplace_lsp.tape.model import NEVER, ViewKind


@dataclass(slots=True)
class _Context:
    """The `ctx` of a forward, and what was told to it."""

    value: Instance
    saved: list[Value] = field(default_factory=list)
    dirty: list[Value] = field(default_factory=list)
    without_gradient: list[Value] = field(default_factory=list)


def is_custom(cls: Class) -> bool:
    """Whether it is a custom `torch.autograd.Function`."""
    return any(name.endswith("Function") and "autograd" in name for c in cls.lineage() for name in c.library)


@intrinsic("torch.autograd.Function.apply(cls, /, *args)")
def _apply(machine: Machine, cls: Class, args: Items, text: str) -> Value:
    """Run the forward outside the graph, of which it becomes one node."""
    return apply(machine, cls, args.items, text)


def apply(machine: Machine, cls: Class, arguments: list[Value], text: str) -> Value:
    """`MyFunction.apply(...)`."""
    forward = cls.lookup("forward")
    if not isinstance(forward, Function):
        return machine.unknown(text or f"{cls.name}.apply", arguments)
    recorder = machine.recorder
    context = _context()
    inputs = [t for a in arguments if _is_tensor(a) for t in ops.tensors_in(recorder, a)]
    needs = recorder.needs_grad(t for t in inputs if t.dtype in ("float", ""))
    op = f"{cls.name}.apply"
    node = recorder.node(op, inputs, needs) if needs else None
    since = len(recorder.events)
    mode, recorder.grad_mode = recorder.grad_mode, False
    try:
        result = _run(machine, cls, context.value, arguments)
    finally:
        recorder.grad_mode = mode
    dirty = ops.tensors_in(recorder, Items("tuple", context.dirty))
    outputs = ops.tensors_in(recorder, result)
    made = [one for one in outputs if one not in context.without_gradient and one.dtype in ("float", "")]
    for one in made:  # a view made inside may not be written, whether it needs a gradient or not
        if one.base is not None and one not in dirty and one not in inputs:
            one.view = ViewKind.MULTI_OUTPUT if len(made) > 1 else ViewKind.CUSTOM
    if node is None:
        return result
    _blame(machine, inputs, dirty, since)
    for one in dirty:
        recorder.declared(since, one, node, needs)
    _keep(machine, cls, node, context, outputs)
    _connect(machine, made, node, dirty)
    _prepare_backward(machine, cls, node, context, len(outputs))
    untouched = [one for one in inputs if one not in dirty]
    return _handed_on(machine, result, node, untouched, several=len(made) > 1)


def _is_tensor(argument: Value) -> bool:
    """Whether autograd takes it for an input: what nobody uses as a tensor is taken for none."""
    return not isinstance(argument, Unknown) or argument.tensorlike or argument.tensor is not None


def _blame(machine: Machine, inputs: list[Tensor], dirty: list[Tensor], since: int) -> None:
    """Mark the writes to inputs of which the forward did not tell autograd."""
    told = {one.storage.id for one in dirty}
    silent = [one for one in inputs if one.storage.id not in told]
    needs = reduce(or_, (machine.recorder.requires_grad(one) for one in silent), NEVER)
    if needs:
        changed = frozenset(one.storage.id for one in silent if machine.recorder.requires_grad(one))
        machine.recorder.undeclared(since, changed, needs)


def _keep(machine: Machine, cls: Class, node: Node, context: _Context, outputs: list[Tensor]) -> None:
    """Save what was given to `save_for_backward` and what was put on `ctx`, if the backward asks for it."""
    recorder, op, asked = machine.recorder, f"{cls.name}.apply", _asked_for(machine, cls)
    if asked is None or "saved_tensors" in asked:
        for tensor in ops.tensors_in(recorder, Items("tuple", context.saved)):
            recorder.save(node, tensor, op, "result" if tensor in outputs else "input", node.when)
    for name, value in context.value.attributes.items():
        held = value if isinstance(value, (Tensor, Items)) and (asked is None or name in asked) else NONE
        for tensor in ops.tensors_in(recorder, held):
            recorder.keep(node, tensor, op, name)


def _asked_for(machine: Machine, cls: Class) -> frozenset[str] | None:
    """The attributes that the backward reads; None where it is not in sight. What it never asks for does not matter."""
    backward = cls.lookup("backward")
    if not isinstance(backward, Function):
        return None
    machine.looked_into.add(id(backward.definition))
    return frozenset(one.name for one in walk(backward.definition.body) if isinstance(one, ir.Attribute))


def _connect(machine: Machine, made: list[Tensor], node: Node, dirty: list[Tensor]) -> None:
    """The results come out of the Function's node."""
    for tensor in made:
        if tensor in dirty:
            continue
        tensor.node, tensor.requires_grad, tensor.leaf = node, tensor.requires_grad | node.when, False
        tensor.seen_version = tensor.counter.version


def _handed_on(machine: Machine, result: Value, node: Node, untouched: list[Tensor], *, several: bool) -> Value:
    """The result as the caller gets it: an input handed back as it is comes out as a view of it."""
    if isinstance(result, Items):
        return result.holding([_handed_on(machine, one, node, untouched, several=several) for one in result.items])
    if not isinstance(result, Tensor) or result not in untouched:
        return result
    view = machine.recorder.handed_back(result, node, node.when)
    view.view = ViewKind.MULTI_OUTPUT if several else view.view
    return view


def _prepare_backward(machine: Machine, cls: Class, node: Node, context: _Context, outputs: int) -> None:
    """Let a walk that comes to `node` run the user's backward: it may write what it is given and what it finds."""
    backward = cls.lookup("backward")
    if not isinstance(backward, Function):
        return
    context.value.attributes["saved_tensors"] = Items("tuple", list(context.saved))

    def run(summed: bool) -> None:
        gradients = [machine.recorder.gradient(summed) for _ in range(outputs)]
        with machine.recorder.set_grad_mode(False):
            machine.call(machine.attribute(cls, "backward"), [context.value, *gradients], {}, f"{cls.name}.backward")

    node.backward = run


def _run(machine: Machine, cls: Class, context: Value, arguments: list[Value]) -> Value:
    setup = cls.lookup("setup_context")
    bound = machine.attribute(cls, "forward")
    if isinstance(setup, Function):
        result = machine.call(bound, arguments, {})
        machine.call(setup, [context, Items("tuple", list(arguments)), result], {})
        return result
    return machine.call(bound, put_first(context, arguments), {})


def _context() -> _Context:
    """A new `ctx`."""
    context = _Context(Instance(Class("ctx", (), (), {}), name="ctx"))

    def noting(into: list[Value]) -> Native:
        def note(arguments: list[Value], keywords: dict[str, Value]) -> Value:
            into.extend(arguments)
            return NONE

        return Native(note)

    context.value.attributes["save_for_backward"] = noting(context.saved)
    context.value.attributes["mark_dirty"] = noting(context.dirty)
    context.value.attributes["mark_non_differentiable"] = noting(context.without_gradient)
    for name in ("set_materialize_grads", "save_for_forward"):
        context.value.attributes[name] = noting([])
    return context
