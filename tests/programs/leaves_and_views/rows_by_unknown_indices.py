"""An index of which nothing is known may select a copy: no alias is guessed."""

import copy
import json

import torch
from torch import nn


class Messages(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x, edge_index):
        hidden = self.layer(x)
        source, target = edge_index
        messages = hidden[source].square() * hidden[target]
        hidden += 1
        return messages.sum() + hidden.sum()


def train(model, graph, optimizer):
    optimizer.zero_grad()
    model(graph.x, graph.edge_index).backward()
    optimizer.step()


def by_file(path, layer, rows):
    with open(path) as file:
        chosen = json.load(file)["train"]
    loss = layer(rows[chosen]).sum()
    rows[0] = 0
    loss.backward()


def by_list():
    layer, rows = nn.Linear(3, 4), torch.randn(10, 3)
    for _ in range(2):
        chosen = torch.randperm(10)[:4].tolist()
        loss = layer(rows[chosen]).sum()
        for fold in torch.randperm(10).view(2, 5).tolist():
            loss = loss + layer(rows[fold]).sum()
        rows[0] = 0
        loss.backward()


def by_number():
    layer, rows = nn.Linear(3, 4), torch.randn(10, 3)
    for at in torch.randperm(10).tolist():
        loss = layer(rows[at]).sum()
        rows[at] = 0  # error: IP101
        return loss


def deep_copies(path, layer):
    given = torch.load(path)
    loss = layer(given).sum()
    copies = copy.deepcopy([given])
    copies[0].zero_()
    loss.backward()


by_list()
try:
    by_number().backward()
except RuntimeError as error:
    print(error)
Messages()(torch.rand(4, 3), torch.tensor([[0, 1], [2, 3]])).backward()
