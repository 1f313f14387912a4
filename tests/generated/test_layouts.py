"""Where the elements of a result lie: as torch lays them out, for operands in any order, with holes, expanded."""

from __future__ import annotations

from random import Random

import pytest
import torch

from inplace_lsp.interpret.state.layout import Layout, combine_layouts, make_packed_layout

OPS = {1: torch.sin, 2: torch.add, 3: torch.addcmul}


def operand(random: Random, shape: list[int]) -> torch.Tensor:
    """A tensor of that shape, its dimensions in any order in memory, some of them expanded or with holes."""
    order = random.sample(range(len(shape)), len(shape))
    sizes = [1 if random.random() < 0.2 else shape[d] for d in order]
    steps = [random.choice([1, 1, 1, 2]) for _ in order]
    memory = torch.empty([size * step for size, step in zip(sizes, steps, strict=True)])
    sliced = memory[tuple(slice(None, None, step) for step in steps)].expand([shape[d] for d in order])
    return sliced.permute([order.index(d) for d in range(len(shape))])


def layout(tensor: torch.Tensor) -> Layout:
    return Layout(tuple(tensor.shape), tuple(tensor.stride()), tensor.storage_offset())


@pytest.mark.parametrize("count", OPS)
def test_elementwise_results_lie_as_torch_lays_them(count: int) -> None:
    for seed in range(400):
        random = Random(seed)
        shape = [random.choice([2, 3]) for _ in range(random.randint(0, 4))]
        parts = [shape[random.randint(0, len(shape)) :] if random.random() < 0.3 else shape for _ in range(count)]
        operands = [operand(random, [1 if random.random() < 0.2 else size for size in part]) for part in parts]
        wanted, got = OPS[count](*operands), combine_layouts([layout(operand) for operand in operands])
        assert got is not None
        assert got.shape == tuple(wanted.shape), operands
        sizes = zip(got.strides, wanted.stride(), got.shape, strict=True)
        assert all(mine == theirs for mine, theirs, size in sizes if size > 1), (seed, got, wanted.stride())


def test_copies_lie_as_torch_lays_them() -> None:
    for seed in range(400):
        random = Random(seed)
        tensor = operand(random, [random.choice([1, 2, 3]) for _ in range(random.randint(0, 4))])
        assert make_packed_layout(layout(tensor)).strides == tensor.clone().stride(), (seed, tensor.stride())
