"""Ways to change a plan after a trial run failed, the likeliest first.

Nothing here knows particular messages of torch. Numbers in an error are taken as sizes and ranks, quoted words as
names, and the names in the statement that failed as those to be changed first; all the rest is order.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import permutations, zip_longest

from inplace_lsp.verify.inputs import names
from inplace_lsp.verify.inputs.errors import numbers, quoted
from inplace_lsp.verify.inputs.guess import tensor
from inplace_lsp.verify.inputs.plan import Plan, own_parameters
from inplace_lsp.verify.inputs.program import Parameter
from inplace_lsp.verify.inputs.recipes import (
    NONE,
    Dtype,
    Group,
    Number,
    Path,
    Recipe,
    Tensor,
    Text,
    groups,
    leaves,
    replaced,
)

_LADDER = (1, 2, 3, 4, 8, 16, 32, 64)
_IDENTITY = Text("torch.nn.Identity()")
_DTYPES: tuple[Dtype, ...] = ("float", "long", "bool")
_RANKS = range(6)

Named = Callable[[str], Recipe]


def changes(plan: Plan, error: str, suspects: frozenset[str], missing: Named) -> Iterator[Group]:
    """Other roots to try. `suspects` are the arguments the failed statement depends on; `missing` makes one by name."""
    root = plan.root
    told = numbers(error)
    yield from _texts(root, quoted(error))
    yield from _parameters(root, quoted(error), missing)
    order = sorted(leaves(root), key=lambda item: _rank_of(item[0], suspects))
    tensors = (
        _alike(root, path, leaf, one)
        for path, leaf in order
        if isinstance(leaf, Tensor)
        for one in _tensors(leaf, told)
    )
    yield from _in_turn(_exchanges(root, told), tensors)
    yield from _shifts(root, told)
    for path, leaf in order:
        yield from (replaced(root, path, one) for one in _kinds(leaf, path[-1]))
    yield from _together(root, told)
    yield from _numbers(root, told)
    yield from _given(root, plan, suspects, missing)


def _in_turn(*sources: Iterator[Group]) -> Iterator[Group]:
    """One of each, then the next of each: neither kind of change may keep the other waiting."""
    for row in zip_longest(*sources):
        yield from (one for one in row if one is not None)


def variants(plan: Plan, missing: Named, flags: Iterable[Parameter] = ()) -> Iterator[Group]:
    """Other ways through a function that runs: one tensor for several arguments, flags turned, those of the constructor
    among them, and arguments given that have a default."""
    yield from _the_same(plan.root)
    yield from _flags(plan.root, flags)
    yield from _given(plan.root, plan, frozenset(), missing)
    for path, leaf in leaves(plan.root):
        if isinstance(leaf, Text) and leaf.text in ("True", "False"):
            yield replaced(plan.root, path, Text(str(leaf.text == "False")))


def _flags(root: Group, flags: Iterable[Parameter]) -> Iterator[Group]:
    """The truths that a constructor takes by default, turned."""
    made = root.get("receiver")
    if not isinstance(made, Group):
        return
    for one in flags:
        default = one.default
        if isinstance(default, ast.Constant) and isinstance(default.value, bool) and made.get(one.name) is None:
            yield root.put("receiver", made.put(one.name, Text(str(not default.value))))


def _the_same(root: Group) -> Iterator[Group]:
    """The first tensor among the arguments in the place of the others like it."""
    arguments = root.get("arguments")
    assert isinstance(arguments, Group)
    tensors = [(name, one) for name, one in arguments.items if isinstance(one, Tensor)]
    for at, (first, one) in enumerate(tensors[:-1]):
        alike = [name for name, other in tensors[at + 1 :] if _is_like(one, other)]
        changed = arguments
        for name in alike:
            changed = changed.put(name, Text(first))
        if alike:
            yield root.put("arguments", changed)
            return


def _is_like(one: Tensor, other: Tensor) -> bool:
    return (len(one.shape), one.dtype, one.grad) == (len(other.shape), other.dtype, other.grad)


def _rank_of(path: Path, suspects: frozenset[str]) -> tuple[bool, bool]:
    return (len(path) < 2 or path[1] not in suspects, path[0] == "receiver")


def _parameters(root: Group, words: tuple[str, ...], missing: Named) -> Iterator[Group]:
    """What a message names is added to where it is missing, or taken away."""
    for path, group in groups(root):
        if not path or group.head in ("[", "("):
            continue
        for word in words:
            if group.get(word) is None and path[0] == "receiver":
                yield replaced(root, path, group.put(word, missing(word)))
            elif group.get(word) is not None and group.head != "{":
                yield replaced(root, path, group.put(word, None))
            elif group.get(word) is None and len(path) > 1:
                yield replaced(root, path, group.put(word, missing(word)))
        fresh = [word for word in words if group.get(word) is None]
        if len(fresh) > 1 and path[0] == "receiver":
            for word in fresh:
                group = group.put(word, missing(word))
            yield replaced(root, path, group)


def _texts(root: Group, words: tuple[str, ...]) -> Iterator[Group]:
    """A text that a message quotes beside others was none of those it wants."""
    for path, leaf in leaves(root):
        if isinstance(leaf, Text) and leaf.text[:1] in "'\"":
            yield from (replaced(root, path, Text(repr(word))) for word in words if repr(word) != leaf.text)


def _alike(root: Group, path: Path, old: Tensor, new: Tensor) -> Group:
    """`root` with a tensor changed, and with it those of the same list that are like it."""
    for other, leaf in leaves(root):
        if other[:-1] == path[:-1] and leaf == old and (other == path or path[-1].isdigit()):
            root = replaced(root, other, new)
    return root


def _exchanges(root: Group, told: tuple[int, ...]) -> Iterator[Group]:
    """A size in the message becomes another number of the message: at one place, or wherever it stands."""
    for old in told:
        for new in told:
            if new in (old, 0):
                continue
            everywhere = root
            for path, leaf in leaves(root):
                if isinstance(leaf, Tensor) and old in leaf.shape:
                    everywhere = replaced(everywhere, path, _resized(leaf, old, new))
            if everywhere is not root:
                yield everywhere
            numbers_too = _renumbered(everywhere, old, new)
            if numbers_too is not everywhere:
                yield numbers_too
            for path, leaf in leaves(root):
                if isinstance(leaf, Tensor):
                    for at, size in enumerate(leaf.shape):
                        if size == old:
                            shape = (*leaf.shape[:at], new, *leaf.shape[at + 1 :])
                            yield replaced(root, path, replace(leaf, shape=shape))
                elif isinstance(leaf, Number) and leaf.value == old:
                    yield replaced(root, path, Number(new))


def _shifts(root: Group, told: tuple[int, ...]) -> Iterator[Group]:
    """A size that is not in the message, being one of those that make up a sum, changes by as much as the sum must."""
    for old, new in permutations(told, 2):
        for path, leaf in leaves(root):
            if isinstance(leaf, Tensor):
                for at, size in enumerate(leaf.shape):
                    if size not in told and size + new - old > 0:
                        shape = (*leaf.shape[:at], size + new - old, *leaf.shape[at + 1 :])
                        yield replaced(root, path, replace(leaf, shape=shape))


def _renumbered(root: Group, old: int, new: int) -> Group:
    for path, leaf in leaves(root):
        if isinstance(leaf, Number) and leaf.value == old:
            root = replaced(root, path, Number(new))
    return root


def _resized(leaf: Tensor, old: int, new: int) -> Tensor:
    return replace(leaf, shape=tuple(new if size == old else size for size in leaf.shape))


def _tensors(leaf: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Other ranks, dtypes and sizes of one tensor."""
    rank = len(leaf.shape)
    close = [r for r in (rank + 1, rank - 1) if r in _RANKS]
    for other in dict.fromkeys([*(r for r in told if r in _RANKS), *close]):
        if other != rank:
            yield replace(leaf, shape=_with_rank(leaf.shape, other))
            yield replace(leaf, shape=names.default_shape(other))
    if rank >= 3:
        for scale in (2, 4, 14, 0.5):
            last = tuple(max(1, int(size * scale)) for size in leaf.shape[-2:])
            yield replace(leaf, shape=(*leaf.shape[:-2], *last))
    for dtype in _DTYPES:
        if dtype != leaf.dtype:
            yield replace(leaf, dtype=dtype)
            yield replace(leaf, dtype=dtype, shape=leaf.shape[:-1])
    for at in range(rank - 1, -1, -1):
        for size in (1, 2, 3, 4, *told, names.WIDTH):
            if size not in (leaf.shape[at], 0):
                yield replace(leaf, shape=(*leaf.shape[:at], size, *leaf.shape[at + 1 :]))
    if rank >= 2:
        yield replace(leaf, shape=(*leaf.shape[:-2], leaf.shape[-1], leaf.shape[-1]))
    if leaf.leaf is False:
        yield replace(leaf, leaf=True)
    if leaf.grad:
        yield replace(leaf, grad=False)
    for other in _RANKS:
        if other != rank and other not in close:
            yield replace(leaf, shape=names.default_shape(other))


