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
        """What stands for all that are equal to this one."""
        dim = self
        while dim.same is not None:
            dim = dim.same
        return dim


def equate(a: Dim, b: Dim) -> None:
    """Make two sizes one. Where both are known and differ, nothing is learnt."""
    a, b = a.root(), b.root()
    if a is b or (a.value is not None and b.value is not None):
        return
    if a.value is not None:
        a, b = b, a
    b.name = b.name or a.name
    a.same = b


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
        """The open row at the front (None: the rank is known) and the dims behind it."""
        row: Row | None = self
        dims: tuple[Dim, ...] = ()
        while row is not None:
            dims = row.dims + dims
            if row.is_open:
                return row, dims
            row = row.front
        return None, dims

    def bind(self, front: Row | None, dims: tuple[Dim, ...]) -> None:
        """Say what an open row is."""
        self.front, self.dims, self.is_open = front, dims, False


def closed(dims: tuple[Dim, ...]) -> Row:
    """A row of known rank."""
    return Row(None, dims, is_open=False)


def behind(front: Row, dims: tuple[Dim, ...]) -> Row:
    """`dims` behind whatever `front` is."""
    return Row(front, dims, is_open=False)


def unify(a: Row, b: Row) -> None:
    """Make two rows one, as far as they do not contradict each other."""
    (open_a, dims_a), (open_b, dims_b) = a.expand(), b.expand()
    shared = min(len(dims_a), len(dims_b))
    for left, right in zip(dims_a[len(dims_a) - shared :], dims_b[len(dims_b) - shared :], strict=True):
        equate(left, right)
    if open_a is open_b:
        return
    rest_a, rest_b = dims_a[: len(dims_a) - shared], dims_b[: len(dims_b) - shared]
    if open_b is not None and not rest_b:
        open_b.bind(open_a, rest_a)
    elif open_a is not None and not rest_a:
        open_a.bind(open_b, rest_b)


def take(row: Row, count: int) -> tuple[Dim, ...]:
    """The last `count` dims, made where the row does not have them yet; fewer where its rank is less."""
    front, dims = row.expand()
    if front is not None and len(dims) < count:
        unify(row, behind(Row(), tuple(Dim() for _ in range(count))))
        front, dims = row.expand()
    return dims[max(0, len(dims) - count) :]


def fix_rank(row: Row, count: int) -> tuple[Dim, ...]:
    """All dims of a row that is said to have `count`."""
    unify(row, closed(tuple(Dim() for _ in range(count))))
    return row.expand()[1]


def at_least(row: Row, count: int) -> None:
    """Note that a row has so many dims or more."""
    front, dims = row.expand()
    if front is not None:
        front.least = max(front.least, count - len(dims))
