"""Writes through `.data` to a result are reported just where the gradient is not that of the program out of place."""

from __future__ import annotations

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support import observed, predicted

START = """\
import torch

x = torch.tensor([[0.3, -0.8, 0.5], [0.9, 0.2, -0.4]], requires_grad=True)
weights = torch.tensor([[1.0, 2.0, 4.0], [3.0, 5.0, 7.0]])
mask = torch.tensor([[True, False, False], [False, False, True]])
total = (x * 1e-3).sum()
y = x + 1
"""
END = "total.backward()\n"

CHANGES = {
    "y.data *= 3": "y = y * 3",
    "y.data.div_(weights)": "y = y / weights",
    "y.data[:, 1] *= 2": "y = y * torch.tensor([1.0, 2.0, 1.0])",
    "y[0].data.mul_(2)": "y = y * torch.tensor([[2.0], [1.0]])",
    "y.detach().data.neg_()": "y = -y",
    "y.data.clamp_(0.4, 1.4)": "y = y.clamp(0.4, 1.4)",
    "y.data += 1": "y = y + 1",
    "y.data -= weights": "y = y - weights",
    "y.data[1] += 0.5": "y = y + torch.tensor([[0.0], [0.5]])",
    "y.data.addcmul_(weights, weights)": "y = y + weights * weights",
    "y.data += x": "y = y + x",
    "y.data += x.detach()": "y = y + x.detach()",
    "y.data[mask] = 0.0": "y = y.masked_fill(mask, 0.0)",
    "y.data.masked_fill_(mask, 2.0)": "y = y.masked_fill(mask, 2.0)",
    "y.data.copy_(weights)": "y = y * 0 + weights",
    "y.data.zero_()": "y = y * 0",
    "pass": "pass",
}
"""Writes through `.data`, and what they are out of place."""
USES = (
    "total = total + (y * weights).sum()",
    "total = total + y[1].sum()",
    "total = total + (y.detach() * weights).sum()",
    "with torch.no_grad(): total.add_(y.sum())",
    "shown = y.mean()",
)
"""What is done with the result at some time; nothing of it saves the result."""
MASKS = {
    "y.data.masked_fill_(mask, -1e9)": "y = y.masked_fill(mask, -1e9)",
    "y.data[mask] = -float('inf')": "y = y.masked_fill(mask, -float('inf'))",
}

steps = st.lists(
    st.sampled_from([*((change, other) for change, other in CHANGES.items()), *((use, use) for use in USES)])
)


@settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(steps.filter(lambda taken: 0 < len(taken) < 6))
def test_what_is_reported_is_where_the_gradient_is_wrong(taken: list[tuple[str, str]]) -> None:
    lines = [line for line, _ in taken]
    wrong = is_wrong(lines, [other for _, other in taken])
    program = START + "".join(f"{line}\n" for line in lines) + END
    assert bool(observed(program)) == wrong, program
    assert bool(predicted(program)) == wrong, program


@pytest.mark.parametrize("change", MASKS)
def test_a_mask_before_a_softmax_is_no_mistake(change: str) -> None:
    use = "total = total + (y.softmax(1) * weights).sum()"
    assert not is_wrong([change, use], [MASKS[change], use])
    program = f"{START}{change}\n{use}\n{END}"
    assert not observed(program)
    assert not predicted(program)


def is_wrong(lines: list[str], out_of_place: list[str]) -> bool:
    """Whether the gradient differs from that of the program out of place."""
    return not torch.allclose(_gradient(lines), _gradient(out_of_place))


def _gradient(lines: list[str]) -> torch.Tensor:
    names: dict[str, torch.Tensor] = {}
    exec("\n".join([START, *lines, END]), {}, names)
    gradient = names["x"].grad
    assert gradient is not None
    return gradient
