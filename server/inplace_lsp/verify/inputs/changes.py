"""Ways to change a plan after a trial run failed, the likeliest first.

What torch's own message asks for comes first (`mends.py`). Nothing else here knows particular messages: numbers in an
error are taken as sizes and ranks, quoted words as names, and the names in the statement that failed as those to be
changed first; all the rest is order.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import permutations, zip_longest

from inplace_lsp.uses.types import Dtype
from inplace_lsp.verify.inputs import names
from inplace_lsp.verify.inputs.errors import numbers_in, quoted_names
from inplace_lsp.verify.inputs.guess import NAMESPACE, guess_tensor
from inplace_lsp.verify.inputs.mends import ABOUT_SHARES, make_room, mend_tensor
from inplace_lsp.verify.inputs.plan import Plan
from inplace_lsp.verify.inputs.program import Parameter, own_parameters
from inplace_lsp.verify.inputs.recipes import (
    NONE,
    Group,
    Number,
    Path,
    Recipe,
    Tensor,
    Text,
    groups_of,
    leaves_of,
    recipe_at,
    replace_at,
)

_LADDER = (1, 2, 3, 4, 8, 16, 32, 64)
_LAYER = Text(f"{names.LAYER}()")
_DTYPES: tuple[Dtype, ...] = ("float", "long", "bool")
_RANKS = range(6)

Named = Callable[[str], Recipe]


def propose_changes(plan: Plan, error: str, suspects: frozenset[str], missing: Named) -> Iterator[Group]:
    """Other roots to try. `suspects` are the arguments the failed statement depends on; `missing` makes one by name."""
    root = plan.root
    numbers = numbers_in(error)
    yield from _share_models(root, error)
    yield from _read_texts_as_numbers(root, error)
    yield from _halve_from_one_to_next(root, error)
    order = sorted(leaves_of(root), key=lambda item: _rank_of_path(item[0], suspects))
    for path, leaf in order:
        if isinstance(leaf, Tensor):
            yield from (_change_alike(root, path, leaf, mended) for mended in mend_tensor(leaf, error))
    yield from _replace_defaults(root, plan, numbers, missing)
    yield from _replace_texts(root, quoted_names(error))
    yield from _add_or_remove_parameters(root, quoted_names(error), missing)
    tensors = (
        _change_alike(root, path, leaf, changed)
        for path, leaf in order
        if isinstance(leaf, Tensor)
        for changed in _change_tensor(leaf, numbers)
    )
    yield from _interleave(_exchange_sizes(root, numbers), tensors)
    yield from _shift_sizes(root, numbers)
    for path, leaf in order:
        yield from (replace_at(root, path, kind) for kind in _change_kind(leaf, path[-1]))
    yield from _change_all_tensors(root, numbers)
    yield from _change_numbers(root, numbers)
    yield from _pass_defaults(root, plan, suspects, missing)


def _share_models(root: Group, error: str) -> Iterator[Group]:
    """Yield the plan with a made-up model whose results are between 0 and 1, where an error asks for that."""
    for path, leaf in leaves_of(root) if ABOUT_SHARES in error else ():
        if isinstance(leaf, Text) and leaf.text.startswith(names.MODEL) and not leaf.text.endswith(_SHARING):
            yield replace_at(root, path, Text(leaf.text + _SHARING))


_SHARING = ".sharing()"


def enlarge_for_index(root: Group, error: str, largest: int) -> Iterator[Group]:
    """Yield the plan with tensors that have room for the `largest` number that the failed statement names, where an
    index was out of bounds."""
    for path, leaf in leaves_of(root):
        if isinstance(leaf, Tensor):
            yield from (replace_at(root, path, changed) for changed in make_room(leaf, error, largest))


def _read_texts_as_numbers(root: Group, error: str) -> Iterator[Group]:
    """Yield the plan with the number that a text spells, alone or in a list, where an error asks for numbers: the
    program may have read them from an option."""
    for path, leaf in leaves_of(root) if _WANTS_NUMBER.search(error) else ():
        digits = leaf.text.strip("'\"") if isinstance(leaf, Text) else ""
        if isinstance(leaf, Text) and digits != leaf.text and digits.isdigit():
            number = Number(int(digits))
            yield replace_at(root, path, Group("[", (("0", number),)))
            yield replace_at(root, path, number)


_WANTS_NUMBER = re.compile(
    r"'str' and '(?:int|float)'|'(?:int|float)' and 'str'|'str' object cannot be interpreted as an integer"
)


def _halve_from_one_to_next(root: Group, error: str) -> Iterator[Group]:
    """Yield the plan with lists of equal images as pyramids, where an error says that sizes do not go together: each
    image is half as large as the one before, or as the next."""
    for path, group in groups_of(root) if _WANTS_SIZES.search(error) else ():
        images = [item for _, item in group.items if isinstance(item, Tensor) and len(item.shape) > 2]
        if group.head == "[" and 1 < len(images) == len(group.items) and len(set(images)) == 1:
            pyramid = [_shrink(image, 2**level) for level, image in enumerate(images)]
            for ordered in (pyramid, pyramid[::-1]):
                yield replace_at(root, path, Group("[", tuple((str(at), one) for at, one in enumerate(ordered))))


_WANTS_SIZES = re.compile(r"must match the size of tensor|Sizes of tensors must match|broadcast a dimension")


def _shrink(image: Tensor, times: int) -> Tensor:
    return replace(image, shape=(*image.shape[:-2], *(max(1, size // times) for size in image.shape[-2:])))


def add_what_is_missing(root: Group, error: str, missing: Callable[[str, str], Recipe]) -> Iterator[Group]:
    """Yield the plan with an attribute or key that an error misses, in the objects and dictionaries that lack it.
    `missing` makes it, by the name of its holder and its own."""
    lack = _LACKS_PART.search(error)
    if lack is None:
        return
    word = lack[1] or lack[2]
    head = NAMESPACE if lack[1] else "{"
    changed = root
    for path, group in groups_of(root):
        if group.head == head and group.get(word) is None and len(path) > 1 and not _is_call(root, path):
            changed = replace_at(changed, (*path, word), missing(path[-1], word))
    if changed is not root:
        yield changed


_LACKS_PART = re.compile(r"'types\.SimpleNamespace' object has no attribute '(\w+)'|KeyError: '(\w+)'")


def is_about_missing_part(error: str) -> bool:
    """Return whether an error names an attribute or key that something made up lacks."""
    return _LACKS_PART.search(error) is not None


def _is_call(root: Group, path: Path) -> bool:
    """Return whether a dictionary holds the arguments of a method that makes an object ready."""
    holder = recipe_at(root, path[:-1])
    return isinstance(holder, Group) and holder.head == names.PREPARED


def _interleave(*sources: Iterator[Group]) -> Iterator[Group]:
    """Take one change of each source in turn, so that no kind keeps the others waiting."""
    for row in zip_longest(*sources):
        yield from (change for change in row if change is not None)


def propose_variants(plan: Plan, missing: Named, flags: Iterable[Parameter] = ()) -> Iterator[Group]:
    """Other ways through a function that runs: one tensor for several arguments, flags turned, those of the constructor
    among them, and arguments given that have a default."""
    yield from _share_tensor(plan.root)
    yield from _turn_flags(plan.root, flags)
    yield from _pass_defaults(plan.root, plan, frozenset(), missing)
    for path, leaf in leaves_of(plan.root):
        if isinstance(leaf, Text) and leaf.text in ("True", "False"):
            yield replace_at(plan.root, path, Text(str(leaf.text == "False")))


def _turn_flags(root: Group, flags: Iterable[Parameter]) -> Iterator[Group]:
    """Yield each boolean default of a constructor, inverted."""
    made = root.get("receiver")
    if not isinstance(made, Group):
        return
    for flag in flags:
        default = flag.default
        if isinstance(default, ast.Constant) and isinstance(default.value, bool) and made.get(flag.name) is None:
            yield root.put("receiver", made.put(flag.name, Text(str(not default.value))))


def _share_tensor(root: Group) -> Iterator[Group]:
    """Pass the first tensor for all arguments like it."""
    arguments = root.get("arguments")
    assert isinstance(arguments, Group)
    tensors = [(name, recipe) for name, recipe in arguments.items if isinstance(recipe, Tensor)]
    for at, (first, second) in enumerate(tensors[:-1]):
        alike = [name for name, other in tensors[at + 1 :] if _is_like_tensor(second, other)]
        changed = arguments
        for name in alike:
            changed = changed.put(name, Text(first))
        if alike:
            yield root.put("arguments", changed)
            return


def _is_like_tensor(tensor: Tensor, other: Tensor) -> bool:
    return (len(tensor.shape), tensor.dtype, tensor.grad) == (len(other.shape), other.dtype, other.grad)


def _rank_of_path(path: Path, suspects: frozenset[str]) -> tuple[bool, bool]:
    return (len(path) < 2 or path[1] not in suspects, path[0] == "receiver")


def _add_or_remove_parameters(root: Group, words: tuple[str, ...], missing: Named) -> Iterator[Group]:
    """Add what a message names where it is missing, or remove it."""
    for path, group in groups_of(root):
        if not path or group.head in ("[", "("):
            continue
        for word in words:
            yield from (replace_at(root, path, other) for other in _change_part(group, path, word, missing))
        fresh = [word for word in words if group.get(word) is None]
        if len(fresh) > 1 and path[0] == "receiver":
            yield replace_at(root, path, _put_all(group, fresh, missing))


def _change_part(group: Group, path: Path, word: str, missing: Named) -> Iterator[Group]:
    """Yield the group without a part, or with it if it lacks it."""
    if group.get(word) is None:
        if path[0] == "receiver" or len(path) > 1:
            yield group.put(word, missing(word))
    elif group.head != "{":
        yield group.put(word, None)


def _put_all(group: Group, words: Iterable[str], missing: Named) -> Group:
    for word in words:
        group = group.put(word, missing(word))
    return group


def _replace_texts(root: Group, words: tuple[str, ...]) -> Iterator[Group]:
    """Replace a text by another that the message quotes: the text was none of the allowed ones."""
    for path, leaf in leaves_of(root):
        if isinstance(leaf, Text) and leaf.text[:1] in "'\"":
            yield from (replace_at(root, path, Text(repr(word))) for word in words if repr(word) != leaf.text)


def _change_alike(root: Group, path: Path, old: Tensor, new: Tensor) -> Group:
    """Return `root` with a tensor changed, along with those of the same list that are like it."""
    for other, leaf in leaves_of(root):
        if other[:-1] == path[:-1] and leaf == old and (other == path or path[-1].isdigit()):
            root = replace_at(root, other, new)
    return root


def _exchange_sizes(root: Group, numbers: tuple[int, ...]) -> Iterator[Group]:
    """Exchange a size in the message for another number of the message, in one place or everywhere."""
    for old in numbers:
        for new in numbers:
            if new not in (old, 0):
                yield from _exchange_size(root, old, new)


def _exchange_size(root: Group, old: int, new: int) -> Iterator[Group]:
    everywhere = _replace_everywhere(root, old, new)
    if everywhere is not root:
        yield everywhere
    numbers_too = _replace_number(everywhere, old, new)
    if numbers_too is not everywhere:
        yield numbers_too
    for path, leaf in leaves_of(root):
        if isinstance(leaf, Tensor):
            places = (at for at, size in enumerate(leaf.shape) if size == old)
            yield from (replace_at(root, path, _with_size(leaf, at, new)) for at in places)
        elif isinstance(leaf, Number) and leaf.value == old:
            yield replace_at(root, path, Number(new))


def _replace_everywhere(root: Group, old: int, new: int) -> Group:
    for path, leaf in leaves_of(root):
        if isinstance(leaf, Tensor) and old in leaf.shape:
            root = replace_at(root, path, _replace_size(leaf, old, new))
    return root


def _shift_sizes(root: Group, numbers: tuple[int, ...]) -> Iterator[Group]:
    """Shift a size that is part of a sum in the message by as much as the sum must change."""
    for old, new in permutations(numbers, 2):
        for path, leaf in leaves_of(root):
            if isinstance(leaf, Tensor):
                for at, size in enumerate(leaf.shape):
                    if size not in numbers and size + new - old > 0:
                        yield replace_at(root, path, _with_size(leaf, at, size + new - old))


def _replace_number(root: Group, old: int, new: int) -> Group:
    for path, leaf in leaves_of(root):
        if isinstance(leaf, Number) and leaf.value == old:
            root = replace_at(root, path, Number(new))
    return root


def _replace_size(leaf: Tensor, old: int, new: int) -> Tensor:
    return replace(leaf, shape=tuple(new if size == old else size for size in leaf.shape))


def _change_tensor(leaf: Tensor, numbers: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield the tensor with other ranks, dtypes and sizes."""
    rank = len(leaf.shape)
    close = [r for r in (rank + 1, rank - 1) if r in _RANKS]
    for other in dict.fromkeys([*(r for r in numbers if r in _RANKS), *close]):
        if other != rank:
            yield replace(leaf, shape=_shape_of_rank(leaf.shape, other))
            yield replace(leaf, shape=names.default_shape(other))
    yield from _scale_tensor(leaf)
    yield from _change_dtype(leaf)
    yield from _change_sizes(leaf, numbers)
    if leaf.leaf is False:
        yield replace(leaf, leaf=True)
    if leaf.grad:
        yield replace(leaf, grad=False)
    yield from (replace(leaf, shape=names.default_shape(other)) for other in _RANKS if other not in (rank, *close))


