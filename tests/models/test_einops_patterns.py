"""Whether a pattern of einops gives the tensor itself, a view or a copy, with and without a known shape."""

from __future__ import annotations

import pytest

from support import predicted

VIEW, COPY = True, False
PATTERNS = {
    "rearrange(h, 'a b c -> a b c')": VIEW,
    "rearrange(h, 'a b c -> a c b')": VIEW,
    "rearrange(h, 'a b c -> (a b) c')": VIEW,
    "rearrange(h, 'a b c -> a (c b)')": COPY,
    "rearrange(h, 'a ... -> ... a')": VIEW,
    "rearrange(h, 'a ... -> a (...)')": VIEW,
    "rearrange(h, 'a ... c -> c (a ...)')": VIEW,
    "rearrange(h, 'a ... c -> (c a) ...')": COPY,
    "rearrange(h, 'a (b k) c -> k a b c', k=2)": VIEW,
    "rearrange(h, 'a (b k) c -> (k a) b c', k=2)": COPY,
    "repeat(h, 'a b c -> a b (c r)', r=2)": COPY,
    "repeat(h, 'a b c -> a (2 b) c')": COPY,
    "reduce(h, 'a b c -> a b', 'sum')": COPY,
    "reduce(h, 'a (b 1) c -> a c b', 'sum')": VIEW,
}
PROGRAM = """
import torch
from einops import rearrange, reduce, repeat

def f(x):
    h = x.tanh()
    y = {call}
    y += 1
    return y
"""
KNOWN_SHAPE = "f(torch.randn(2, 4, 6, requires_grad=True)).sum().backward()"
UNKNOWN_SHAPE = """
def g(batch):
    return f(torch.nn.Linear(6, 6)(batch))
"""


@pytest.mark.parametrize("call", PATTERNS)
@pytest.mark.parametrize("use", [KNOWN_SHAPE, UNKNOWN_SHAPE])
def test_a_write_reaches_the_tensor_only_through_a_view(call: str, use: str) -> None:
    found = predicted(PROGRAM.format(call=call) + use)
    assert {code for _, code in found} == ({"IP101"} if PATTERNS[call] is VIEW else set())
