import torch
import torch.nn as nn
import torch.nn.functional as F


class MixedOp(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.ops = nn.ModuleList([nn.Linear(d, d), nn.Sequential(nn.Linear(d, d), nn.Tanh()), nn.Identity()])

    def forward(self, x, weights):
        return sum(w * op(x) for w, op in zip(weights, self.ops))


class Network(nn.Module):
    def __init__(self, d=4, cells=2):
        super().__init__()
        self.cells = nn.ModuleList([MixedOp(d) for _ in range(cells)])
        self.head = nn.Linear(d, 2)
        self.alphas = nn.Parameter(1e-3 * torch.randn(cells, 3))

    def forward(self, x):
        for cell, a in zip(self.cells, F.softmax(self.alphas, dim=-1)):
            x = cell(x, a)
        return self.head(x)

    def weight_parameters(self):
        return [p for n, p in self.named_parameters() if "alpha" not in n]


class Architect:
    def __init__(self, net, lr=3e-3):
        self.net = net
        self.optimizer = torch.optim.Adam([net.alphas], lr=lr)

    def step(self, x, y):
        self.optimizer.zero_grad()
        F.cross_entropy(self.net(x), y).backward()
        self.optimizer.step()


def main():
    net = Network()
    architect = Architect(net)
    optimizer = torch.optim.SGD(net.weight_parameters(), 0.025, momentum=0.9)
    for _ in range(2):
        x, y = torch.randn(5, 4), torch.randint(0, 2, (5,))
        xv, yv = torch.randn(5, 4), torch.randint(0, 2, (5,))
        loss = F.cross_entropy(net(x), y)
        architect.step(xv, yv)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.weight_parameters(), 5.0)
        optimizer.step()


main()
