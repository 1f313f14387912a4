"""The transforms of `torch.func`: functions made of functions."""

from __future__ import annotations

from inplace_lsp.interpret.machine.machine import Handler, Machine
from inplace_lsp.interpret.state.values import NONE, Items, Mapping, Native, Tensor, Value


def _grad(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`grad(f)`: it walks a graph of its own, out of which only what `f` closes over leads."""
    return Native(lambda given, named: _like(machine, given[0], text) if given else machine.unknown(text), "grad")


def _grad_and_value(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    def run(given: list[Value], named: dict[str, Value]) -> Value:
        gradient = _like(machine, given[0], text) if given else machine.unknown(text)
        return Items("tuple", [gradient, machine.unknown(text)])

    return Native(run, "grad_and_value")


def _like(machine: Machine, value: Value, text: str) -> Value:
    """Something not known in the place of every tensor of `value`."""
    if isinstance(value, Items):
        return value.holding([_like(machine, one, text) for one in value.items])
    if isinstance(value, Mapping):
        return Mapping({key: _like(machine, one, text) for key, one in value.items.items()}, value.open)
    return machine.unknown(text)


def _vmap(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`vmap(f)`: what `f` does to a part of its arguments is done to all of them at once."""
    function = arguments[0] if arguments else NONE

    def run(given: list[Value], named: dict[str, Value]) -> Value:
        parts = [_part(machine, one) for one in given]
        return _whole(machine.call(function, parts, named, text))

    return Native(run, "vmap")


def _part(machine: Machine, value: Value) -> Value:
    """An argument as the function sees it: views of its tensors with a dimension less."""
    if isinstance(value, Tensor) and not value.array:
        return machine.recorder.view(value, "select")
    if isinstance(value, Items):
        return value.holding([_part(machine, one) for one in value.items])
    if isinstance(value, Mapping):
        return Mapping({key: _part(machine, one) for key, one in value.items.items()}, value.open)
    return value


def _whole(value: Value) -> Value:
    """A result as the caller gets it: of a shape that is not known."""
    if isinstance(value, Tensor):
        value.shape, value.layout = None, None
    elif isinstance(value, Items):
        for one in value.items:
            _whole(one)
    return value


FUNCTIONS: dict[str, Handler] = {
    "torch.func.grad": _grad,
    "torch.func.grad_and_value": _grad_and_value,
    "torch.vmap": _vmap,
    "torch.func.vmap": _vmap,
}
