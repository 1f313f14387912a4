import torch
from torch import nn


class SparseGraph(nn.Module):
    def __init__(self, n, edges, dim):
        super().__init__()
        self.register_buffer("edges", edges)
        self.logits = nn.Parameter(torch.zeros(edges.shape[1]))
        self.lin = nn.Linear(dim, dim)
        self.n = n

    def adjacency(self):
        w = self.logits.sigmoid()
        total = torch.zeros(self.n).scatter_add(0, self.edges[0], w)
        w /= total[self.edges[0]]  # error: IP101
        return torch.sparse_coo_tensor(self.edges, w, (self.n, self.n))

    def forward(self, x):
        for _ in range(2):
            x = torch.relu(torch.sparse.mm(self.adjacency(), self.lin(x)))
        return x


edges = torch.tensor([[0, 0, 1, 2], [1, 2, 2, 0]])
net = SparseGraph(3, edges, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(torch.randn(3, 4)).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
