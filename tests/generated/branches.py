"""Many branches on settings that only a run knows, in the program itself or in a function that it calls."""

from __future__ import annotations

from generated import compute, flow, mode, view, write
from generated.builder import Builder, Maker, Var, body

SWITCHES = (3, 5)
"""How many settings are on or off, at least and at most; one more is a text, and one a number. Torch runs every
combination of those that a program asks for."""
BRANCHES = (10, 30)
"""How many branches there are, at least and at most."""

_BETWEEN: list[tuple[float, Maker]] = [
    (3, compute.unary),
    (2, compute.binary),
    (1, compute.matrix),
    (1, view.indexed),
    (0.3, write.with_scalar),
]
_INSIDE: list[tuple[float, Maker]] = [
    (3, compute.unary),
    (2, compute.binary),
    (1, compute.along),
    (1, view.indexed),
    (1, write.method),
    (1, write.with_scalar),
    (0.7, write.augmented),
    (0.7, write.item),
    (0.3, mode.context),
]


def many(b: Builder) -> bool:
    """A program, or a function, with branches on settings."""
    b.prelude.append("from zoo.settings import load_settings")
    settings = b.name("settings")
    b.emit(f"{settings} = load_settings()")
    names = [f"use_{letter}" for letter in "abcde"[: b.random.randint(*SWITCHES)]]
    count = b.random.randint(*BRANCHES)
    if b.chance(0.5):
        for _ in range(count):
            _branch(b, settings, names, may_leave=False)
        return True
    _in_function(b, settings, names, count)
    return True


def _in_function(b: Builder, settings: str, names: list[str], count: int) -> None:
    """A function with branches, called with a tensor that requires grad."""
    given = Var(b.name("w"), b.random.choice(compute.SHAPES), "float", "unit", grad=True, leaf=True)
    b.emit(f"{given.name} = torch.rand({', '.join(map(str, given.shape))}, requires_grad=True)")
    parameter = Var(b.name("p"), given.shape, "float", given.range, grad=True)
    name = b.name("f")
    with b.definition([parameter], "function") as lines:
        body(b, _BETWEEN, 2)
        for _ in range(count):
            _branch(b, "settings", names, may_leave=True)
        b.emit(f"return {_pick(b).name}")
    with b.block(f"def {name}(settings, {parameter.name}):"):
        for line in lines:
            b.emit(line)
    b.emit(f"{name}({settings}, {given.name} * 2).sum().backward()")


def _pick(b: Builder) -> Var:
    """A tensor that can be computed with."""
    chosen = b.floating()
    assert chosen is not None
    return chosen


def _branch(b: Builder, settings: str, names: list[str], *, may_leave: bool) -> None:
    """A branch on a setting or two, and sometimes a statement behind it."""
    with b.block(f"if {_test(b, settings, names)}:"), flow.inside(b, b.scope.inside, lasting=False):
        _arm(b, may_leave=may_leave)
    if b.chance(0.3):
        with b.block("else:"), flow.inside(b, b.scope.inside, lasting=False):
            _arm(b, may_leave=False)
    if b.chance(0.3):
        body(b, _BETWEEN, 1)


def _test(b: Builder, settings: str, names: list[str]) -> str:
    """A test of settings. Tests of the text and of the number often exclude each other."""
    first, second = (f"{settings}.{name}" for name in b.random.sample(names, 2))
    if b.chance(0.5):
        first = b.random.choice(_ABOUT_SEVERAL).format(settings=settings)
    forms = [first, first, first, f"not {first}", f"{first} and {second}", f"{first} or not {second}"]
    return b.random.choice(forms)


_ABOUT_SEVERAL = [
    '{settings}.mode == "fast"',
    '{settings}.mode == "slow"',
    '{settings}.mode != "fast"',
    '{settings}.mode in ("slow", "exact")',
    '{settings}.mode not in ("fast", "exact")',
    '{settings}.mode.startswith("f")',
    "{settings}.count",
    "{settings}.count == 0",
    "{settings}.count > 0",
    "{settings}.count < 2",
    "{settings}.count != 1",
    "{settings}.count % 2 == 0",
    "{settings}.count % 2",
]


def _arm(b: Builder, *, may_leave: bool) -> None:
    """What a branch does: it computes, changes what a variable holds, writes, or leaves the function."""
    if may_leave and b.chance(0.08):
        b.emit(f"return {_pick(b).name}{b.random.choice(['', '.exp()', ' * 2'])}")
        return
    if b.chance(0.4):
        _rebind(b)
    else:
        body(b, _INSIDE, 1)


def _rebind(b: Builder) -> None:
    """A variable gets another tensor."""
    x = _pick(b)
    n = x.name
    b.emit(f"{n} = {b.random.choice([f'{n}.clone()', f'{n} * 2', f'torch.tanh({n})', f'{n} * {n}'])}")
    x.range = "any"
