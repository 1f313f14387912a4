"""The transforms of `torch.func`: functions that make functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from inplace_lsp.interpret.autograd.ops import tensor_of, tensors_in
from inplace_lsp.interpret.autograd.walks import find_reachable
from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import (
    Items,
    Known,
    Mapping,
    Native,
    Tensor,
    Value,
    find_integer,
    is_none,
    is_true,
)
from inplace_lsp.interpret.torch_api.modelling import MODULE
from inplace_lsp.tape.model import ALWAYS, NEVER

FIRST = Known(0)


@intrinsic("torch.func.grad(func, argnums=0, has_aux=False)")
def _transform_grad(machine: Machine, func: Value, argnums: Value, has_aux: Value, text: str) -> Value:
    """Return a function that runs `func` and a backward through its own graph; closed-over tensors stay in theirs."""

    def compute_gradient(given: list[Value], named: dict[str, Value]) -> Value:
        gradient, result = _differentiate_call(machine, func, argnums, given, named, text)
        return Items("tuple", [gradient, _item_at(machine, result, 1, text)]) if is_true(has_aux) else gradient

    return Native(compute_gradient, "grad")


@intrinsic(
    "torch.func.grad_and_value(func, argnums=0, has_aux=False)",
    has_aux="the value is a pair then, as `func` returns it",
)
def _transform_grad_and_value(machine: Machine, func: Value, argnums: Value, text: str) -> Value:
    """Return the same function, which also returns the value."""
    return Native(
        lambda given, named: Items("tuple", list(_differentiate_call(machine, func, argnums, given, named, text))),
        "grad_and_value",
    )


def _read_argument_numbers(argnums: Value, count: int) -> list[int]:
    """Return the numbers that are known, counted from the first of `count` arguments."""
    listed = argnums.items if isinstance(argnums, Items) else [argnums]
    numbers = [number for value in listed if (number := find_integer(value)) is not None]
    return [number if number >= 0 else number + count for number in numbers]


def _differentiate_call(
    machine: Machine, func: Value, argnums: Value, given: list[Value], named: dict[str, Value], text: str
) -> tuple[Value, Value]:
    """Return the gradients of `func` with respect to some arguments, and its result."""
    recorder = machine.recorder
    wanted = _read_argument_numbers(argnums, len(given))
    leaves: list[Tensor] = []
    inside = [
        _track_argument(machine, argument, leaves) if at in wanted else argument for at, argument in enumerate(given)
    ]
    with recorder.set_grad_mode(True):
        result = machine.call(func, inside, named, text)
        roots = [tensor for tensor in tensors_in(recorder, result) if recorder.requires_grad(tensor)][:1]
        recorder.run_backward(roots, retain=True, inputs=leaves, accumulate=False)
    gradients = [_make_gradients(machine, given[at], roots, leaves, text) for at in wanted if at < len(given)]
    gradient = gradients[0] if len(gradients) == 1 else Items("tuple", gradients)
    return gradient if gradients else machine.make_unknown(text), _leave_level(machine, result, leaves)


def _track_argument(machine: Machine, value: Value, leaves: list[Tensor]) -> Value:
    """Return the argument with its tensors as leaves of a new graph, on the same memory."""
    recorder = machine.recorder

    def track_tensor(tensor: Tensor) -> Tensor:
        if recorder.needs_grad([tensor]):
            leaf = recorder.new_view(tensor, "view_as")
        else:
            leaf = recorder.new_alias(tensor, "detach", shares_counter=True)
        leaf.name, leaf.requires_grad = tensor.name, ALWAYS
        leaves.append(leaf)
        return leaf

    return _replace_tensors(value, track_tensor)


def _leave_level(machine: Machine, value: Value, leaves: Sequence[Tensor]) -> Value:
    """Return the result of `func` as its caller sees it: detached unless other leaves are reachable from it."""

    def detach_inner(tensor: Tensor) -> Tensor:
        if tensor.node is None or _find_outer_leaves([tensor], leaves):
            return tensor
        return machine.recorder.new_alias(tensor, "detach", shares_counter=True)

    return _replace_tensors(value, detach_inner)


@intrinsic(f"{MODULE}.enter_level(tensor, /)")
def _enter_level(machine: Machine, tensor: Value) -> Value:
    """Return the tensor as a transform gives it to a function: on the same memory, with versions of its own."""
    outside = tensor_of(machine.recorder, tensor)
    if outside is None:
        return tensor
    entered = machine.recorder.new_alias(outside, "view_as", shares_counter=False)
    entered.alias, entered.original = "", None
    return entered


@intrinsic(f"{MODULE}.leave_level(value, leaves, /)")
def _leave_level_of_model(machine: Machine, value: Value, leaves: Value) -> Value:
    """Return the result of a transform with its own versions. It has a graph only if that leads to more than
    `leaves`."""
    recorder, own = machine.recorder, tensors_in(machine.recorder, leaves)

    def hand_out(tensor: Tensor) -> Tensor:
        outer = _find_outer_leaves([tensor], own) if tensor.node is not None else []
        needs = recorder.needs_grad([tensor]) if outer else NEVER
        node = recorder.new_node("transform", [tensor], needs) if needs else None
        left = recorder.new_alias(tensor, "transform", shares_counter=False)
        left.node, left.requires_grad, left.leaf = node, needs, node is None
        left.alias, left.original = "", None
        return left

    return _replace_tensors(value, hand_out)


def _replace_tensors(value: Value, new: Callable[[Tensor], Tensor]) -> Value:
    """Return the value with new tensors for its tensors."""
    if isinstance(value, Tensor) and not value.array:
        return new(value)
    if isinstance(value, Items):
        return value.copy_with_items([_replace_tensors(item, new) for item in value.items])
    if isinstance(value, Mapping):
        return Mapping({key: _replace_tensors(item, new) for key, item in value.items.items()}, value.open)
    return value


def _find_outer_leaves(roots: Sequence[Tensor], leaves: Sequence[Tensor]) -> list[Tensor]:
    """Return the leaves of other graphs that are reachable from the results of `func`."""
    _, reached = find_reachable([root.node or root for root in roots])
    inner = {leaf.id for leaf in leaves if leaf.node is None}
    return [leaf for leaf in reached if leaf.id not in inner]


def _item_at(machine: Machine, value: Value, at: int, text: str) -> Value:
    known = isinstance(value, Items) and at < len(value.items)
    return value.items[at] if isinstance(value, Items) and known else machine.make_unknown(text)


def _make_gradients(
    machine: Machine, value: Value, roots: Sequence[Tensor], leaves: Sequence[Tensor], text: str
) -> Value:
    """Return a gradient for every tensor of `value`, with a graph if other leaves are reachable."""
    recorder = machine.recorder
    if isinstance(value, Items):
        return value.copy_with_items([_make_gradients(machine, item, roots, leaves, text) for item in value.items])
    if isinstance(value, Mapping):
        inside = {key: _make_gradients(machine, item, roots, leaves, text) for key, item in value.items.items()}
        return Mapping(inside, value.open)
    if not roots or not isinstance(value, Tensor):
        return machine.make_unknown(text)
    needs = recorder.needs_grad(_find_outer_leaves(roots, leaves))
    return recorder.new_tensor(
        "grad", requires_grad=needs, node=recorder.new_node("grad", roots, needs) if needs else None
    )


_HOW = "all parts are computed at once, however they are chosen"


@intrinsic(
    "torch.func.vmap(func, in_dims=0, out_dims=0, randomness='error', *, chunk_size=None)",
    out_dims=_HOW,
    randomness=_HOW,
    chunk_size=_HOW,
)
def _transform_vmap(machine: Machine, func: Value, in_dims: Value, text: str) -> Value:
    """Return a function that does to whole arguments what `func` does to one slice of each."""

    def run_vectorised(given: list[Value], named: dict[str, Value]) -> Value:
        parts = _select_part(machine, Items("tuple", given), in_dims)
        positional = parts.items if isinstance(parts, Items) else given
        return _forget_shape(
            machine.call(func, positional, {k: _select_part(machine, v, FIRST) for k, v in named.items()}, text)
        )

    return Native(run_vectorised, "vmap")


def _select_part(machine: Machine, value: Value, dim: Value) -> Value:
    """Return an argument as the function sees it: views of its tensors without `dim`; unchanged if that is None."""
    if is_none(dim):
        return value
    if isinstance(value, Tensor) and not value.array:
        return machine.recorder.new_view(value, "select")
    if isinstance(value, Items):
        dims = _dims_of_items(dim, len(value.items))
        parts = [_select_part(machine, item, of) for item, of in zip(value.items, dims, strict=True)]
        return value.copy_with_items(parts)
    if isinstance(value, Mapping):
        by_key = dim.items if isinstance(dim, Mapping) else dict.fromkeys(value.items, dim)
        entries = {key: _select_part(machine, item, by_key.get(key, FIRST)) for key, item in value.items.items()}
        return Mapping(entries, value.open)
    return value


def _dims_of_items(dim: Value, count: int) -> list[Value]:
    """Return the dimension of each element: one for all, or a list of as many."""
    return dim.items if isinstance(dim, Items) and len(dim.items) == count else [dim] * count


def _forget_shape(value: Value) -> Value:
    """Forget the shapes of a result, which vmap has extended."""
    if isinstance(value, Tensor):
        value.shape, value.layout = None, None
    elif isinstance(value, Items):
        for item in value.items:
            _forget_shape(item)
    return value