def _scale_tensor(leaf: Tensor) -> Iterator[Tensor]:
    """Yield images of other sizes."""
    for scale in (2, 4, 14, 0.5) if len(leaf.shape) >= 3 else ():
        last = tuple(max(1, int(size * scale)) for size in leaf.shape[-2:])
        yield replace(leaf, shape=(*leaf.shape[:-2], *last))


def _change_dtype(leaf: Tensor) -> Iterator[Tensor]:
    for dtype in _DTYPES:
        if dtype != leaf.dtype:
            yield replace(leaf, dtype=dtype)
            yield replace(leaf, dtype=dtype, shape=leaf.shape[:-1])


def _change_sizes(leaf: Tensor, numbers: tuple[int, ...]) -> Iterator[Tensor]:
    rank = len(leaf.shape)
    for at in range(rank - 1, -1, -1):
        for size in (1, 2, 3, 4, *numbers, names.WIDTH):
            if size not in (leaf.shape[at], 0):
                yield _with_size(leaf, at, size)
    if rank >= 2:
        yield replace(leaf, shape=(*leaf.shape[:-2], leaf.shape[-1], leaf.shape[-1]))


def _with_size(leaf: Tensor, at: int, size: int) -> Tensor:
    return replace(leaf, shape=(*leaf.shape[:at], size, *leaf.shape[at + 1 :]))


