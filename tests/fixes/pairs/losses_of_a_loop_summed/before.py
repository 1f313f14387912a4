import torch
from torch import nn

torch.manual_seed(0)
trunk = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
heads = nn.ModuleList(nn.Linear(4, 1) for _ in range(3))
opt = torch.optim.SGD([*trunk.parameters(), *heads.parameters()], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    hidden = trunk(torch.randn(4, 3))
    for at in range(3):
        # each head has a task of its own
        error = heads[at](hidden) - at
        loss = error.pow(2).mean()
        loss.backward()

    opt.step()
