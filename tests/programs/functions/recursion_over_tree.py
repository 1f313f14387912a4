"""A sum over the children of a tree is written into what its tanh keeps."""

import torch
from torch import nn


class Node:
    def __init__(self, value, children=()):
        self.value, self.children = value, list(children)


class TreeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(5, 4)
        self.merge = nn.Linear(4, 4)

    def forward(self, node):
        h = torch.tanh(self.embed(node.value))
        for child in node.children:
            h += self.merge(self(child))  # error: IP101
        return h


tree = Node(
    torch.tensor(0), [Node(torch.tensor(1), [Node(torch.tensor(2)), Node(torch.tensor(3))]), Node(torch.tensor(4))]
)
net = TreeNet()
net(tree).sum().backward()
