"""Gradients that an op hands on to several of its inputs in one memory: a hook that writes one of them changes all.

Source: the derivatives of `add` and its like are `grad` itself, and the engine copies nothing on the way
(torch/csrc/autograd/engine.cpp). It runs the youngest node first, and accumulates the gradient of a leaf as soon as
that is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from inplace_lsp.interpret.state.values import Node, Tensor
from inplace_lsp.torch_ops import table


def find_sharing_node(target: Node | Tensor, walked: Sequence[Node], leaves: Iterable[Tensor]) -> Node | None:
    """Return a node of a backward that gives the gradient of `target` also to an input that uses it later. The backward
    runs the nodes `walked` and fills in the gradients of `leaves`."""
    giver = _find_only_user(target, walked)
    moment = target.id if isinstance(target, Node) else giver.id if giver is not None else 0
    used = {id(edge) for edge in (*walked, *leaves)}
    given: Node | Tensor = target
    while giver is not None and shares_gradient(giver, given):
        if _is_used_later(giver, _list_others(giver, given), moment, walked, used):
            return giver
        given, giver = giver, _find_only_user(giver, walked)
    return None


def _list_others(giver: Node, given: Node | Tensor) -> list[Node | Tensor]:
    """Return the other edges of `giver` whose gradients may be used after that of `given`: leaves get theirs in the
    order of the edges."""
    at = next(place for place, edge in enumerate(giver.edges) if edge is given)
    later = giver.edges[at + 1 :]
    return [*(edge for edge in giver.edges[:at] if isinstance(edge, Node)), *later]


def _find_only_user(target: Node | Tensor, walked: Sequence[Node]) -> Node | None:
    """Return the node that computes with the result of `target`; None if there are several, whose gradients are added
    up in a memory of their own."""
    users = list(_find_users(target, walked))
    return users[0] if len(users) == 1 else None


def _find_users(target: Node | Tensor, walked: Sequence[Node]) -> Iterator[Node]:
    """Yield every node that computes with the result of `target`, once for each time."""
    return (node for node in walked for edge in node.edges if edge is target)


def _is_used_later(
    giver: Node, edges: Sequence[Node | Tensor], moment: int, walked: Sequence[Node], used: set[int]
) -> bool:
    """Return whether a gradient that `giver` gives to one of `edges` is used after node `moment` has begun."""
    waiting = [(giver, edge) for edge in edges]
    seen: set[int] = set()
    while waiting:
        source, edge = waiting.pop()
        if id(edge) in seen or id(edge) not in used or not shares_gradient(source, edge):
            continue
        seen.add(id(edge))
        if any(moment < user.id < source.id for user in _find_users(edge, walked)):
            continue  # another gradient has been added by then
        if source.id == moment if isinstance(edge, Tensor) else edge.id < moment:
            return True
        if isinstance(edge, Node):
            waiting += [(edge, further) for further in edge.edges]
    return False


def shares_gradient(node: Node, edge: Node | Tensor) -> bool:
    """Return whether `node` passes on its own gradient to `edge`, instead of a gradient in a memory of its own."""
    inputs, sharing = _list_inputs(node.op)
    if not sharing or node.scaled or not _has_shape_of(edge, node, len(inputs)):
        return False
    if len(inputs) > 1 and any(isinstance(each, Node) and _may_convert(each.op) for each in node.edges):
        return False  # each input gets a gradient of its own type
    if sharing == inputs:
        return True
    at = next(place for place, each in enumerate(node.edges) if each is edge)
    return len(node.edges) == len(inputs) and inputs[at] in sharing


def has_known_shapes(node: Node) -> bool:
    """Return whether the shapes of an op's inputs and of its result are known."""
    return all(each.shape is not None and None not in each.shape for each in (node, *node.edges))


def _has_shape_of(edge: Node | Tensor, node: Node, inputs: int) -> bool:
    """Return whether the gradient is not summed over dimensions along which the op repeats the input. Of an
    activation whose shape is unknown it is assumed, of a parameter and of a view not."""
    if inputs == 1 or (edge.shape is not None and edge.shape == node.shape):
        return True
    unknown = edge.shape is None or node.shape is None or None in (*edge.shape, *node.shape)
    return unknown and isinstance(edge, Node) and edge.shows is None


@lru_cache(maxsize=256)
def _list_inputs(op: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the inputs of an op through which gradients flow, and those that share the gradient of its result."""
    overloads = [each for each in table.find_overloads(f"torch.Tensor.{op}") if each.shares_gradient]
    if not overloads:
        return (), ()
    widest = max(overloads, key=lambda each: len(each.differentiable))
    inputs = tuple(param.name for param in widest.params if param.name in widest.differentiable)
    return inputs, tuple(name for name in inputs if name in widest.shares_gradient)


@lru_cache(maxsize=256)
def _may_convert(op: str) -> bool:
    """Return whether an op may give its input another type: `to`, `double`."""
    overloads = table.find_overloads(f"torch.Tensor.{op}")
    return any(alias.kind == "maybe_same" for each in overloads for alias in each.aliases)
