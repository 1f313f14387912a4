"""The averaged weights are written and loaded after the step, when fabric has walked and freed the graph."""

import copy

import torch
import torch.nn.functional as F
from lightning.fabric import Fabric
from torch import nn

fabric = Fabric(accelerator="cpu")
net = nn.Sequential(nn.Linear(4, 8), nn.SiLU(), nn.Linear(8, 1))
ema = copy.deepcopy(net).requires_grad_(False)
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
model, optimizer = fabric.setup(net, optimizer)


@torch.no_grad()
def update_ema(decay=0.9):
    for averaged, current in zip(ema.parameters(), model.module.parameters()):
        averaged.lerp_(current, 1 - decay)


for step in range(3):
    x = torch.randn(6, 4, device=fabric.device)
    loss = F.mse_loss(model(x), x.sum(dim=1, keepdim=True))
    optimizer.zero_grad()
    fabric.backward(loss)
    optimizer.step()
    update_ema()
    if step == 1:
        net.load_state_dict(ema.state_dict())
