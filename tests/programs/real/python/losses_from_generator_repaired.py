import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.mid = nn.Linear(4, 6), nn.Linear(6, 6)
        self.heads = nn.ModuleDict({"a": nn.Linear(6, 1), "b": nn.Linear(6, 1)})

    def losses(self, x):
        h = torch.relu(self.mid(torch.relu(self.enc(x))))
        for name, head in self.heads.items():
            yield name, head(h).pow(2).mean()


def train(model, batches):
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for x in batches:
        opt.zero_grad()
        for name, loss in model.losses(x):
            loss.backward(retain_graph=True)
        opt.step()


train(Model(), torch.randn(2, 5, 4))
