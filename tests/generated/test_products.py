"""What products of many dimensions keep of their operands: themselves, or a copy. torch is asked by a version."""

from __future__ import annotations

from random import Random

import torch
import torch.nn.functional as F

from generated.test_layouts import layout, operand
from inplace_lsp.interpret.autograd.products import keeps_copy
from inplace_lsp.interpret.state.values import Counter, Storage, Tensor


def is_kept(call, operands: list[torch.Tensor], at: int) -> bool:
    """Whether the backward minds a write to operand `at`."""
    given = [operand.detach().requires_grad_() for operand in operands]
    seen = [tensor.view_as(tensor) for tensor in given]
    result = call(*seen).sum()
    torch.autograd.graph.increment_version(seen[at])
    try:
        result.backward()
    except RuntimeError:
        return True
    return False


def value(tensor: torch.Tensor) -> Tensor:
    return Tensor(1, Storage(1), Counter(1), layout=layout(tensor), shape=tuple(tensor.shape))


def check_saves(op: str, call, names: tuple[str, str], operands: list[torch.Tensor]) -> None:
    tensors = {name: [value(operand)] for name, operand in zip(names, operands, strict=True)}
    for at, name in enumerate(names):
        said = not keeps_copy(op, name, tensors, {})
        assert said == is_kept(call, operands, at), (
            op,
            name,
            [(operand.shape, operand.stride()) for operand in operands],
        )


def test_products_of_batches() -> None:
    for seed in range(150):
        random = Random(seed)
        batch = [random.choice([1, 2, 3]) for _ in range(random.randint(0, 2))]
        first, second = ([size if random.random() < 0.8 else 1 for size in batch[random.randint(0, 1) :]] for _ in "ab")
        operands = [operand(random, [*first, 2, 3]), operand(random, [*second, 3, 2])]
        check_saves("matmul", torch.matmul, ("self", "other"), operands)


def test_linear_layers() -> None:
    for seed in range(80):
        random = Random(seed)
        given = operand(random, [random.choice([1, 2, 3]) for _ in range(random.randint(1, 3))] + [4])
        check_saves("linear", F.linear, ("input", "weight"), [given, torch.empty(5, 4)])
