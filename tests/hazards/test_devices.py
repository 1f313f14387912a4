"""An array on the memory of a tensor that may lie on a GPU: no GPU is needed here to judge it, and none is asked."""

from __future__ import annotations

from inplace_lsp.engine import analyse_source
from inplace_lsp.hazards.finding import Finding

NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(x).exp()


def show(out):
    shown = out.detach().cpu().numpy()
    shown[0] = 0
    return shown


"""


def _check(rest: str) -> list[Finding]:
    return [found for found in analyse_source(NET + rest, "/program.py").findings if found.severity != "hint"]


def test_what_is_copied_from_a_gpu_shares_nothing() -> None:
    assert not _check("net = Net().cuda()\nout = net(torch.rand(2, 8).cuda())\nshow(out)\nout.sum().backward()\n")
    assert not _check(
        "place = torch.device('cuda', 0)\nnet = Net().to(place)\nout = net(torch.rand(2, 8, device=place))\n"
        "show(out)\nout.sum().backward()\n"
    )


def test_what_lies_on_the_cpu_is_shared() -> None:
    [finding] = _check("net = Net()\nout = net(torch.rand(2, 8))\nshow(out)\nout.sum().backward()\n")
    assert (finding.code, finding.severity, finding.assumptions) == ("IP301", "error", ())


def test_what_is_brought_back_is_shared() -> None:
    text = "net = Net().cuda().cpu()\nout = net(torch.rand(2, 8))\nshow(out)\nout.sum().backward()\n"
    [finding] = _check(text)
    assert finding.severity == "error"


def test_a_device_that_is_not_known_is_assumed_to_be_the_cpu() -> None:
    text = """\
def train(place):
    net = Net().to(place)
    out = net(torch.rand(2, 8).to(place))
    show(out)
    out.sum().backward()
"""
    [finding] = _check(text)
    assert (finding.code, finding.severity) == ("IP301", "warning")
    assert [assumed.endswith("is on the CPU") for assumed in finding.assumptions] == [True]
    assert "`.cpu().numpy()`" in finding.message


def test_a_function_that_asks_for_the_cpu_may_be_given_another_device() -> None:
    text = """\
def show_all(net: Net, x):
    out = net(x)
    shown = out.cpu().detach().numpy()
    shown *= 2
    return out
"""
    [finding] = _check(text)
    assert (finding.code, finding.severity) == ("IP301", "warning")
    [loud] = _check(text.replace("shown *= 2", "out *= 2"))
    assert (loud.code, loud.severity) == ("IP101", "error")


def test_one_gpu_is_enough() -> None:
    made = "net = Net().cuda()\nout = net(torch.rand(2, 8).cuda())\n"
    text = f"{made}same = out.cuda()\nsame += 1\nout.sum().backward()\n"
    [finding] = _check(text)
    assert finding.code == "IP101"
