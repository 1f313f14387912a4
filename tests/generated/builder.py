"""The program under construction: lines, scopes, and the tensors in sight with their shapes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

Shape = tuple[int, ...]


@dataclass(eq=False)
class Var:
    """A tensor the program can name.

    `range` keeps values where ops are defined: "unit" (0 to 1), "small" (about -3 to 3), "positive", "any". `grad`,
    `leaf` and `view` only steer the choice of statements; torch decides what they really are.
    """

    name: str
    shape: Shape
    dtype: str = "float"
    range: str = "any"
    grad: bool = False
    leaf: bool = False
    view: bool = False

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.shape)


@dataclass
class Scope:
    """What can be named here, from the outermost to the innermost block."""

    vars: list[Var] = field(default_factory=list)
    recording: bool = True
    inside: str = "module"


class Builder:
    """Writes one program. All choices come from `random`, so that a seed gives the same text for ever."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.prelude: list[str] = []
        self.scope = Scope()
        self.functions: list[object] = []
        self.modules: list[object] = []
        self.extras: dict[str, list[object]] = {}
        self._indent = 0
        self._names = 0

    # Text

    def emit(self, line: str) -> None:
        """Append a statement at the present indentation."""
        self.lines.append("    " * self._indent + line)

    def text(self) -> str:
        """The program so far."""
        return "\n".join([*self.prelude, *self.lines]) + "\n"

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """A compound statement; its body gets a `pass` if nothing is written into it."""
        self.emit(header)
        before = len(self.lines)
        self._indent += 1
        try:
            yield
            if len(self.lines) == before:
                self.emit("pass")
        finally:
            self._indent -= 1

    @contextmanager
    def definition(self, variables: list[Var], inside: str) -> Iterator[list[str]]:
        """A function's body: nothing from outside is in sight but `variables`; its lines come back in the list."""
        kept, self.scope = self.scope, Scope(list(variables), inside=inside)
        outer, self.lines = self.lines, []
        indent, self._indent = self._indent, 0
        try:
            yield self.lines
        finally:
            self.scope, self.lines, self._indent = kept, outer, indent

    def name(self, prefix: str = "v") -> str:
        """A new name."""
        self._names += 1
        return f"{prefix}{self._names}"

    # Chance

    def chance(self, probability: float) -> bool:
        """True with that probability."""
        return self.random.random() < probability

    def number(self) -> str:
        """A scalar that leaves nothing as it was."""
        return self.random.choice(["0.5", "2", "1.5", "-1.5", "0.25", "3"])

    # Tensors

    def add(self, var: Var) -> Var:
        """Bring `var` into sight."""
        self.scope.vars.append(var)
        return var

    def pick(self, wanted: Callable[[Var], bool] = lambda var: True) -> Var | None:
        """A tensor that fits, rather a late one and rather one with a gradient."""
        fitting = [var for var in self.scope.vars if wanted(var)]
        if not fitting:
            return None
        weights = [(1 + at) * (3 if var.grad else 1) for at, var in enumerate(fitting)]
        return self.random.choices(fitting, weights)[0]

    def floating(self, wanted: Callable[[Var], bool] = lambda var: True) -> Var | None:
        """A tensor of floats that fits."""
        return self.pick(lambda var: var.dtype == "float" and wanted(var))

    def assign(self, expression: str, like: Var) -> Var:
        """`name = expression`, a tensor as `like` says."""
        var = replace(like, name=self.name())
        self.emit(f"{var.name} = {expression}")
        return self.add(var)

    def result(self, expression: str, shape: Shape, *sources: Var, range: str = "any", dtype: str = "float") -> Var:
        """`name = expression`, the new result of an op on `sources`."""
        grad = self.scope.recording and dtype == "float" and any(source.grad for source in sources)
        return self.assign(expression, Var("", shape, dtype, range, grad))


Maker = Callable[[Builder], bool]
"""Writes one statement (or a few) and returns True, or False where nothing in sight fits."""


def body(builder: Builder, makers: list[tuple[float, Maker]], statements: int) -> None:
    """Write `statements` statements, each by a maker chosen by weight."""
    weights = [weight for weight, _ in makers]
    done = tries = 0
    while done < statements and tries < statements * 8:
        tries += 1
        maker = builder.random.choices([maker for _, maker in makers], weights)[0]
        done += maker(builder)
