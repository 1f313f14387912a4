import torch
from torch import nn


class Memory(nn.Module):
    def __init__(self, n_nodes, dim):
        super().__init__()
        self.n_nodes, self.dim = n_nodes, dim
        self.__init_memory__()

    def __init_memory__(self):
        self.memory = nn.Parameter(torch.zeros((self.n_nodes, self.dim)), requires_grad=False)
        self.last_update = nn.Parameter(torch.zeros(self.n_nodes), requires_grad=False)

    def get_memory(self, idxs):
        return self.memory[idxs, :]

    def set_memory(self, idxs, values):
        self.memory[idxs, :] = values

    def detach_memory(self):
        self.memory.detach_()


class TGN(nn.Module):
    def __init__(self, n=5, dim=4):
        super().__init__()
        self.memory = Memory(n, dim)
        self.updater = nn.GRUCell(2, dim)
        self.score = nn.Linear(2 * dim, 1)

    def forward(self, src, dst, feats):
        new = self.updater(feats, self.memory.get_memory(src))
        self.memory.set_memory(src, new)
        h_src, h_dst = self.memory.get_memory(src), self.memory.get_memory(dst)
        return self.score(torch.cat([h_src, h_dst], -1)).squeeze(-1)


model = TGN()
optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=1e-3)
criterion = nn.BCEWithLogitsLoss()
for batch in range(3):
    src, dst = torch.tensor([0, 1]), torch.tensor([2, 3])
    optimizer.zero_grad()
    prob = model(src, dst, torch.randn(2, 2))
    loss = criterion(prob, torch.ones(2))
    loss.backward()  # error: IP103
    optimizer.step()
