"""Both backwards come first."""

import torch
import torch.nn as nn


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU())
        self.head_a = nn.Linear(8, 3)
        self.head_b = nn.Linear(8, 1)

    def forward(self, x):
        z = self.encoder(x)
        return self.head_a(z), self.head_b(z)


model = MultiTask()
opt_a = torch.optim.Adam(list(model.encoder.parameters()) + list(model.head_a.parameters()), lr=1e-3)
opt_b = torch.optim.Adam([*model.encoder.parameters(), *model.head_b.parameters()], lr=1e-3)
for _ in range(2):
    logits, value = model(torch.randn(5, 4))
    loss_a = nn.functional.cross_entropy(logits, torch.randint(0, 3, (5,)))
    loss_b = value.pow(2).mean()
    opt_a.zero_grad()
    opt_b.zero_grad()
    loss_a.backward(retain_graph=True)
    loss_b.backward()
    opt_a.step()
    opt_b.step()
