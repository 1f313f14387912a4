"""A loop over as many things as an object has, which has none yet; what follows is judged."""

import torch
from torch import nn


class Training:
    def __init__(self, net):
        self.net = net
        self.optimizers, self.schedulers = [], []

    def resume(self, state):
        optimizers, schedulers = state["optimizers"], state["schedulers"]
        assert len(optimizers) == len(self.optimizers), "other optimizers"
        assert len(schedulers) == len(self.schedulers), "other schedulers"
        for i, saved in enumerate(optimizers):
            self.optimizers[i].load_state_dict(saved)
        for i, saved in enumerate(schedulers):
            self.schedulers[i].load_state_dict(saved)
        y = self.net(torch.rand(2, 3)).exp()
        y.mul_(2)  # error: IP101
        y.sum().backward()


Training(nn.Linear(3, 3)).resume({"optimizers": [], "schedulers": []})
