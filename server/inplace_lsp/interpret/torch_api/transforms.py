"""The transforms of `torch.func`: functions made of functions."""

from __future__ import annotations

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Items, Known, Mapping, Native, Tensor, Value, is_none, is_true

FIRST = Known(0)


_WHICH = "whichever argument it is, the gradient has a graph of its own"


@intrinsic("torch.func.grad(func, argnums=0, has_aux=False)", func=_WHICH, argnums=_WHICH)
def _grad(machine: Machine, has_aux: Value, text: str) -> Value:
    """A function that walks a graph of its own, out of which only what `func` closes over leads."""
    return Native(lambda given, named: _gradient(machine, given, text, pair=is_true(has_aux)), "grad")


@intrinsic("torch.func.grad_and_value(func, argnums=0, has_aux=False)", func=_WHICH, argnums=_WHICH, has_aux=_WHICH)
def _grad_and_value(machine: Machine, text: str) -> Value:
    """A function that walks a graph of its own, and gives the value, too."""
    return Native(lambda given, named: _gradient(machine, given, text, pair=True), "grad_and_value")


def _gradient(machine: Machine, given: list[Value], text: str, *, pair: bool) -> Value:
    gradient = _like(machine, given[0], text) if given else machine.unknown(text)
    return Items("tuple", [gradient, machine.unknown(text)]) if pair else gradient


def _like(machine: Machine, value: Value, text: str) -> Value:
    """Something not known in the place of every tensor of `value`."""
    if isinstance(value, Items):
        return value.holding([_like(machine, one, text) for one in value.items])
    if isinstance(value, Mapping):
        return Mapping({key: _like(machine, one, text) for key, one in value.items.items()}, value.open)
    return machine.unknown(text)


_HOW = "all parts are computed at once, however they are chosen"


@intrinsic(
    "torch.func.vmap(func, in_dims=0, out_dims=0, randomness='error', *, chunk_size=None)",
    out_dims=_HOW,
    randomness=_HOW,
    chunk_size=_HOW,
)
def _vmap(machine: Machine, func: Value, in_dims: Value, text: str) -> Value:
    """A function that does to all arguments at once what `func` does to a part of each."""

    def run(given: list[Value], named: dict[str, Value]) -> Value:
        parts = _part(machine, Items("tuple", given), in_dims)
        positional = parts.items if isinstance(parts, Items) else given
        return _whole(machine.call(func, positional, {k: _part(machine, v, FIRST) for k, v in named.items()}, text))

    return Native(run, "vmap")


def _part(machine: Machine, value: Value, dim: Value) -> Value:
    """An argument as the function sees it: views of its tensors without `dim`; as it is where that is None."""
    if is_none(dim):
        return value
    if isinstance(value, Tensor) and not value.array:
        return machine.recorder.view(value, "select")
    if isinstance(value, Items):
        dims = dim.items if isinstance(dim, Items) and len(dim.items) == len(value.items) else [dim] * len(value.items)
        return value.holding([_part(machine, one, of) for one, of in zip(value.items, dims, strict=True)])
    if isinstance(value, Mapping):
        dims_by_key = dim.items if isinstance(dim, Mapping) else dict.fromkeys(value.items, dim)
        return Mapping(
            {key: _part(machine, one, dims_by_key.get(key, FIRST)) for key, one in value.items.items()}, value.open
        )
    return value


def _whole(value: Value) -> Value:
    """A result as the caller gets it: of a shape that is not known."""
    if isinstance(value, Tensor):
        value.shape, value.layout = None, None
    elif isinstance(value, Items):
        for one in value.items:
            _whole(one)
    return value
