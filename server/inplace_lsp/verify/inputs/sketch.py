"""Values of the walk: what is known of a tensor, a layer, an object, before anything has run."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from inplace_lsp.uses.types import Dtype
from inplace_lsp.verify.inputs.dims import Dim, Row, closed_row, is_size, row_after, unify_rows
from inplace_lsp.verify.inputs.signatures import FUNCTIONS, LAYERS


@dataclass(eq=False, slots=True)
class Shaped:
    """A tensor. `dtype` is what its use asks for, None while nothing does."""

    row: Row = field(default_factory=Row)
    dtype: Dtype | None = None


@dataclass(eq=False, slots=True)
class Anything:
    """A value nothing is known of yet; it is a tensor as soon as it is used as one."""

    shaped: Shaped = field(default_factory=Shaped)
    is_tensor: bool = False


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer of torch with the sizes its constructor was given."""

    name: str
    sizes: tuple[tuple[str, Dim], ...] = ()


@dataclass(eq=False, slots=True)
class Several:
    """A tuple, a list, or the layers of a Sequential (`called` in order)."""

    items: list[object]
    called: bool = False


@dataclass(eq=False, slots=True)
class Instance:
    """An object of a class of the file."""

    owner: ast.ClassDef
    attributes: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shape:
    """`x.shape`."""

    of: Shaped


def as_tensor(value: object) -> Shaped | None:
    """Return `value` as a tensor, None if it cannot be one. An unknown value becomes a tensor."""
    if isinstance(value, Anything):
        value.is_tensor = True
        return value.shaped
    return value if isinstance(value, Shaped) else None


def call_function(name: str, arguments: list[object]) -> object:
    """Return the result of torch's function of that name; what its signature asks of the arguments is noted."""
    return _apply_signature(FUNCTIONS[name], {}, arguments)


def call_layer(layer: Layer, arguments: list[object]) -> object:
    """Return the result of a layer likewise."""
    return _apply_signature(LAYERS[layer.name][1], dict(layer.sizes), arguments)


def _apply_signature(signature: str, names: dict[str, Dim], arguments: list[object]) -> object:
    wanted, _, result = signature.partition("->")
    rest = Row()
    first: Shaped | None = None
    for words, value in zip(wanted.split(","), arguments, strict=False):
        dims, _, dtype = words.strip().partition(":")
        found = as_tensor(value) if dims != "_" else None
        if found is None:
            continue
        first = first or found
        unify_rows(found.row, _row_of_words(dims, names, rest, first))
        if dtype:
            found.dtype = found.dtype or ("long" if dtype == "long" else "bool")
    return Shaped(_row_of_words(result.strip(), names, rest, first or Shaped())) if result.strip() != "_" else Shaped()


def _row_of_words(words: str, names: dict[str, Dim], rest: Row, first: Shaped) -> Row:
    if words == "=":
        return first.row
    dims = tuple(_dim_of_word(word, names) for word in words.split() if word != "...")
    return row_after(rest, dims) if words.startswith("...") else closed_row(dims)


def _dim_of_word(word: str, names: dict[str, Dim]) -> Dim:
    if is_size(word):
        return Dim(value=int(word))
    return names.setdefault(word, Dim())
