import torch
from torch import nn


class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g


class LSQ(nn.Module):
    def __init__(self, bits=4):
        super().__init__()
        self.qmax = 2 ** (bits - 1) - 1
        self.scale = nn.Parameter(torch.tensor(1.0))
        self.register_buffer("ready", torch.tensor(0))

    def forward(self, x):
        if self.ready == 0:
            self.scale.data.copy_(2 * x.detach().abs().mean() / self.qmax**0.5)
            self.ready.fill_(1)
        return RoundSTE.apply((x / self.scale).clamp(-self.qmax - 1, self.qmax)) * self.scale


net = nn.Sequential(nn.Linear(4, 5), LSQ(), nn.ReLU(), nn.Linear(5, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(2):
    opt.zero_grad()
    net(torch.randn(6, 4)).pow(2).mean().backward()
    opt.step()
