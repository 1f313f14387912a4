"""What is no view can be detached in place: results, leaves, states of recurrent layers, and what `detach` returns."""

import torch
from torch import nn


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTM(3, 4)

    def forward(self, steps, state):
        out, state = self.cell(steps, state)
        return out[-1], state


def cut(tensors):
    for tensor in tensors:
        tensor.detach_()


def train():
    model = Memory()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    state = None
    for _ in range(2):
        last, state = model(torch.rand(5, 2, 3), state)
        optimizer.zero_grad()
        last.sum().backward()
        optimizer.step()
        cut(state)
        cut([last.clone(), last.detach()])


def main():
    x = torch.rand(2, 3, requires_grad=True)
    (x * 2).detach_()
    x[0].detach().detach_()
    x.data.detach_()
    y = (x * 2)[0].clone()
    y.detach_()
    (x * 2).contiguous().detach_()
    with torch.inference_mode():
        torch.zeros(4)[0].detach_()
        z = x.exp()
        z.detach_()  # without any effect
    z = x.exp()
    with torch.inference_mode():
        z.detach_()
        made = torch.ones(3) * 2
    z.sum().backward()
    made.detach_()
    (x * 2).flatten(1).detach_()
    torch.flatten(x * 2, 1).detach_()
    (x * 2).t().reshape(-1).detach_()
    nn.Flatten()(x * 2).detach_()
    torch.rand(3, requires_grad=True).detach_()


train()
main()
