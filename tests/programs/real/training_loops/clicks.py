"""Two towers of one forward pass have an optimizer each; the second loss goes through both."""

import torch
from torch import nn


class Clicks(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(10, 4)
        self.deep = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
        self.wide = nn.Linear(8, 1)

    def forward(self, ids):
        x = self.embedding(ids).flatten(1)
        return torch.sigmoid(self.deep(x)), torch.sigmoid(self.wide(x))


net = Clicks()
opt_deep = torch.optim.Adam(net.deep.parameters(), lr=0.01)
opt_wide = torch.optim.Adam([*net.embedding.parameters(), *net.wide.parameters()], lr=0.01)
loss_of = nn.BCELoss()
for _ in range(2):
    ids, label = torch.randint(10, (6, 2)), torch.rand(6, 1)
    deep, wide = net(ids)
    loss_deep = loss_of(deep, label)
    opt_deep.zero_grad()
    loss_deep.backward(retain_graph=True)
    opt_deep.step()  # error: IP102
    opt_wide.zero_grad()
    loss_both = loss_of(0.5 * (deep + wide), label)
    loss_both.backward()
    opt_wide.step()
