import torch
from torch import nn


class Conv(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 2, 3, padding=1)

    def forward(self, x):
        self.seen = torch.sigmoid(self.conv(x))
        return self.seen


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Conv()

    def forward(self, x):
        y = self.block(x)
        y *= 2
        return y.sum() + self.block.seen.pow(2).sum()


net = Net()
net(torch.randn(1, 2, 5)).backward()
