"""Schedulers write learning rates and a tensor learning rate is filled in place between steps, none of which a graph has saved."""

import torch
from torch import nn

net = nn.Linear(3, 1)
rate = torch.tensor(0.1)
sgd = torch.optim.SGD(params=net.parameters(), lr=rate, foreach=False)
warmup = torch.optim.lr_scheduler.LambdaLR(optimizer=sgd, lr_lambda=lambda step: min(1.0, (step + 1) / 3))
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer=sgd, factor=0.5, patience=0)

for _ in range(3):
    loss = net(input=torch.randn(4, 3)).square().mean()
    rate.mul_(0.9)
    sgd.zero_grad()
    loss.backward()
    sgd.step()
    warmup.step()
    plateau.step(metrics=loss.detach())
