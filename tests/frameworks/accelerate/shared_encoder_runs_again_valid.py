"""The shared encoder runs again after the first step, so the second loss has a graph of the new weights."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self):
        self.accelerator = Accelerator()
        encoder = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh())
        head_a, head_b = nn.Linear(8, 2), nn.Linear(8, 1)
        opt_a = torch.optim.SGD([*encoder.parameters(), *head_a.parameters()], lr=0.1)
        opt_b = torch.optim.SGD([*encoder.parameters(), *head_b.parameters()], lr=0.1)
        self.encoder, self.head_a, self.head_b, self.opt_a, self.opt_b = self.accelerator.prepare(
            encoder, head_a, head_b, opt_a, opt_b
        )

    def train(self, dataset):
        loader = self.accelerator.prepare(DataLoader(dataset, batch_size=4))
        for x, label, value in loader:
            self.step(x, label, value)

    def step(self, x, label, value):
        loss_a = F.cross_entropy(self.head_a(self.encoder(x)), label)
        self.update(self.opt_a, loss_a)
        loss_b = F.mse_loss(self.head_b(self.encoder(x)), value)
        self.update(self.opt_b, loss_b)

    def update(self, optimizer, loss, **kwargs):
        optimizer.zero_grad()
        self.accelerator.backward(loss, **kwargs)
        optimizer.step()


Trainer().train(TensorDataset(torch.randn(8, 4), torch.randint(0, 2, (8,)), torch.randn(8, 1)))
