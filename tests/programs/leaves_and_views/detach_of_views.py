"""torch detaches no view in place, whatever it is a view of."""

import torch
from torch import nn


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRU(3, 4)

    def forward(self, steps, state):
        out, state = self.cell(steps, state)
        return out[-1], state


def cut(tensors):
    for tensor in tensors:
        tensor.detach_()  # error: IP203


def train():
    model = Memory()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    state = None
    for _ in range(2):
        last, state = model(torch.rand(5, 2, 3), state)
        optimizer.zero_grad()
        last.sum().backward()
        optimizer.step()
        cut([state])
        cut([last])


def main():
    x = torch.rand(2, 3, requires_grad=True)
    x[0].detach_()  # behind: IP203
    torch.detach_((x * 2).t())  # behind: IP203
    torch.zeros(4).view(2, 2).detach_()  # behind: IP203
    for part in (x * 2).split(1):
        part.detach_()  # behind: IP203
    with torch.no_grad():
        (x * 2)[:, 1].detach_()  # behind: IP203
    try:
        x.view(-1).detach_()  # behind: IP203
    except RuntimeError:
        print("a view")


train()
main()
