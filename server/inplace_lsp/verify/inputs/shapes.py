"""The shapes of a plan's tensors, as far as texts and names tell: torch's own errors tell the others (`mends.py`)."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from inplace_lsp.verify.inputs import names
from inplace_lsp.verify.inputs.program import Definition, Program, names_in
from inplace_lsp.verify.inputs.recipes import Group, Number, Tensor, leaves_of, replace_at

_DIGITS = 20
"""A size has fewer digits."""


def give_shapes(program: Program, target: Definition, root: Group, texts: dict[str, tuple[str, ...]]) -> Group:
    """Return `root` with the shapes that texts tell of its arguments, and with images where a class takes some."""
    numbers = [(path[-1].lower(), leaf.value) for path, leaf in leaves_of(root) if isinstance(leaf, Number)]
    known = {name: value for name, value in numbers if isinstance(value, int) and value > 0}
    image = _image_shape(program, target, known)
    sizes: dict[str, int] = {}
    for path, leaf in list(leaves_of(root)):
        if not isinstance(leaf, Tensor):
            continue
        words = texts.get(path[1], ()) if path[0] == "arguments" else ()
        if words:
            root = replace_at(root, path, replace(leaf, shape=_shape_of_words(words, leaf, path[-1], sizes, known)))
        elif image is not None and leaf.dtype == "float" and names.rank(path[-1]) is None:
            root = replace_at(root, path, replace(leaf, shape=image))
    return root


def _shape_of_words(
    words: Sequence[str], old: Tensor, name: str, sizes: dict[str, int], known: dict[str, int]
) -> tuple[int, ...]:
    """Return the shape that a text tells. `sizes`: those of the words so far; `known`: numbers by their names."""
    is_open = words[0] == "..." or words[0].startswith("*")
    told = [word for word in (words[1:] if is_open else words) if word != "..."]
    rank = max(len(old.shape), len(told) + (names.rank(name) is None)) if is_open else len(told)
    usual = names.default_shape(rank)
    front = usual[: rank - len(told)]
    return (*front, *(_size_of_word(word, usual[len(front) + at], sizes, known) for at, word in enumerate(told)))


def _size_of_word(word: str, usual: int, sizes: dict[str, int], known: dict[str, int]) -> int:
    """Return the size that a word of a text means: itself, or the number that is given under its name."""
    if word.isdecimal() and len(word) < _DIGITS:
        return max(1, int(word))
    clean = word.lstrip("#*+")
    if not clean.isidentifier():
        return usual
    named = known.get(clean.lower()) if len(clean) > 1 else None
    common = names.SIZES.get(clean.lower(), 0)
    return sizes.setdefault(clean, named or (common if common > 1 else usual))


_CHANNELS = (
    "in_chans",
    "in_channels",
    "in_ch",
    "in_chs",
    "input_channels",
    "n_channels",
    "channels",
    "inp",
    "inplanes",
)
_CONVOLUTIONS = {"Conv2d", "ConvTranspose2d", "conv2d"}
_SPACE = ("img_size", "image_size", "input_size", "input_resolution", "resolution")


def _image_shape(program: Program, target: Definition, known: dict[str, int]) -> tuple[int, ...] | None:
    """Return the shape of a batch of images if a class or its parts mention convolutions, or its constructor images."""
    if target.owner is None:
        return None
    made = {field.name: field.default for field in program.constructor_parameters(target.owner) or ()}
    channels, space = (_given_number(made, choice, known) for choice in (_CHANNELS, _SPACE))
    made_of = [target.owner, *(program.classes[name] for name in names_in(target.owner) if name in program.classes)]
    if channels is None and space is None and not any(_CONVOLUTIONS & names_in(owner) for owner in made_of):
        return None
    side = space or 2 * names.SPACE
    return (names.BATCH, channels or 3, side, side)


def _given_number(defaults: dict[str, ast.expr | None], wanted: tuple[str, ...], known: dict[str, int]) -> int | None:
    """Return what is given for the first of some parameters that there is, else its default."""
    return next((known.get(name) or _default_number(defaults[name]) for name in wanted if name in defaults), None)


def _default_number(node: ast.expr | None) -> int | None:
    """Return the number in a default, the first of several."""
    if isinstance(node, ast.Tuple) and node.elts:
        node = node.elts[-1]
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None
