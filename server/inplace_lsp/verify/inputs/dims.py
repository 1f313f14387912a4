"""Shapes that are only partly known: dimensions that must be equal, and rows of them whose front may be open."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(eq=False, slots=True)
class Dim:
    """A size. Sizes found equal share one root, which holds the number if one is known."""

    name: str = ""
    value: int | None = None
    same: Dim | None = None

    def root(self) -> Dim:
        """Return the representative of all sizes equal to this one."""
        dim = self
        while dim.same is not None:
            dim = dim.same
        return dim


def equate_dims(a: Dim, b: Dim) -> None:
    """Make two sizes one. If both are known and differ, learn nothing."""
    a, b = a.root(), b.root()
    if a is b or (a.value is not None and b.value is not None):
        return
    if a.value is not None:
        a, b = b, a
    b.name = b.name or a.name
    a.same = b


def is_size(word: str) -> bool:
    """Return whether a word is a size that a tensor can have."""
    return word.isdecimal() and len(word) < _DIGITS


_DIGITS = 20


@dataclass(eq=False, slots=True)
class Row:
    """The dimensions of a tensor: `dims` behind those of `front`, which is None where there are no more.

    A row without anything in front and without dims of its own is open: it may still become anything (`bound`).
    """

    front: Row | None = None
    dims: tuple[Dim, ...] = ()
    is_open: bool = True
    least: int = 0
    tag: list[str] = field(default_factory=list)

    def expand(self) -> tuple[Row | None, tuple[Dim, ...]]:
        """Return the open row at the front (None: the rank is known) and the dims behind it."""
        row: Row | None = self
        dims: tuple[Dim, ...] = ()
        while row is not None:
            dims = row.dims + dims
            if row.is_open:
                return row, dims
            row = row.front
        return None, dims

    def bind(self, front: Row | None, dims: tuple[Dim, ...]) -> None:
        """Bind an open row."""
        self.front, self.dims, self.is_open = front, dims, False


def closed_row(dims: tuple[Dim, ...]) -> Row:
    """Return a row of known rank."""
    return Row(None, dims, is_open=False)


def row_after(front: Row, dims: tuple[Dim, ...]) -> Row:
    """`dims` behind whatever `front` is."""
    return Row(front, dims, is_open=False)


def unify_rows(a: Row, b: Row) -> None:
    """Make two rows one, as far as they do not contradict each other."""
    (open_a, dims_a), (open_b, dims_b) = a.expand(), b.expand()
    shared = min(len(dims_a), len(dims_b))
    for left, right in zip(dims_a[len(dims_a) - shared :], dims_b[len(dims_b) - shared :], strict=True):
        equate_dims(left, right)
    if open_a is open_b:
        return
    rest_a, rest_b = dims_a[: len(dims_a) - shared], dims_b[: len(dims_b) - shared]
    if open_b is not None and not rest_b:
        open_b.bind(open_a, rest_a)
    elif open_a is not None and not rest_a:
        open_a.bind(open_b, rest_b)


def take_last(row: Row, count: int) -> tuple[Dim, ...]:
    """Return the last `count` dims, created if the row lacks them; fewer if its rank is less."""
    front, dims = row.expand()
    if front is not None and len(dims) < count:
        unify_rows(row, row_after(Row(), tuple(Dim() for _ in range(count))))
        front, dims = row.expand()
    return dims[max(0, len(dims) - count) :]


def fix_rank(row: Row, count: int) -> tuple[Dim, ...]:
    """Return all dims of a row that has `count`."""
    unify_rows(row, closed_row(tuple(Dim() for _ in range(count))))
    return row.expand()[1]


def require_rank(row: Row, count: int) -> None:
    """Note that a row has so many dims or more."""
    front, dims = row.expand()
    if front is not None:
        front.least = max(front.least, count - len(dims))
