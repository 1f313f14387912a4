import torch
from torch import nn


class Pruner:
    def __init__(self, model, amount):
        self.model, self.amount = model, amount
        self.masks = {}

    def compute(self):
        for name, p in self.model.named_parameters():
            if p.dim() > 1:
                k = max(1, int(p.numel() * self.amount))
                cut = p.detach().abs().flatten().sort().values[k]
                self.masks[name] = p.detach().abs() >= cut

    @torch.no_grad()
    def apply(self):
        for name, p in self.model.named_parameters():
            if name in self.masks:
                p.mul_(self.masks[name])


model = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 1))
pruner = Pruner(model, 0.3)
pruner.compute()
opt = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(2):
    loss = model(torch.randn(3, 4)).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    pruner.apply()
