"""An element of a list of numbers that became a tensor is one index: what it selects is a view; rows of several are
copies."""

import pickle

import torch
from torch import nn

load = eval("lambda data: pickle.loads(data)", {"pickle": pickle})
saved = pickle.dumps({"tree": torch.tensor([[7, 5, 6], [5, 6, 7]])})


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("tree", load(saved)["tree"])
        columns = {self.tree[1, i].item(): i for i in range(self.tree.shape[1])}
        parents = [columns[self.tree[0, i].item()] for i in range(1, self.tree.shape[1])]
        self.register_buffer("parent", torch.LongTensor(parents))
        self.register_buffer("parents", torch.LongTensor([[parent, parent] for parent in parents]))

    def forward(self, turns):
        chain = turns.clone()
        for i in range(1, 3):
            chain[:, i] = torch.matmul(chain[:, self.parent[i - 1]], turns[:, i])  # error: IP101
        return chain


class Pairs(Body):
    def forward(self, turns):
        chain = turns.clone()
        for i in range(1, 3):
            chain[:, i] = torch.matmul(chain[:, self.parents[i - 1]][:, 0], turns[:, i])
        return chain


net = nn.Linear(2, 27)
for body in (Body(), Pairs()):
    body(net(torch.rand(4, 2)).view(4, 3, 3, 3)).sum().backward()
