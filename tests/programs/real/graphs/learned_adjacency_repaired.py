import torch
from torch import nn


class GCNLayer(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(i, o)

    def forward(self, x, adj):
        n = adj.size(0)
        adj = adj + torch.eye(n)
        deg = adj.sum(1).pow(-0.5)
        deg[torch.isinf(deg)] = 0
        return torch.relu(self.lin(deg[:, None] * adj * deg[None] @ x))


class LearnedGraph(nn.Module):
    def __init__(self, n=5, f=3):
        super().__init__()
        self.score = nn.Parameter(torch.randn(n, n))
        self.layers = nn.ModuleList([GCNLayer(f, 4), GCNLayer(4, 2)])

    def forward(self, x):
        adj = torch.sigmoid(self.score)
        adj = adj * (1 - torch.eye(5))
        for layer in self.layers:
            x = layer(x, adj)
        return x


net = LearnedGraph()
opt = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=5e-4)
for _ in range(2):
    opt.zero_grad()
    net(torch.randn(5, 3)).sum().backward()
    opt.step()
