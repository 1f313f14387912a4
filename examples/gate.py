import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.gate = nn.Linear(size, size)
        self.value = nn.Linear(size, size)

    def forward(self, x):
        gate = torch.sigmoid(self.gate(x))
        gate.clamp_(0.1, 0.9)
        return gate * self.value(x)


model = Gate(8)
loss = model(torch.rand(4, 8)).sum()
loss.backward()
