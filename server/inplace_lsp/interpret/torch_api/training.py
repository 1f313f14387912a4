"""What drives a training besides optimizers: loss scalers, and the objects of other libraries that walk a loss."""

from __future__ import annotations

from inplace_lsp.interpret.autograd.ops import tensor_of
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Items, Known, Method, Value, object_with
from inplace_lsp.interpret.torch_api.tensor_methods import is_true, torch_call


def walking(machine: Machine) -> Method:
    """`accelerator.backward(loss)`, `self.manual_backward(loss)`: the loss is walked."""

    def run(arguments: list[Value], keywords: dict[str, Value]) -> Value:
        loss = tensor_of(machine.recorder, arguments[0] if arguments else keywords.get("loss", NONE))
        retain = any(is_true(keywords.get(name, NONE)) for name in ("retain_graph", "create_graph"))
        machine.gradient_evidence = True
        machine.recorder.backward([loss] if loss is not None else [], retain=retain)
        return NONE

    return run


def scaler(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`torch.amp.GradScaler(...)`: scales a loss by a number it keeps, and steps optimizers."""
    enabled = keywords.get("enabled", Known(True))
    idle = isinstance(enabled, Known) and not enabled.value

    def scale(given: list[Value], named: dict[str, Value]) -> Value:
        loss = given[0] if given else named.get("outputs", NONE)
        if isinstance(loss, Items):
            return Items(loss.kind, [scale([one], {}) for one in loss.items])
        factor = machine.recorder.fresh("scale")
        return loss if idle else torch_call(machine, "torch.mul", [loss, factor], {})

    def step(given: list[Value], named: dict[str, Value]) -> Value:
        return machine.call(machine.attribute(given[0], "step"), given[1:], named, "step") if given else NONE

    def nothing(given: list[Value], named: dict[str, Value]) -> Value:
        return NONE

    return object_with("GradScaler", {"scale": scale, "step": step, **dict.fromkeys(("unscale_", "update"), nothing)})


def accelerator(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`accelerate.Accelerator()`, `lightning.Fabric()`: they hand back what they prepare, and walk losses."""

    def same(given: list[Value], named: dict[str, Value]) -> Value:
        return given[0] if len(given) == 1 else Items("tuple", list(given))

    preparing = ("prepare", "prepare_model", "setup", "setup_module", "setup_optimizers", "setup_dataloaders")
    return object_with(text or "accelerator", {"backward": walking(machine), **dict.fromkeys(preparing, same)})
