"""What only the refusal causes is no second finding: with the refused write mended, torch runs the program through."""

from __future__ import annotations

import re

import pytest

from support import check

START = "import torch\nfrom torch import nn\n\nx = torch.rand(4, requires_grad=True)\n"
PROGRAMS = {
    "the name is written again": (
        "x.add_(1)  # error: IP201\nx.mul_(2)\nx.sum().backward()",
        ("x.add_(1)", "x = x + 1"),
    ),
    "another piece is used": (
        "a, b = x.exp().chunk(2)\na.mul_(2)  # error: IP203\n(a * b).sum().backward()",
        ("a.mul_(2)", "a = a * 2"),
    ),
    "a piece is written again by its parts": (
        "a, b = x.exp().chunk(2)\na[0] = 1  # error: IP203\na[1] = 2\n(a + b).sum().backward()",
        ("a[0] = 1", "a = a.clone(); a[0] = 1"),
    ),
    "the whole was saved": (
        "y = x.exp()\na, b = y.chunk(2)\na.mul_(2)  # error: IP203\n(y.sum() + a.sum()).backward()",
        ("a.mul_(2)", "a = a * 2"),
    ),
    "the leaf was saved": (
        "loss = (x * x).sum()\nx.add_(1)  # error: IP201\nloss.backward()",
        ("x.add_(1)", "x = x + 1"),
    ),
    "a leaf is clipped in every round": (
        "for _ in range(3):\n    x[0] = 0  # error: IP202\n    (x * x).sum().backward()",
        ("x[0] = 0", "x = x.detach().clone(); x[0] = 0; x.requires_grad_()"),
    ),
    "a weight is updated by hand": (
        "for _ in range(3):\n    x.grad = None\n    (x * x).sum().backward()\n    x -= 0.1 * x.grad  # error: IP201",
        ("x -= 0.1 * x.grad", "x.data.sub_(0.1 * x.grad)"),
    ),
    "a layer's weight is scaled in every round": (
        "net = nn.Linear(4, 4)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\nfor _ in range(3):\n"
        "    net.weight.mul_(0.9)  # error: IP201\n    opt.zero_grad()\n    net(x).sum().backward()\n    opt.step()",
        ("    net.weight.mul_(0.9)", "    with torch.no_grad():\n        net.weight.mul_(0.9)"),
    ),
    "expanded memory is written again": (
        "e = torch.zeros(1).expand(3)\ne.add_(1)  # error: IP205\ne.mul_(2)",
        ("e.add_(1)", "e = e + 1"),
    ),
    "an inference tensor goes into a graph": (
        "with torch.inference_mode():\n    i = torch.zeros(4)\ni.add_(1)  # error: IP206\n(i * x).sum().backward()",
        ("i.add_(1)", "i = i + 1"),
    ),
    "the result of out= is used": (
        "o = torch.empty(4)\ntorch.exp(x, out=o)  # error: IP207\no.sum().backward()",
        ("torch.exp(x, out=o)", "o = torch.exp(x)"),
    ),
    "an update of rows in place, read and written back": (
        "h = x.view(2, 2)\nh[0] += 1  # error: IP202\nh.sum().backward()",
        ("h[0] += 1", "h = h.clone(); h[0] += 1"),
    ),
    "a method of a part": (
        "x[:2].mul_(2)  # error: IP202\n(x * x).sum().backward()",
        ("x[:2].mul_(2)", "x = x.clone(); x[:2].mul_(2)"),
    ),
    "a custom function declares the write of a leaf": (
        "class Double(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, v):\n"
        "        ctx.mark_dirty(v)\n        return v.mul_(2)  # error: IP201\n\n    @staticmethod\n"
        "    def backward(ctx, gradient):\n        return gradient * 2\n\n\nDouble.apply(x)\n(x * x).sum().backward()",
        ("Double.apply(x)", "Double.apply(x * 1)"),
    ),
}


@pytest.mark.parametrize("title", PROGRAMS)
def test_nothing_else_is_found(title: str) -> None:
    text, _ = PROGRAMS[title]
    check(START + text + "\n")


@pytest.mark.parametrize("title", PROGRAMS)
def test_the_mended_program_is_right(title: str) -> None:
    text, (wrong, right) = PROGRAMS[title]
    check(START + re.sub(r"  # error: IP\d+", "", text).replace(wrong, right) + "\n")
