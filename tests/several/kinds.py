"""The first hazards of a program: what is made, the line that is wrong, and the same mended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A first hazard. `wrong` has the mark `# first` on its line and `# stops` where torch raises, if that is another;
    torch never raises if it is `silent`."""

    code: str
    make: str
    wrong: str
    right: str
    refused: bool = True
    silent: bool = False


KINDS = (
    Kind("IP201", "p = torch.rand(4, requires_grad=True)", "p.add_(1)  # first", "p = p + 1"),
    Kind("IP202", "p = torch.rand(4, requires_grad=True)", "p[0] = 0  # first", "p = p.clone()\np[0] = 0"),
    Kind(
        "IP203",
        "p = torch.rand(4, requires_grad=True)\na, b = (p * 2).chunk(2)",
        "a.mul_(2)  # first",
        "a = a * 2",
    ),
    Kind(
        "IP204",
        "p = torch.rand(4, requires_grad=True)\nq = p * 2\nwith torch.no_grad():\n    v = q[:2]",
        "v.mul_(p[:2])  # first",
        "v = v * p[:2]",
    ),
    Kind("IP205", "e = torch.zeros(1).expand(3)", "e.add_(1)  # first", "e = e + 1"),
    Kind("IP206", "with torch.inference_mode():\n    i = torch.zeros(3)", "i.add_(1)  # first", "i = i + 1"),
    Kind(
        "IP207",
        "p = torch.rand(4, requires_grad=True)\no = torch.empty(4)",
        "torch.exp(p, out=o)  # first",
        "o = torch.exp(p)",
    ),
    Kind(
        "IP101",
        "p = torch.rand(4, requires_grad=True)\nf = p.exp()",
        "f.add_(1)  # first\nf.sum().backward()  # stops",
        "f = f + 1\nf.sum().backward()",
        refused=False,
    ),
    Kind(
        "IP102",
        "net = nn.Linear(2, 1)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "net(torch.rand(3, 2)).sum().backward()\n"
        "loss = net(torch.rand(3, 2, requires_grad=True)).sum()",
        "opt.step()  # first\nloss.backward()  # stops",
        "loss.backward()\nopt.step()",
        refused=False,
    ),
    Kind(
        "IP103",
        "p = torch.rand(4, requires_grad=True)\ng = p.exp().sum()\ng.backward()",
        "g.backward()  # first",
        "p.exp().sum().backward()",
        refused=False,
    ),
    Kind(
        "IP301",
        "p = torch.rand(4, requires_grad=True)\ns = p.sigmoid()",
        "s.data.mul_(2)  # first\ns.sum().backward()",
        "s = s * 2\ns.sum().backward()",
        refused=False,
        silent=True,
    ),
)
