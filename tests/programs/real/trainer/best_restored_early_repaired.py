import copy

import torch
from torch import nn


class EarlyStopping:
    def __init__(self, patience=1):
        self.patience, self.bad, self.best = patience, 0, float("inf")
        self.state = None

    def step(self, value, model):
        if value < self.best:
            self.best, self.bad = value, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
            if self.bad >= self.patience:
                model.load_state_dict(self.state)


model = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.5)
stopper = EarlyStopping()
for epoch, value in enumerate([1.0, 2.0, 3.0]):
    loss = model(torch.randn(4, 3)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    stopper.step(value, model)
