"""`scaler.step` calls the optimizer's step, and here it comes before the other loss of the same graph is walked."""

import torch
from torch import nn

trunk = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8))
actor, critic = nn.Linear(8, 2), nn.Linear(8, 1)
actor_optimizer = torch.optim.SGD([*trunk.parameters(), *actor.parameters()], lr=0.1)
critic_optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
scaler = torch.amp.GradScaler(device="cpu", init_scale=4.0)

for _ in range(2):
    hidden = trunk(torch.randn(3, 4))
    actor_loss = actor(hidden).square().mean()
    critic_loss = critic(hidden).square().mean()

    actor_optimizer.zero_grad()
    scaler.scale(outputs=actor_loss).backward(retain_graph=True)
    scaler.step(optimizer=actor_optimizer)  # error: IP102

    critic_optimizer.zero_grad()
    scaler.scale(outputs=critic_loss).backward()
    scaler.step(optimizer=critic_optimizer)
    scaler.update()
