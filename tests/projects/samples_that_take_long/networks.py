from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Linear(width, 8)
        self.last = nn.Linear(8, 1)

    def forward(self, x):
        return self.last(self.first(x).tanh())
