"""`torch.autograd.Function`: `forward` runs outside the graph; what it keeps through its context is saved."""

from __future__ import annotations

from inplace_lsp.interpret import ops
from inplace_lsp.interpret.machine import Machine
from inplace_lsp.interpret.relevance import walk
from inplace_lsp.interpret.values import NONE, Class, Function, Instance, Items, Native, Value
from inplace_lsp.source import ir


def apply(machine: Machine, cls: Class, arguments: list[Value], text: str) -> Value:
    """`MyFunction.apply(...)`."""
    forward = cls.lookup("forward")
    if not isinstance(forward, Function):
        return machine.unknown(text or f"{cls.name}.apply", arguments)
    recorder = machine.recorder
    saved: list[Value] = []
    context = _context(saved)
    inputs = [t for a in arguments for t in ops.tensors_in(recorder, a)]
    needs = recorder.needs_grad(t for t in inputs if t.dtype in ("float", ""))
    node = recorder.node(f"{cls.name}.apply", inputs, needs) if needs else None
    mode, recorder.grad_mode = recorder.grad_mode, False
    try:
        result = _run(machine, cls, forward, context, arguments)
    finally:
        recorder.grad_mode = mode
    outputs = ops.tensors_in(recorder, result)
    for tensor in outputs:
        if node is not None and tensor.dtype in ("float", ""):
            tensor.node, tensor.requires_grad, tensor.leaf = node, tensor.requires_grad | needs, False
            tensor.seen_version = tensor.counter.version
    if node is not None and _asks_for_saved(machine, cls):
        for tensor in ops.tensors_in(recorder, Items("tuple", saved)):
            role = "result" if tensor in outputs else "input"
            recorder.save(node, tensor, f"{cls.name}.apply", role, node.when)
    return result


def _asks_for_saved(machine: Machine, cls: Class) -> bool:
    """Whether the backward unpacks what was saved: what it never asks for is never checked."""
    backward = cls.lookup("backward")
    if not isinstance(backward, Function):
        return True
    machine.looked_into.add(id(backward.definition))
    nodes = walk(backward.definition.body)
    return any(isinstance(node, ir.Attribute) and node.name == "saved_tensors" for node in nodes)


def _run(machine: Machine, cls: Class, forward: Function, context: Value, arguments: list[Value]) -> Value:
    setup = cls.lookup("setup_context")
    if isinstance(setup, Function):
        result = machine.call(forward, arguments, {})
        machine.call(setup, [context, Items("tuple", list(arguments)), result], {})
        return result
    return machine.call(forward, [context, *arguments], {})


def _context(saved: list[Value]) -> Value:
    """The `ctx` of a forward: `save_for_backward` fills `saved`."""

    def keep(arguments: list[Value], keywords: dict[str, Value]) -> Value:
        saved.extend(arguments)
        return NONE

    def nothing(arguments: list[Value], keywords: dict[str, Value]) -> Value:
        return NONE

    context = Instance(Class("ctx", (), (), {}), name="ctx")
    context.attributes["save_for_backward"] = Native(keep)
    for name in ("mark_dirty", "mark_non_differentiable", "set_materialize_grads"):
        context.attributes[name] = Native(nothing)
    return context
