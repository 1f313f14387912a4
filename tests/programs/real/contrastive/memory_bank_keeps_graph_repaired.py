import torch
import torch.nn as nn
import torch.nn.functional as F


class MemoryBank:
    def __init__(self, n, dim, momentum=0.5):
        self.momentum = momentum
        self.bank = F.normalize(torch.randn(n, dim), dim=1)

    def update(self, idx, feats):
        feats = feats.detach()
        mixed = self.momentum * self.bank[idx] + (1 - self.momentum) * feats
        self.bank = self.bank.index_copy(0, idx, F.normalize(mixed, dim=1))

    def similarity(self, feats):
        return feats @ self.bank.t()


def main():
    net = nn.Linear(5, 4)
    bank = MemoryBank(12, 4)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(3):
        idx = torch.arange(step * 4, step * 4 + 4)
        f = F.normalize(net(torch.randn(4, 5)), dim=1)
        loss = F.cross_entropy(bank.similarity(f) / 0.1, idx)
        opt.zero_grad()
        loss.backward()
        opt.step()
        bank.update(idx, f)


main()
