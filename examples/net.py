import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.wide = nn.Linear(8, 1024)
        self.act = nn.LeakyReLU()
        self.more = nn.Linear(1024, 1024)
        self.out = nn.Linear(1024, 8)

    def forward(self, x):
        h = self.wide(x)
        h = self.act(h)
        h = self.act(self.more(h))
        return self.out(h)


if __name__ == "__main__":
    Net()(torch.randn(512, 8)).sum().backward()
