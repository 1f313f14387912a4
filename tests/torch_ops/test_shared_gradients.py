"""Which inputs of an op get the gradient of its result in the same memory, by the table and by torch."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from inplace_lsp.torch_ops import table

CALLS: dict[str, tuple[Callable[..., Tensor], int]] = {
    "add": (lambda a, b: a.add(b), 2),
    "sub": (lambda a, b: a.sub(b), 2),
    "mul": (lambda a, b: a.mul(b), 2),
    "addcmul": (lambda a, b, c: a.addcmul(b, c), 3),
    "clone": (lambda a: a.clone(), 1),
    "neg": (lambda a: a.neg(), 1),
    "relu": (lambda a: a.relu(), 1),
    "t": (lambda a: a.t(), 1),
    "transpose": (lambda a: a.transpose(0, 1), 1),
    "permute": (lambda a: a.permute(1, 0), 1),
    "view": (lambda a: a.view(9), 1),
    "unsqueeze": (lambda a: a.unsqueeze(0), 1),
    "squeeze": (lambda a: a.squeeze(0), 1),
    "sum": (lambda a: a.sum(), 1),
    "mean": (lambda a: a.mean(), 1),
    "select": (lambda a: a.select(0, 1), 1),
}


@pytest.mark.parametrize("op", CALLS)
def test_the_table_names_the_inputs_that_share_the_gradient(op: str) -> None:
    call, count = CALLS[op]
    inputs = [torch.rand(3, 3, requires_grad=True) * 1 for _ in range(count)]
    result = call(*inputs)
    given = torch.ones_like(result)
    gradients = torch.autograd.grad(result, inputs, given)
    memory = given.untyped_storage().data_ptr()
    shared = [gradient.untyped_storage().data_ptr() == memory for gradient in gradients]
    overload = max(table.find_overloads(f"torch.Tensor.{op}"), key=lambda each: len(each.differentiable))
    names = [param.name for param in overload.params if param.name in overload.differentiable]
    assert [name in overload.shares_gradient for name in names] == shared
