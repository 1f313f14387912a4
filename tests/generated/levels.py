"""The seven levels of programs, and the program of a level and seed."""

from __future__ import annotations

import os

from generated import (
    branches,
    compute,
    container,
    data,
    flow,
    function,
    loops,
    mode,
    module,
    networks,
    opaque,
    practice,
    pythonic,
    table,
    train,
    view,
    write,
)
from generated.builder import Builder, Maker, body

Weighted = list[tuple[float, Maker]]

COMPUTE: Weighted = [
    (0.5, compute.leaf),
    (4, compute.unary),
    (2, compute.parametrised),
    (3, compute.binary),
    (0.7, compute.ternary),
    (1.2, compute.along),
    (1.2, compute.reduction),
    (1.5, compute.matrix),
    (1, compute.gather),
    (1, compute.network),
]
WRITES: Weighted = [
    (1, write.method),
    (1, write.with_scalar),
    (1.2, write.with_tensor),
    (1, write.augmented),
    (0.9, write.item),
    (0.6, write.flagged),
    (0.25, write.out),
    (0.2, write.initialise),
    (0.4, write.silent),
    (0.15, write.array),
    (0.25, write.detached),
    (0.15, write.geometry),
]
WIDTH: Weighted = [
    (0.7, table.unary),
    (0.7, table.binary),
    (0.5, table.in_place),
    (0.5, table.in_place_with),
    (0.5, table.square_in_place),
    (2, table.composed),
]
WALKS: Weighted = [(0.35, mode.backward), (0.15, mode.direct)]
VIEWS: Weighted = [
    (2.5, view.plain),
    (1.2, view.indexed),
    (0.7, view.several),
    (0.4, view.part_of_several),
    (0.7, view.alias),
    (1, view.chained_write),
]
MODES: Weighted = [(1, mode.context), (0.15, mode.switch), (0.3, mode.unrecorded_leaf_update)]


def _scaled(makers: Weighted, by: float) -> Weighted:
    return [(weight * by, maker) for weight, maker in makers]


FUNCTIONS: Weighted = [(1.5, function.define), (1, function.again), (0.4, function.closure), (0.4, function.lambda_)]
CONTAINERS: Weighted = [
    (0.5, container.group),
    (0.5, container.use),
    (0.5, container.change),
    (0.3, container.mapping),
    (0.3, container.holder),
    (0.2, container.swap),
    (1, data.several),
]
PYTHONIC: Weighted = [(1.5, pythonic.one_line), (1, pythonic.function), (0.7, pythonic.cls), (0.7, pythonic.net)]
MODULES: Weighted = [
    (1, module.build),
    (0.5, module.again),
    (0.4, module.weight),
    (0.2, module.switch),
    (0.6, networks.several),
]
FLOW: Weighted = [
    (1.5, flow.counted),
    (0.6, flow.repeated),
    (1.5, flow.branch),
    (0.6, flow.over_rows),
    (0.5, flow.buffer),
    (0.6, flow.gathered),
    (0.4, flow.guarded),
    (3, loops.several),
]
TRAINING: Weighted = [
    (3, train.loop),
    (1.5, train.adversarial),
    (1.5, train.by_hand),
    (1, train.average),
    (1, train.shared),
    (0.7, train.closure),
    (10, practice.several),
    (4, networks.several),
]

BRANCHING = 7
"""The level of programs that depend on settings: torch runs each once for every combination."""
LEVELS: dict[int, Weighted] = {
    1: [*COMPUTE, *WRITES, *WIDTH, *WALKS, (0.4, view.alias)],
    2: [*COMPUTE, *WRITES, *_scaled(WIDTH, 0.5), *WALKS, *VIEWS, *MODES],
    3: [
        *COMPUTE,
        *WRITES,
        *WALKS,
        *_scaled(VIEWS, 0.5),
        *_scaled(MODES, 0.5),
        *FUNCTIONS,
        *CONTAINERS,
        *PYTHONIC,
        *MODULES,
    ],
    4: [
        *COMPUTE,
        *WRITES,
        *WALKS,
        *_scaled(VIEWS, 0.5),
        *_scaled(MODES, 0.5),
        *_scaled(FUNCTIONS, 0.5),
        *_scaled(CONTAINERS, 0.5),
        *_scaled(PYTHONIC, 0.5),
        *FLOW,
    ],
    5: [
        *_scaled(COMPUTE, 0.3),
        *_scaled(WRITES, 0.3),
        *_scaled(MODULES, 0.3),
        *_scaled(FLOW, 0.3),
        *_scaled(TRAINING, 1.5),
    ],
    6: [(1, opaque.scene)],
    BRANCHING: [(1, branches.many)],
}
"""What the statements of a level are made by."""

COUNT = int(os.environ.get("INPLACE_LSP_PROGRAMS", "60"))
"""How many programs of each level the tests judge; a third of them of the level that runs each many times."""
FIRST = int(os.environ.get("INPLACE_LSP_SEED", "0"))
"""The first of their seeds."""
STATEMENTS = {1: (5, 19), 2: (5, 19), 3: (5, 14), 4: (5, 14), 5: (2, 6), 6: (1, 2), BRANCHING: (1, 1)}
"""How many there are, at least and at most."""


def seeds_of(level: int) -> range:
    """The seeds of the programs that the tests judge."""
    return range(FIRST, FIRST + (COUNT // 3 if level == BRANCHING else COUNT))


def program(level: int, seed: int) -> str:
    """The text of the program of that level and seed: always the same for the same two numbers."""
    b = Builder(seed * 10 + level)
    b.prelude = ["import torch", "import torch.nn.functional as F", "from torch import nn"]
    for _ in range(b.random.randint(1, 3)):
        compute.leaf(b)
    body(b, COMPUTE, 2)
    body(b, LEVELS[level], b.random.randint(*STATEMENTS[level]))
    if b.chance(0.93 if level < 5 else 0.5):
        mode.backward(b)
    return b.text()
