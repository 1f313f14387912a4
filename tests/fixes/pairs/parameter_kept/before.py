import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.exp(nn.Parameter(torch.tensor(0.3)))
        self.mix = nn.Linear(2, 1)

    def forward(self, x):
        return (self.mix(x) * self.scale).sum()


net = Scaled()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    net(torch.randn(4, 2)).backward()
    opt.step()
