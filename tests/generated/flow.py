"""Loops and branches whose course the text decides."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from generated import compute, function, mode, view, write
from generated.builder import Builder, Maker, Var, body

INSIDE: list[tuple[float, Maker]] = [
    (3, compute.unary),
    (1, compute.parametrised),
    (2, compute.binary),
    (0.7, compute.along),
    (0.5, compute.reduction),
    (0.7, compute.matrix),
    (1, write.method),
    (1, write.with_scalar),
    (1, write.with_tensor),
    (1, write.augmented),
    (0.8, write.item),
    (0.4, write.flagged),
    (0.3, write.silent),
    (1, view.plain),
    (0.6, view.indexed),
    (0.5, view.chained_write),
    (0.4, mode.context),
    (0.3, function.again),
]


@contextmanager
def inside(b: Builder, kind: str, *, lasting: bool) -> Iterator[None]:
    """A block; what is made in one that may not run is out of sight after it."""
    inside, before = b.scope.inside, list(b.scope.vars)
    b.scope.inside = "function" if inside == "function" else kind
    try:
        yield
    finally:
        b.scope.inside = inside
        if not lasting:
            b.scope.vars[:] = before


def counted(b: Builder) -> bool:
    """`for i in range(n):`"""
    if b.scope.inside == "loop" and b.chance(0.7):
        return False
    i, n = b.name("i"), b.random.randint(1, 4)
    header = b.random.choice(
        [
            f"for {i} in range({n}):",
            f"for {i} in range({n}):",
            f"for {i} in ({', '.join(map(str, range(n)))},):",
            f"for {i}, _ in enumerate('{'abcd'[:n]}'):",
        ]
    )
    with b.block(header), inside(b, "loop", lasting=True):
        _carried(b, i)
        body(b, INSIDE, b.random.randint(1, 3))
        if b.chance(0.25):
            _leave(b, i, n)
        if b.chance(0.15):
            branch(b)
    return True


def _carried(b: Builder, i: str) -> None:
    """A tensor that one pass hands to the next."""
    x = b.floating(lambda v: not v.leaf and not v.view and v.rank >= 1)
    if x is None:
        return
    n = x.name
    forms = [
        f"{n} = torch.tanh({n} * 2)",
        f"{n} = {n} + {i}",
        f"{n} += {i} + 1",
        f"{n} = {n} * {n}",
        f"{n}.mul_({i} + 1.5)",
        f"{n}[{i} % {x.shape[0]}] = {i} + 0.5",
        f"{n}[{i} % {x.shape[0]}].add_(1)",
        f"{n} = torch.sigmoid({n})",
        f"{n} = {n}.clone()",
    ]
    if b.chance(0.8):
        b.emit(b.random.choice(forms))
        x.range = "any"


def _leave(b: Builder, i: str, n: int) -> None:
    with b.block(f"if {i} == {b.random.randrange(n)}:"):
        b.emit(b.random.choice(["break", "continue", "break"]))
    makers: list[tuple[float, Maker]] = [(1, write.method), (1, compute.unary)]
    kept = list(b.scope.vars)
    body(b, makers, 1)
    b.scope.vars[:] = kept


def repeated(b: Builder) -> bool:
    """`while`."""
    if b.scope.inside != "module":
        return False
    k = b.name("k")
    b.emit(f"{k} = 0")
    with b.block(f"while {k} < {b.random.randint(1, 3)}:"), inside(b, "loop", lasting=True):
        b.emit(f"{k} += 1")
        _carried(b, k)
        body(b, INSIDE, b.random.randint(1, 2))
    return True


def branch(b: Builder) -> bool:
    """`if`, by something the text decides."""
    x = b.floating()
    if x is None:
        return False
    n = x.name
    tests = [
        "True",
        "False",
        f"{n}.dim() == {x.rank}",
        f"{n}.ndim > 5",
        f"{n} is None",
        f"{n} is not None",
        "1 + 1 == 2",
        f"len({n}.shape) == {x.rank}",
        f"isinstance({n}, torch.Tensor)",
        "torch.is_grad_enabled()",
        f"{n}.shape == ({', '.join(map(str, x.shape))}{',' if x.rank == 1 else ''})",
        f"not isinstance({n}, list)",
    ]
    with b.block(f"if {b.random.choice(tests)}:"), inside(b, b.scope.inside, lasting=False):
        body(b, INSIDE, b.random.randint(1, 2))
    if b.chance(0.6):
        with b.block("else:"), inside(b, b.scope.inside, lasting=False):
            body(b, INSIDE, b.random.randint(1, 2))
    return True


def over_rows(b: Builder) -> bool:
    """`for row in x:`"""
    x = b.floating(lambda v: v.rank >= 2 and v.shape[0] <= 4)
    if x is None:
        return False
    row = Var(b.name("row"), x.shape[1:], "float", "any", x.grad, False, True)
    total = b.name()
    b.emit(f"{total} = 0")
    with b.block(f"for {row.name} in {x.name}:"), inside(b, "loop", lasting=False):
        b.add(row)
        if b.chance(0.3):
            write.perform(b, f"{row.name}.{b.random.choice(['add_(1)', 'mul_(2)'])}", row, risk=0.3)
        b.emit(f"{total} = {total} + {row.name}{b.random.choice(['', '.exp()', ' ** 2', '.sum()', ' * 2'])}")
        summed = b.lines[-1].endswith(".sum()")
    b.add(Var(total, () if summed else row.shape, "float", "any", x.grad))
    return True


def buffer(b: Builder) -> bool:
    """A buffer filled step by step."""
    h = b.floating(lambda v: v.rank == 1)
    if h is None or b.scope.inside != "module":
        return False
    steps, name, i = b.random.randint(2, 4), b.name(), b.name("i")
    b.emit(f"{name} = torch.zeros({steps + 1}, {h.shape[0]})")
    with b.block(f"for {i} in range({steps}):"):
        b.emit(
            b.random.choice(
                [
                    f"{name}[{i}] = {h.name}",
                    f"{name}[{i} + 1] = torch.tanh({name}[{i}]) + {h.name}",
                    f"{name}[{i}] = {h.name} * {i}",
                    f"{name}[{i} + 1] = {name}[{i}].exp() * {h.name}",
                    f"{name}[{i}] += {h.name}.sum()",
                    f"{name}[{i} + 1] = {name}[{i}] + {h.name}",
                ]
            )
        )
    b.add(Var(name, (steps + 1, h.shape[0]), "float", "any", h.grad and b.scope.recording))
    return True


def gathered(b: Builder) -> bool:
    """A list filled in a loop and put together after it."""
    x = b.floating(lambda v: not v.leaf)
    if x is None or x.rank > 2:
        return False
    name, i, n, steps = b.name("xs"), b.name("i"), x.name, b.random.randint(2, 3)
    b.emit(f"{name} = []")
    with b.block(f"for {i} in range({steps}):"):
        b.emit(
            b.random.choice(
                [f"{n} = {n} * 2", f"{n} = torch.sigmoid({n})", f"{n}.mul_(1.5)", f"{n} += {i} + 1", f"{n} = {n} + 1"]
            )
        )
        b.emit(
            b.random.choice(
                [
                    f"{name}.append({n})",
                    f"{name}.append({n}.exp())",
                    f"{name} += [{n} ** 2]",
                    f"{name}.append({n}.sigmoid())",
                ]
            )
        )
    b.result(f"torch.stack({name})", (steps, *x.shape), x)
    return True


def guarded(b: Builder) -> bool:
    """`try`/`finally` and an early `raise`."""
    x = b.floating(lambda v: not (v.leaf and v.grad))
    if x is None:
        return False
    with b.block("try:"), inside(b, b.scope.inside, lasting=False):
        body(b, INSIDE, 1)
        if b.chance(0.3):
            b.emit("raise ValueError('enough')")
            b.emit(f"{x.name}.zero_()")
    with b.block("except ValueError:"):
        b.emit(b.random.choice([f"{x.name}.add_(1)", "pass"]))
    if b.chance(0.4):
        with b.block("finally:"):
            b.emit(b.random.choice([f"{x.name}.mul_(2)", f"{x.name}.sum()"]))
    x.range = "any"
    return True
