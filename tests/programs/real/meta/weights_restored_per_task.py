import copy

import torch
from torch import nn


class MetaLearner:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
        self.meta_opt = torch.optim.Adam(self.model.parameters(), lr=1e-2)

    def outer(self, tasks):
        weights = copy.deepcopy(self.model.state_dict())
        losses = []
        for x, y in tasks:
            inner = torch.optim.SGD(self.model.parameters(), lr=0.1)
            loss = nn.functional.mse_loss(self.model(x), y)
            inner.zero_grad()
            loss.backward()
            inner.step()  # error: IP102
            query = nn.functional.mse_loss(self.model(x), y)
            losses.append(query)
            self.model.load_state_dict(weights)  # error: IP102
        self.meta_opt.zero_grad()
        torch.stack(losses).mean().backward()
        self.meta_opt.step()


MetaLearner().outer([(torch.randn(4, 2), torch.randn(4, 1)) for _ in range(2)])
