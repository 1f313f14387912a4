"""Averages are swapped in for a validation between forward and backward, and the weights put back: nothing changes."""

import torch
from diffusers.training_utils import EMAModel
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.SiLU(), nn.Linear(8, 4))
ema_model = EMAModel(parameters=net.parameters(), decay=0.9)
opt = torch.optim.Adam(net.parameters())


def validate():
    ema_model.store(net.parameters())
    ema_model.copy_to(net.parameters())
    with torch.no_grad():
        value = net(torch.randn(2, 4)).mean()
    ema_model.restore(net.parameters())
    return value


for step in range(2):
    loss = net(torch.randn(2, 4)).square().mean()
    validate()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema_model.step(net.parameters())
