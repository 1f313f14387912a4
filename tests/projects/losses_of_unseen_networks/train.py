"""Losses that a network returns together: nobody knows whether those of an unseen network share a graph."""

import torch
from torch import nn


def train_layer_by_layer(model, loader, optimizer):
    model.train()
    for x in loader:
        losses, _ = model(x)
        optimizer.zero_grad()
        for loss in losses:
            loss.backward()
        optimizer.step()


def train_with_numbers(model, loader, optimizer, log):
    model.train()
    for x in loader:
        losses = model(x)[0]
        for i, loss in enumerate(losses):
            log[i] = loss.item()
        optimizer.zero_grad()
        for loss in reversed(list(losses)):
            loss.backward()
        optimizer.step()


def train_rows(model, loader, optimizer):
    """What a network returns in one piece has one graph."""
    model.train()
    for x in loader:
        out = model(x)
        optimizer.zero_grad()
        for row in out:
            row.pow(2).mean().backward()  # error: IP103
        optimizer.step()


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.heads = nn.Linear(3, 4), nn.Linear(4, 2)

    def forward(self, x):
        return torch.sigmoid(self.heads(torch.tanh(self.body(x)))).mean(0)


def train_shared(loader):
    model = Shared()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        losses = model(x)
        optimizer.zero_grad()
        for loss in losses:
            loss.backward()  # error: IP103
        optimizer.step()


def scale_rows(model, x, optimizer):
    """Rows of a result, written: torch refuses that if it is one tensor, which it is, as its sum is walked back."""
    model.train()
    out = model(x)
    for row in out:
        row *= 2  # error: IP203
    out.sum().backward()
    optimizer.step()
