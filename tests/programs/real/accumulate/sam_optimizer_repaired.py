"""Each loss has its own forward."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))
base = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()


class SAM:
    def __init__(self, params, rho=0.05):
        self.params = list(params)
        self.rho = rho
        self.eps = {}

    @torch.no_grad()
    def ascent(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm()
        for p in self.params:
            self.eps[p] = self.rho * p.grad / (norm + 1e-12)
            p.add_(self.eps[p])

    @torch.no_grad()
    def descent(self):
        for p in self.params:
            p.sub_(self.eps[p])


sam = SAM(model.parameters())
for _ in range(2):
    x, y = torch.randn(8, 4), torch.randint(0, 2, (8,))
    loss = criterion(model(x), y)
    base.zero_grad()
    loss.backward()
    sam.ascent()
    base.zero_grad()
    criterion(model(x), y).backward()
    sam.descent()
    base.step()
