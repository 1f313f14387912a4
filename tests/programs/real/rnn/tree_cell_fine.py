from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Node:
    word: int
    children: list[Node] = field(default_factory=list)
    h: torch.Tensor | None = None
    c: torch.Tensor | None = None


class ChildSumTreeLSTM(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.iou = nn.Linear(2 * dim, 3 * dim)
        self.f = nn.Linear(2 * dim, dim)
        self.dim = dim

    def forward(self, node):
        for child in node.children:
            self.forward(child)
        x = self.emb(torch.tensor(node.word))
        h_sum = torch.zeros(self.dim)
        for child in node.children:
            h_sum += child.h
        i, o, u = self.iou(torch.cat([x, h_sum])).chunk(3)
        node.c = torch.sigmoid(i) * torch.tanh(u)
        for child in node.children:
            f = torch.sigmoid(self.f(torch.cat([x, child.h])))
            node.c += f * child.c
        node.h = torch.sigmoid(o) * torch.tanh(node.c)
        return node.h


tree = Node(0, [Node(1), Node(2, [Node(3)])])
model, head = ChildSumTreeLSTM(4, 3), nn.Linear(3, 2)
opt = torch.optim.Adagrad([*model.parameters(), *head.parameters()], lr=0.05)
for _ in range(2):
    out = head(model(tree))
    loss = -out.log_softmax(-1)[1]
    opt.zero_grad()
    loss.backward()
    opt.step()
