"""The shape and the element type of a tensor, in symbols: equal symbols stand for what is equal in every run."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

Symbol = Hashable
BOOLS: Symbol = "bools"
MATRIX = 2
"""The number of dimensions of a matrix."""


@dataclass(frozen=True)
class Form:
    """`dims` are the last dimensions; before them come those of `head`, "" if there are none.

    `type` is an element type: ("as", t) that of the tensor t; ("low", t) what a product of it has, which autocast
    computes in 16 bits; ("norm", type) what a norm makes of it, which autocast may compute in 32 bits; ("floats of",
    type) that type, or floats where it is one of integers.
    """

    head: Symbol
    dims: tuple[Symbol, ...]
    type: Symbol

    @property
    def shape(self) -> Symbol:
        """The shape as one symbol."""
        return self.head, self.dims

    def with_last(self, extent: Symbol) -> Form:
        """Return the form with another last dimension."""
        if self.dims:
            return replace(self, dims=(*self.dims[:-1], extent))
        return replace(self, head=("all but the last of", self.head), dims=(extent,))

    def fits_into(self, other: Form) -> bool:
        """Return whether this shape broadcasts into that one without making it larger."""
        if self.head and self.shape != other.shape and (self.head, len(self.dims)) != (other.head, len(other.dims)):
            return False
        pairs = zip(reversed(self.dims), reversed(other.dims), strict=False)
        return len(self.dims) <= len(other.dims) and all(_fits(own, wide) for own, wide in pairs)


def make_unknown(origin: Symbol) -> Form:
    """Return the form of a tensor of which nothing is known but where it is from."""
    return Form(("all of", origin), (), ("as", origin))


def at_most(extent: Symbol) -> Symbol:
    """Return the extent of a slice `[:extent]` of a dimension that may be shorter: where it is, nothing broadcasts to
    the whole, unless it is 1."""
    return "at most", extent


def as_floats(kind: Symbol) -> Symbol:
    """Return the type of what an op makes that computes floats of integers."""
    certain = isinstance(kind, tuple) and kind[0] in ("low", "norm", "floats of")
    return kind if certain else ("floats of", kind)


def lower(kind: Symbol) -> Symbol:
    """Return the type of a product of tensors of that type."""
    while isinstance(kind, tuple) and kind[0] in ("norm", "floats of"):
        kind = kind[1]
    return ("low", kind[1]) if isinstance(kind, tuple) else kind


def _fits(own: Symbol, wide: Symbol) -> bool:
    return own in (1, wide, at_most(wide))
