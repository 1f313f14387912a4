"""Programs with several hazards each: all are told at once, and torch tells one after the other as each is mended."""

from __future__ import annotations

import pytest

from inplace_lsp.engine import analyse_source
from several.judge import FILE, raised_rows

START = "import torch\nfrom torch import nn\n\n"
PROGRAMS = {
    "an adversarial loop": (
        """\
adv = torch.rand(2, 4, requires_grad=True)
net = nn.Sequential(nn.Linear(4, 4), nn.Sigmoid(), nn.Linear(4, 1))
for _ in range(2):
    h = net[0](adv).sigmoid()
    h *= 2  # 2 IP101
    loss = net[2](h).sum()
    adv += 0.01  # 1 IP201
    loss.backward()
""",
        ("adv += 0.01", "adv.data = adv.data + 0.01"),
        ("h *= 2", "h = h * 2"),
    ),
    "two pieces and a loss": (
        """\
w = torch.rand(6, requires_grad=True)
r, z = (w * 2).chunk(2)
r.sigmoid_()  # 1 IP203
z.tanh_()  # 2 IP203
n = (r * z).exp()
n += 1  # 3 IP101
n.sum().backward()
""",
        ("r.sigmoid_()", "r = r.sigmoid()"),
        ("z.tanh_()", "z = z.tanh()"),
        ("n += 1", "n = n + 1"),
    ),
    "an initialisation, a forward and a step": (
        """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))
        self.scale.mul_(0.5)  # 1 IP201
        self.body = nn.Linear(4, 4)

    def forward(self, x):
        h = torch.tanh(self.body(x) * self.scale)
        h[:, 0] = 0  # 2 IP101
        return h


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
first = net(torch.rand(2, 4))
second = net(first)
first.sum().backward(retain_graph=True)
opt.step()  # 3 IP102
second.sum().backward()
""",
        ("self.scale.mul_(0.5)", "self.scale.data.mul_(0.5)"),
        ("h[:, 0] = 0", "h = h.clone(); h[:, 0] = 0"),
        ("opt.step()", "pass"),
    ),
    "a caught refusal, an arm and what follows": (
        """\
w = torch.rand(3, requires_grad=True)
try:
    w.zero_()  # 1 IP201
except RuntimeError:
    y = w.sin().exp()
    y.neg_()  # 2 IP101
    y.sum().backward()
""",
        ("y.neg_()", "y = -y"),
        ("w.zero_()", "w.data.zero_()"),
    ),
    "a backward that fails, and its arm": (
        """\
w = torch.rand(3, requires_grad=True)
y = w.exp()
y.neg_()  # 1 IP101
try:
    y.sum().backward()
except RuntimeError:
    z = w.tanh()
    z.add_(1)  # 2 IP101
    z.sum().backward()
""",
        ("z.add_(1)", "z = z + 1"),
        ("y.neg_()", "y = -y"),
    ),
    "frozen under training": (
        """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)

    def forward(self, x):
        a, b = self.body(x).chunk(2, dim=1)
        if self.training:
            a += 1  # 1 IP203
        g = torch.sigmoid(b)
        g *= 2  # 2 IP101
        return a * g


Net()(torch.rand(2, 4)).sum().backward()
""",
        ("a += 1", "a = a + 1"),
        ("g *= 2", "g = g * 2"),
    ),
}


@pytest.mark.parametrize("title", PROGRAMS)
def test_all_are_told_at_once(title: str) -> None:
    text = START + PROGRAMS[title][0]
    wanted = {
        (row, line.split("# ")[1].split()[1]) for row, line in enumerate(text.split("\n"), start=1) if "# " in line
    }
    found = analyse_source(text, FILE).findings
    assert {(finding.span.row, finding.code) for finding in found if finding.severity != "hint"} == wanted


@pytest.mark.parametrize("title", PROGRAMS)
def test_torch_tells_one_after_the_other(title: str) -> None:
    text, *repairs = PROGRAMS[title]
    text = START + text
    for wrong, right in repairs:
        assert raised_rows(text), text
        text = text.replace(wrong, right)
    assert not raised_rows(text), text
