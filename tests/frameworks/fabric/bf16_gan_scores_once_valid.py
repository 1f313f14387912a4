"""Under bf16-mixed precision the graph keeps low-precision copies of the weights, so stepping the critic early spoils nothing."""

import torch
from lightning.fabric import Fabric
from torch import nn

fabric = Fabric(accelerator="cpu", devices=1, precision="bf16-mixed")
fabric.launch()

generator = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 4))
critic = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
generator, opt_g = fabric.setup(generator, torch.optim.SGD(generator.parameters(), lr=0.01))
critic, opt_d = fabric.setup(critic, torch.optim.SGD(critic.parameters(), lr=0.01))

for _ in range(2):
    real = torch.randn(5, 4, device=fabric.device)
    score = critic(generator(torch.randn(5, 3, device=fabric.device)))
    loss_d = critic(real).mean() - score.mean()
    loss_g = score.mean()
    opt_d.zero_grad()
    fabric.backward(loss_d, retain_graph=True)
    opt_d.step()
    opt_g.zero_grad()
    fabric.backward(loss_g)
    opt_g.step()
