"""Programs with newer or rarer parts of torch: torch itself says whether it raises, or whether a gradient is wrong.

The recorder of `verify` does not see some of them (transforms, arrays of Python, derivatives that do not exist), so
that they are run as they are. A program is a body behind HEAD, with markers as in tests/programs; `right` is the same
body without the write, with the gradient that is wanted.
"""

from __future__ import annotations

import contextlib
import warnings
from dataclasses import dataclass
from typing import Any

import pytest

from support import compare, expected, predicted

HEAD = """\
import torch
from torch import nn
import torch.nn.functional as F

x = torch.rand(4, 3, requires_grad=True)
lin = nn.Linear(3, 3)
"""


@dataclass(frozen=True)
class Program:
    """A program, and where a silent error is marked, the one that computes the right gradient of `x` or `lin`."""

    body: str
    right: str = ""


BUFFER = """\
class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.full((3,), 2.0))

    def forward(self, t):
        return (t * self.scale).sin()


net = Scaled()
"""
RIGHT_OF_BUFFER = f"{BUFFER}net(x * 2).sum().backward()\n"
CHECKPOINT = "from torch.utils.checkpoint import checkpoint\n"
PROGRAMS = {
    "in place, acosh has no derivative": Program("h = x * 2 + 2\nh.acosh_()  # error: IP101\nh.sum().backward()\n"),
    "in place, arcsinh has none": Program("h = x * 2\nh.arcsinh_()  # error: IP101\nh.sum().backward()\n"),
    "in place, atanh has none": Program("h = x * 0.5\ntorch.atanh_(h)  # error: IP101\nh.sum().backward()\n"),
    "without a gradient it needs none": Program("h = x.detach() + 2\nh.acosh_()\n(h * x).sum().backward()\n"),
    "leaky_relu_ with a negative slope": Program(
        "h = F.leaky_relu_(x * 2, -0.1)  # error: IP101\nh.sum().backward()\n"
    ),
    "LeakyReLU(inplace=True) with one": Program(
        "act = nn.LeakyReLU(-0.1, inplace=True)\nh = act(x * 2)  # error: IP101\nh.sum().backward()\n"
    ),
    "elu_ with a negative alpha": Program("h = F.elu(x * 2, -0.5, True)  # error: IP101\nh.sum().backward()\n"),
    "celu_ with a negative alpha": Program("h = F.celu_(x * 2 - 1, -0.5)  # error: IP101\nh.sum().backward()\n"),
    "leaky_relu with a negative slope, out of place": Program("h = F.leaky_relu(x * 2, -0.1)\nh.sum().backward()\n"),
    "leaky_relu_ with a positive slope": Program("h = F.leaky_relu_(x * 2, 0.1)\nh.sum().backward()\n"),
    "unsafe_split of a saved result": Program(
        "h = x.exp()\na, b = h.unsafe_split(2)\na.mul_(2)  # error: IP301\nh.sum().backward()\n",
        "x.exp().sum().backward()\n",
    ),
    "unsafe_chunk of what nobody saved": Program(
        "a, b = torch.unsafe_chunk(x * 2, 2)\na.mul_(2)\na.sum().backward()\n",
    ),
    "an output of unsafe_chunk that is saved": Program(
        "a, b = torch.unsafe_chunk(x * 2, 2)\ns = a.sin()\na.mul_(2)  # error: IP101\ns.sum().backward()\n",
    ),
    "frombuffer, the tensor written": Program(
        "t = torch.frombuffer(bytearray(48), dtype=torch.float32).view(4, 3)\ny = x * t\n"
        "t.add_(1)  # error: IP101\ny.sum().backward()\n"
    ),
    "frombuffer, the buffer written": Program(
        "import array\n\nnumbers = array.array('f', [1.0] * 12)\nt = torch.frombuffer(numbers, dtype=torch.float32)\n"
        "y = x * t.view(4, 3)\nnumbers[0] = 7.0  # error: IP301\ny.sum().backward()\n",
        "x.sum().backward()\n",
    ),
    "frombuffer of an array of numpy": Program(
        "import numpy as np\n\nnumbers = np.ones(12, dtype=np.float32)\n"
        "t = torch.frombuffer(numbers, dtype=torch.float32).view(4, 3)\ny = x * t\n"
        "numbers += 1  # error: IP301\ny.sum().backward()\n",
        "x.sum().backward()\n",
    ),
    "two tensors on one buffer": Program(
        "memory = bytearray(48)\nt = torch.frombuffer(memory, dtype=torch.float32)\n"
        "other = torch.frombuffer(memory, dtype=torch.float32)\ny = x * t.view(4, 3)\n"
        "other.fill_(2)  # error: IP301\ny.sum().backward()\n",
        "(x * 0).sum().backward()\n",
    ),
    "set_: the memory of the source": Program(
        "source = torch.ones(4, 3)\nt = torch.empty(0)\nt.set_(source)\ny = x * t\n"
        "source.mul_(2)  # error: IP301\ny.sum().backward()\n",
        "x.sum().backward()\n",
    ),
    "set_ of a leaf": Program("x.set_(torch.zeros(4, 3))  # error: IP201\n"),
    "set_ of an alias gives only that other memory": Program(
        "y = x.sin()\nx.data.set_(torch.zeros(4, 3))\ny.sum().backward()\n"
    ),
    "unbind of a nested tensor that needs a gradient": Program(
        "parts = torch.nested.as_nested_tensor([x[:2] * 2, x[2:] * 3])\na, b = parts.unbind()\n"
        "a.mul_(2)  # error: IP203\na.sum().backward()\n"
    ),
    "unbind of a jagged one": Program(
        "parts = torch.nested.as_nested_tensor([x[:2] * 2, x[2:]], layout=torch.jagged)\na, b = parts.unbind()\n"
        "a.mul_(2)  # error: IP203\na.sum().backward()\n"
    ),
    "unbind of one that needs none": Program(
        "parts = torch.nested.nested_tensor([torch.rand(2, 3), torch.rand(1, 3)])\na, b = parts.unbind()\na.mul_(2)\n"
    ),
    "a buffer written behind a checkpoint's forward": Program(
        f"{CHECKPOINT}{BUFFER}y = checkpoint(net, x * 2, use_reentrant=False)\n"
        "net.scale.mul_(2)  # error: IP301\ny.sum().backward()\n",
        RIGHT_OF_BUFFER,
    ),
    "a buffer written behind a reentrant one's": Program(
        f"{CHECKPOINT}{BUFFER}y = checkpoint(net, x * 2, use_reentrant=True)\n"
        "net.scale.mul_(2)  # error: IP301\ny.sum().backward()\n",
        RIGHT_OF_BUFFER,
    ),
    "a buffer that the checkpointed function itself counts up": Program(
        f"{CHECKPOINT}scale = torch.ones(3)\n\n\ndef count(t):\n    y = (t * scale).sin()\n"
        "    scale.add_(1)  # error: IP301\n    return y\n\n\n"
        "checkpoint(count, x * 2, use_reentrant=False).sum().backward()\n",
        "(x * 2).sin().sum().backward()\n",
    ),
    "a buffer written behind the backward": Program(
        f"{CHECKPOINT}{BUFFER}y = checkpoint(net, x * 2, use_reentrant=False)\ny.sum().backward()\nnet.scale.mul_(2)\n"
    ),
    "parameters that step behind a checkpoint's forward": Program(
        f"{CHECKPOINT}opt = torch.optim.SGD(lin.parameters(), 1.0)\nlin(torch.rand(2, 3)).sum().backward()\n"
        "y = checkpoint(lin, x * 2, use_reentrant=False)\nopt.step()  # error: IP301\ny.sum().backward()\n",
        "lin(x * 2).sum().backward()\n",
    ),
    "a write in a checkpoint, and a save behind it": Program(
        f"{CHECKPOINT}\n\ndef scale(t):\n    y = t.exp()\n    y.mul_(3)  # error: IP301\n    return y.sin()\n\n\n"
        "checkpoint(scale, x * 2, use_reentrant=False).sum().backward()\n",
        "((x * 2).exp() * 3).sin().sum().backward()\n",
    ),
    "a write at the end of a checkpoint, which stops early": Program(
        f"{CHECKPOINT}\n\ndef scale(t):\n    y = t.exp()\n    y.mul_(3)\n    return y\n\n\n"
        "checkpoint(scale, x * 2, use_reentrant=False).sum().backward()\n",
        "((x * 2).exp() * 3).sum().backward()\n",
    ),
    "a write at the end of one that does not": Program(
        f"{CHECKPOINT}\n\ndef scale(t):\n    y = t.exp()\n    y.mul_(3)  # error: IP301\n    return y\n\n\n"
        "checkpoint(scale, x * 2, use_reentrant=False, early_stop=False).sum().backward()\n",
        "((x * 2).exp() * 3).sum().backward()\n",
    ),
    "the result of a checkpoint written": Program(
        f"{CHECKPOINT}y = checkpoint(torch.exp, x * 2, use_reentrant=False)\ny.mul_(2)\ny.sum().backward()\n",
        "((x * 2).exp() * 2).sum().backward()\n",
    ),
    "what a checkpointed lambda closes over": Program(
        f"{CHECKPOINT}h = x.detach() + 1\ny = checkpoint(lambda t: t * h, x * 2, use_reentrant=False)\n"
        "h.mul_(2)  # error: IP301\ny.sum().backward()\n",
        "(x * 2 * (x.detach() + 1)).sum().backward()\n",
    ),
    "what vjp has returned": Program(
        "y, pull = torch.func.vjp(torch.exp, x.detach())\ny.mul_(2)  # error: IP301\n"
        "x.grad = pull(torch.ones(4, 3))[0]\n",
        "y, pull = torch.func.vjp(torch.exp, x.detach())\nx.grad = pull(torch.ones(4, 3))[0]\n",
    ),
    "what vjp was given": Program(
        "t = x.detach().clone()\ny, pull = torch.func.vjp(torch.sin, t)\nt.mul_(2)  # error: IP301\n"
        "x.grad = pull(torch.ones(4, 3))[0]\n",
        "y, pull = torch.func.vjp(torch.sin, x.detach())\nx.grad = pull(torch.ones(4, 3))[0]\n",
    ),
    "a write in the function that jacrev differentiates": Program(
        "def scale(t):\n    y = t.tanh()\n    y.add_(1)  # error: IP101\n    return y\n\n\n"
        "torch.func.jacrev(scale)(torch.rand(3))\n"
    ),
    "foreach ops in place keep their results": Program(
        "ys = [x * 2, x * 3]\ntorch._foreach_exp_(ys)\ntorch._foreach_mul_(ys, 2.0)  # error: IP101\n"
        "sum(y.sum() for y in ys).backward()\n"
    ),
    "a functional optimizer": Program(
        "from torch.optim.sgd import sgd\n\ny = lin(x * 2)\nwith torch.no_grad():\n"
        "    sgd([lin.weight], [torch.ones(3, 3)], [None], weight_decay=0.0, momentum=0.0, lr=0.1, dampening=0.0,"
        " nesterov=False, maximize=False)  # error: IP101\n"
        "y.sum().backward()\n"
    ),
    "a functional optimizer behind the backward": Program(
        "from torch.optim.sgd import sgd\n\nlin(x * 2).sum().backward()\nwith torch.no_grad():\n"
        "    sgd([lin.weight], [torch.ones(3, 3)], [None], weight_decay=0.0, momentum=0.0, lr=0.1, dampening=0.0,"
        " nesterov=False, maximize=False)\n"
    ),
    "a version counter that is set back": Program(
        "y = x.exp()\nwith torch.autograd._unsafe_preserve_version_counter(y):\n    y.mul_(2)  # error: IP301\n"
        "y.sum().backward()\n",
        "(x.exp() * 2).sum().backward()\n",
    ),
    "muon": Program(
        "opt = torch.optim.Muon([lin.weight], lr=0.1)\nlin(x).sum().backward()\ny = lin(x * 2)\n"
        "opt.step()  # error: IP102\ny.sum().backward()\n"
    ),
    "functional_call with other parameters": Program(
        "own = {name: p.detach().clone().requires_grad_() for name, p in lin.named_parameters()}\n"
        "y = torch.func.functional_call(lin, own, (x * 2,))\nwith torch.no_grad():\n    lin.weight.mul_(2)\n"
        "    own['weight'].mul_(2)  # error: IP101\ny.sum().backward()\n"
    ),
    "values of a sparse tensor": Program(
        "s = torch.eye(4).to_sparse().coalesce()\ny = torch.sparse.mm(s, x * 2)\n"
        "s.values().mul_(2)  # error: IP101\ny.sum().backward()\n"
    ),
    "an eager compiled function's result": Program(
        "@torch.compile(backend='eager')\ndef scale(t):\n    return t.exp()\n\n\n"
        "y = scale(x)\ny.mul_(2)  # error: IP101\ny.sum().backward()\n"
    ),
    "rms_norm keeps its input": Program(
        "h = x * 2\ny = nn.RMSNorm(3)(h)\nh.mul_(2)  # error: IP101\ny.sum().backward()\n"
    ),
    "rms_norm does not keep its result": Program("y = F.rms_norm(x * 2, (3,))\ny.mul_(2)\ny.sum().backward()\n"),
    "copies of views": Program("a, b = torch.split_copy(x.exp(), 2)\na.mul_(2)\na.sum().backward()\n"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_found(name: str) -> None:
    text = HEAD + PROGRAMS[name].body
    compare(text, predicted(text), "the static analysis")


@pytest.mark.parametrize("name", PROGRAMS)
def test_torch_raises_or_computes_a_wrong_gradient(name: str) -> None:
    pytest.importorskip("torch")
    program = PROGRAMS[name]
    found = {code for _, code in expected(program.body)}
    loud = bool(found - {"IP301"})
    with pytest.raises((RuntimeError, NotImplementedError)) if loud else contextlib.nullcontext():
        gradient = _find_gradient(HEAD + program.body)
    if program.right and not loud:
        right = _find_gradient(HEAD + program.right)
        assert gradient.shape == right.shape
        assert bool(gradient.isclose(right).all()) is not bool(found)


def _find_gradient(text: str) -> Any:
    """Run a program and return the gradient of `x`."""
    import torch

    torch.default_generator.manual_seed(0)
    names: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, "program.py", "exec"), names)
    return names["x"].grad
