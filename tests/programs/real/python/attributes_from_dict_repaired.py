import torch
from torch import nn


class Config:
    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)


class Runner:
    def __init__(self, cfg):
        vars(self).update(vars(cfg))
        self.opt = torch.optim.SGD(self.model.parameters(), lr=self.lr)

    def run(self, x):
        a, b = self.model(x).mean(0)
        self.opt.zero_grad()
        a.backward(retain_graph=True)
        b.backward()
        self.opt.step()


Runner(Config(model=nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)), lr=0.1)).run(torch.randn(5, 3))
