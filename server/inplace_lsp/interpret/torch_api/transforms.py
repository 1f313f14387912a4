"""The transforms of `torch.func`: functions made of functions."""

from __future__ import annotations

from collections.abc import Sequence

from inplace_lsp.interpret.autograd.ops import tensors_in
from inplace_lsp.interpret.autograd.walks import reachable
from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Items, Known, Mapping, Native, Tensor, Value, is_none, is_true
from inplace_lsp.tape.model import ALWAYS

FIRST = Known(0)


@intrinsic("torch.func.grad(func, argnums=0, has_aux=False)")
def _grad(machine: Machine, func: Value, argnums: Value, has_aux: Value, text: str) -> Value:
    """A function that runs `func` and walks a graph of its own; what `func` closes over is in other graphs, too."""

    def run(given: list[Value], named: dict[str, Value]) -> Value:
        gradient, result = _differentiate(machine, func, argnums, given, named, text)
        return Items("tuple", [gradient, _part_of(machine, result, 1, text)]) if is_true(has_aux) else gradient

    return Native(run, "grad")


@intrinsic(
    "torch.func.grad_and_value(func, argnums=0, has_aux=False)",
    has_aux="the value is a pair then, as `func` returns it",
)
def _grad_and_value(machine: Machine, func: Value, argnums: Value, text: str) -> Value:
    """The same, and the function gives the value, too."""
    return Native(
        lambda given, named: Items("tuple", list(_differentiate(machine, func, argnums, given, named, text))),
        "grad_and_value",
    )


def _differentiate(
    machine: Machine, func: Value, argnums: Value, given: list[Value], named: dict[str, Value], text: str
) -> tuple[Value, Value]:
    """The gradients of `func` with respect to some arguments, and what it returned."""
    recorder = machine.recorder
    numbers = argnums.items if isinstance(argnums, Items) else [argnums]
    wanted = [one.value for one in numbers if isinstance(one, Known) and isinstance(one.value, int)]
    wanted = [one if one >= 0 else one + len(given) for one in wanted]
    leaves: list[Tensor] = []
    inside = [_track(machine, one, leaves) if at in wanted else one for at, one in enumerate(given)]
    with recorder.set_grad_mode(True):
        result = machine.call(func, inside, named, text)
        roots = [one for one in tensors_in(recorder, result) if recorder.requires_grad(one)][:1]
        recorder.backward(roots, retain=True, inputs=leaves, accumulate=False)
    gradients = [_like(machine, given[at], roots, leaves, text) for at in wanted if at < len(given)]
    gradient = gradients[0] if len(gradients) == 1 else Items("tuple", gradients)
    return gradient if gradients else machine.unknown(text), _leave_level(machine, result, leaves)


def _track(machine: Machine, value: Value, leaves: list[Tensor]) -> Value:
    """The same argument with its tensors as leaves of a new graph, on the same memory."""
    if isinstance(value, Tensor) and not value.array:
        recorder = machine.recorder
        if recorder.needs_grad([value]):
            leaf = recorder.view(value, "view_as")
        else:
            leaf = recorder.alias(value, "detach", shares_counter=True)
        leaf.name, leaf.requires_grad = value.name, ALWAYS
        leaves.append(leaf)
        return leaf
    if isinstance(value, Items):
        return value.holding([_track(machine, one, leaves) for one in value.items])
    if isinstance(value, Mapping):
        return Mapping({key: _track(machine, one, leaves) for key, one in value.items.items()}, value.open)
    return value


def _leave_level(machine: Machine, value: Value, leaves: Sequence[Tensor]) -> Value:
    """What `func` returned as its caller sees it: without the graph of the arguments, unless that leads further."""
    if isinstance(value, Tensor) and value.node is not None:
        return value if _outside([value], leaves) else machine.recorder.alias(value, "detach", shares_counter=True)
    if isinstance(value, Items):
        return value.holding([_leave_level(machine, one, leaves) for one in value.items])
    if isinstance(value, Mapping):
        return Mapping({key: _leave_level(machine, one, leaves) for key, one in value.items.items()}, value.open)
    return value


def _outside(roots: Sequence[Tensor], leaves: Sequence[Tensor]) -> list[Tensor]:
    """The leaves of other graphs that the results of `func` lead to."""
    _, reached = reachable([one.node or one for one in roots])
    inner = {one.id for one in leaves if one.node is None}
    return [one for one in reached if one.id not in inner]


def _part_of(machine: Machine, value: Value, at: int, text: str) -> Value:
    known = isinstance(value, Items) and at < len(value.items)
    return value.items[at] if isinstance(value, Items) and known else machine.unknown(text)


def _like(machine: Machine, value: Value, roots: Sequence[Tensor], leaves: Sequence[Tensor], text: str) -> Value:
    """A gradient in the place of every tensor of `value`, in a graph if the results lead to other ones."""
    recorder = machine.recorder
    if isinstance(value, Items):
        return value.holding([_like(machine, one, roots, leaves, text) for one in value.items])
    if isinstance(value, Mapping):
        inside = {key: _like(machine, one, roots, leaves, text) for key, one in value.items.items()}
        return Mapping(inside, value.open)
    if not roots or not isinstance(value, Tensor):
        return machine.unknown(text)
    needs = recorder.needs_grad(_outside(roots, leaves))
    return recorder.fresh("grad", requires_grad=needs, node=recorder.node("grad", roots, needs) if needs else None)


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
