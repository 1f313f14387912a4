import copy

import torch
from torch import nn

shared = nn.Linear(3, 1)
opt = torch.optim.RMSprop(shared.parameters())


def worker(shared, opt, n):
    local = copy.deepcopy(shared)
    for _ in range(n):
        local.load_state_dict(shared.state_dict())
        loss = local(torch.randn(4, 3)).pow(2).mean()
        local.zero_grad()
        loss.backward()
        for lp, sp in zip(local.parameters(), shared.parameters()):
            sp._grad = lp.grad
        opt.step()


for _ in range(2):
    worker(shared, opt, 2)
