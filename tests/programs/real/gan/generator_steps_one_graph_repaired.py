import torch
from torch import nn


class MCD(nn.Module):
    def __init__(self):
        super().__init__()
        self.G = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU())
        self.C1, self.C2 = nn.Linear(6, 3), nn.Linear(6, 3)


def discrepancy(a, b):
    return (a.softmax(1) - b.softmax(1)).abs().mean()


def train(net, source, labels, target, inner=2):
    opt_g = torch.optim.SGD(net.G.parameters(), lr=0.01)
    opt_c = torch.optim.SGD([*net.C1.parameters(), *net.C2.parameters()], lr=0.01)
    ce = nn.CrossEntropyLoss()
    f = net.G(source)
    loss = ce(net.C1(f), labels) + ce(net.C2(f), labels)
    opt_g.zero_grad()
    opt_c.zero_grad()
    loss.backward()
    opt_g.step()
    opt_c.step()
    ft = net.G(target)
    opt_c.zero_grad()
    (-discrepancy(net.C1(ft.detach()), net.C2(ft.detach()))).backward()
    opt_c.step()
    for _ in range(inner):
        opt_g.zero_grad()
        ft = net.G(target)
        discrepancy(net.C1(ft), net.C2(ft)).backward()
        opt_g.step()


train(MCD(), torch.randn(6, 4), torch.randint(0, 3, (6,)), torch.randn(6, 4))
