"""An array on the memory of a tensor that may lie on a GPU: no GPU is needed here to judge it, and none is asked."""

from __future__ import annotations

import pytest

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


SPREAD = """\
import torch
from torch import nn


class Filled(nn.Module):
    def __init__(self):
        super().__init__()
        self.fill = nn.Parameter(torch.randn(4))

    def forward(self, images, masks):
        image, mask = images[0], masks
        image[1:] = image[1:] * mask + self.fill * (1 - mask)
        return image.mean()


def train(device):
    net = nn.DataParallel(Filled().to(device))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(2):
        images, mask = torch.randn(3, 4), torch.ones(4)
        optimizer.zero_grad()
        net([images.to(device)], masks=mask.to(device)).backward()
        optimizer.step()


"""


def _check_spread(call: str, text: str = SPREAD) -> list[tuple[str, int]]:
    found = analyse_source(text + call, "/program.py").findings
    return [(finding.code, finding.span.row) for finding in found if finding.severity != "hint"]


def test_data_parallel_gives_a_module_views_of_what_lies_on_a_gpu() -> None:
    assert _check_spread("train('cuda')\n") == [("IP204", 12)]
    assert _check_spread("train(settings.device)\n") == [("IP204", 12)]
    assert not _check_spread("train('cpu')\n", SPREAD.replace("def train(device)", "def train(device='cpu')"))


def test_a_view_of_data_parallel_may_be_written_with_what_has_no_graph() -> None:
    assert not _check_spread("train('cuda')\n", SPREAD.replace("self.fill * (1 - mask)", "(1 - mask)"))
    assert not _check_spread("train('cuda')\n", SPREAD.replace("images[0], masks", "images[0].clone(), masks"))
    assert not _check_spread("train('cuda')\n", SPREAD.replace("net([", "with torch.no_grad():\n            net(["))


EXPANDED = """\
import torch

mask = torch.zeros(1, 5, 5, device="{device}").expand(4, 5, 5)
mask[:, :, 3:] = float("-inf")
mask[:, :, 3:] = torch.ones(2, device="{device}")
"""


@pytest.mark.parametrize(("device", "refused"), [("cpu", [4]), ("cuda", [5]), ("cuda:1", [5])])
def test_a_number_fills_an_expanded_tensor_on_a_gpu(device: str, refused: list[int]) -> None:
    """Seen on an H100 with torch 2.11."""
    findings = analyse_source(EXPANDED.format(device=device), "/program.py").findings
    assert [(found.code, found.span.row) for found in findings] == [("IP205", row) for row in refused]
