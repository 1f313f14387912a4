"""The generator's loss is computed again, by the discriminator as it is after its step."""

import torch
from torch import nn

torch.manual_seed(1)
painter = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 6))
critic = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())
opt_critic = torch.optim.Adam(critic.parameters(), lr=0.01)
opt_painter = torch.optim.Adam(painter.parameters(), lr=0.01)
for _ in range(3):
    real, ideas = torch.rand(8, 6), torch.randn(8, 5)
    made = painter(ideas)
    prob_real = critic(real)
    prob_made = critic(made)
    critic_loss = -torch.mean(torch.log(prob_real) + torch.log(1.0 - prob_made))
    painter_loss = torch.mean(torch.log(1.0 - prob_made))

    opt_critic.zero_grad()
    critic_loss.backward(retain_graph=True)
    opt_critic.step()
    prob_made = critic(made)
    painter_loss = torch.mean(torch.log(1.0 - prob_made))
    opt_painter.zero_grad()
    painter_loss.backward()
    opt_painter.step()
