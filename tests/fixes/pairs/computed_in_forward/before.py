import torch
from torch import nn


class Weighted(nn.Module):
    def __init__(self):
        super().__init__()
        self.raw = nn.Parameter(torch.zeros(3))
        self.mix = nn.Linear(3, 1)
        self.weights = torch.softmax(self.raw, 0)

    def forward(self, x):
        """Weight the columns."""
        return self.mix(x * self.weights).sum()


net = Weighted()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    net(torch.randn(4, 3)).backward()
    opt.step()
