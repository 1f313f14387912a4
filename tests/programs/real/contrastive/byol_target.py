import copy
from functools import wraps

import torch
import torch.nn.functional as F
from torch import nn


def singleton(key):
    def outer(fn):
        @wraps(fn)
        def inner(self, *args, **kwargs):
            instance = getattr(self, key)
            if instance is None:
                instance = fn(self, *args, **kwargs)
                setattr(self, key, instance)
            return instance

        return inner

    return outer


class BYOL(nn.Module):
    def __init__(self, net, dim=4, beta=0.9):
        super().__init__()
        self.online = net
        self.predictor = nn.Sequential(nn.Linear(dim, 8), nn.ReLU(inplace=True), nn.Linear(8, dim))
        self.target = None
        self.beta = beta

    @singleton("target")
    def get_target(self):
        return copy.deepcopy(self.online)

    def update_moving_average(self):
        for new, old in zip(self.online.parameters(), self.target.parameters()):
            old.data.mul_(self.beta).add_(new.data, alpha=1 - self.beta)  # error: IP301

    def forward(self, x1, x2):
        p = self.predictor(self.online(x1))
        target = self.get_target()
        z = target(x2)
        return 2 - 2 * (F.normalize(p, dim=-1) * F.normalize(z, dim=-1)).sum(-1).mean()


learner = BYOL(nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 4)))
opt = torch.optim.Adam([*learner.online.parameters(), *learner.predictor.parameters()], lr=3e-4)
for _ in range(2):
    x = torch.randn(5, 6)
    loss = learner(x + 0.1, x - 0.1)
    learner.update_moving_average()
    opt.zero_grad()
    loss.backward()
    opt.step()
