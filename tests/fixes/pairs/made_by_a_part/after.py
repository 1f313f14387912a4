# safe: Write out of place: `x = x + shortcut`
import torch
from torch import nn

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 2, 1)

    def forward(self, x):
        x = self.conv(x)
        return torch.relu(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = Block(), Block()

    def forward(self, x):
        shortcut = self.first(x)
        x = self.second(x)
        x = x + shortcut
        return x


net = Net()
net(net(torch.rand(1, 2, 3))).sum().backward()