def _with_rank(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    usual = names.default_shape(rank)
    return (*usual[: rank - len(shape)], *shape) if rank > len(shape) else shape[len(shape) - rank :]


def _kinds(leaf: Recipe, name: str) -> Iterator[Recipe]:
    """Something else altogether in the place of a leaf."""
    if isinstance(leaf, Text) and leaf.sure:
        return
    if not isinstance(leaf, Tensor):
        yield tensor(name)
    if not isinstance(leaf, Number):
        yield names.number(name)
    size = names.number(name)
    pair = leaf if isinstance(leaf, (Tensor, Number)) else tensor(name)
    yield Group("[", (("0", pair), ("1", pair)))
    yield Group("(", (("0", pair), ("1", pair)))
    yield Group("[", (("0", pair), ("1", pair), ("2", pair), ("3", pair)))
    yield Group("(", (("0", pair), ("1", pair), ("2", pair)))
    if leaf != NONE:
        yield NONE
    yield _IDENTITY
    yield Text("torch.nn.ReLU")
    yield Text("True")
    yield names.string(name)
    yield Group("(", (("0", size), ("1", size)))


def _together(root: Group, told: tuple[int, ...]) -> Iterator[Group]:
    """All floating tensors changed alike: one shape, one rank."""
    tensors = [(path, leaf) for path, leaf in leaves(root) if isinstance(leaf, Tensor) and leaf.dtype == "float"]
    if len(tensors) < 2:
        return
    shapes = [leaf.shape for _, leaf in tensors] + [
        names.default_shape(rank) for rank in (*told, 1, 2, 3, 4) if rank in _RANKS
    ]
    for shape in dict.fromkeys(shapes):
        changed = root
        for path, leaf in tensors:
            changed = replaced(changed, path, replace(leaf, shape=shape))
        yield changed


def _numbers(root: Group, told: tuple[int, ...]) -> Iterator[Group]:
    """Other numbers."""
    for path, leaf in leaves(root):
        if isinstance(leaf, Number):
            for value in dict.fromkeys([*told, *_LADDER, 0, -1, 0.5]):
                if value != leaf.value:
                    yield replaced(root, path, Number(value))


def _given(root: Group, plan: Plan, suspects: frozenset[str], missing: Named) -> Iterator[Group]:
    """Arguments that have a default, given all the same."""
    arguments = root.get("arguments")
    assert isinstance(arguments, Group)
    absent = [
        p for p in own_parameters(plan.target) if p.kind in ("plain", "keyword") and arguments.get(p.name) is None
    ]
    for one in sorted(absent, key=lambda p: p.name not in suspects):
        if isinstance(one.default, ast.Constant) and isinstance(one.default.value, bool):
            yield root.put("arguments", arguments.put(one.name, Text(str(not one.default.value))))
            continue
        yield root.put("arguments", arguments.put(one.name, missing(one.name)))
        yield root.put("arguments", arguments.put(one.name, tensor(one.name)))
