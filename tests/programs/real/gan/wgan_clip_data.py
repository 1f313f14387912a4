"""Clipping through .data is not seen by autograd: the generator gets a wrong gradient."""

import torch
import torch.nn as nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, x):
        return self.net(x)

    def clip(self, c):
        for param in self.parameters():
            param.data.clamp_(-c, c)  # error: IP301


critic, gen = Critic(), nn.Linear(2, 4)
g_optim = torch.optim.SGD(gen.parameters(), lr=0.1)
z = torch.randn(6, 2)
g_loss = -critic(gen(z)).mean()
g_optim.zero_grad()
critic.clip(0.05)
g_loss.backward()
g_optim.step()