def _shape_of_rank(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    usual = names.default_shape(rank)
    return (*usual[: rank - len(shape)], *shape) if rank > len(shape) else shape[len(shape) - rank :]


def _change_kind(leaf: Recipe, name: str) -> Iterator[Recipe]:
    """Replace a leaf by another kind of value."""
    if isinstance(leaf, Text) and leaf.sure:
        return
    if not isinstance(leaf, Tensor):
        yield guess_tensor(name)
    if not isinstance(leaf, Number):
        yield names.number_for(name)
    size = names.number_for(name)
    pair = leaf if isinstance(leaf, (Tensor, Number)) else guess_tensor(name)
    yield Group("[", (("0", pair), ("1", pair)))
    yield Group("(", (("0", pair), ("1", pair)))
    yield Group("[", (("0", pair), ("1", pair), ("2", pair), ("3", pair)))
    yield Group("(", (("0", pair), ("1", pair), ("2", pair)))
    if leaf != NONE:
        yield NONE
    yield _LAYER
    yield Text("torch.nn.ReLU")
    yield Text("True")
    yield names.text_for(name)
    yield Group("(", (("0", size), ("1", size)))


def _change_all_tensors(root: Group, numbers: tuple[int, ...]) -> Iterator[Group]:
    """Change all floating tensors alike: one shape, one rank."""
    tensors = [(path, leaf) for path, leaf in leaves_of(root) if isinstance(leaf, Tensor) and leaf.dtype == "float"]
    if len(tensors) < 2:
        return
    shapes = [leaf.shape for _, leaf in tensors] + [
        names.default_shape(rank) for rank in (*numbers, 1, 2, 3, 4) if rank in _RANKS
    ]
    for shape in dict.fromkeys(shapes):
        changed = root
        for path, leaf in tensors:
            changed = replace_at(changed, path, replace(leaf, shape=shape))
        yield changed


def _change_numbers(root: Group, numbers: tuple[int, ...]) -> Iterator[Group]:
    """Yield the plan with other numbers."""
    for path, leaf in leaves_of(root):
        if isinstance(leaf, Number):
            for value in dict.fromkeys([*numbers, *_LADDER, 0, -1, 0.5]):
                if value != leaf.value:
                    yield replace_at(root, path, Number(value))


def _replace_defaults(root: Group, plan: Plan, numbers: tuple[int, ...], missing: Named) -> Iterator[Group]:
    """Yield an argument whose default, or what a call gives, is a number of the message, given another one: the tensors
    were made without regard to it."""
    arguments = root.get("arguments")
    assert isinstance(arguments, Group)
    for parameter in own_parameters(plan.target):
        default = parameter.default.value if isinstance(parameter.default, ast.Constant) else None
        given = arguments.get(parameter.name)
        if isinstance(given, Text) and given.text.isdigit():
            default, given = int(given.text), None
        if type(default) is int and default in numbers and given is None:
            yield root.put("arguments", arguments.put(parameter.name, missing(parameter.name)))


def _pass_defaults(root: Group, plan: Plan, suspects: frozenset[str], missing: Named) -> Iterator[Group]:
    """Pass arguments that have a default."""
    arguments = root.get("arguments")
    assert isinstance(arguments, Group)
    absent = [
        p for p in own_parameters(plan.target) if p.kind in ("plain", "keyword") and arguments.get(p.name) is None
    ]
    for parameter in sorted(absent, key=lambda p: p.name not in suspects):
        if isinstance(parameter.default, ast.Constant) and isinstance(parameter.default.value, bool):
            yield root.put("arguments", arguments.put(parameter.name, Text(str(not parameter.default.value))))
            continue
        yield root.put("arguments", arguments.put(parameter.name, missing(parameter.name)))
        yield root.put("arguments", arguments.put(parameter.name, guess_tensor(parameter.name)))
