"""The clipping waits for the generator's backward."""

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
            param.data.clamp_(-c, c)


critic, gen = Critic(), nn.Linear(2, 4)
g_optim = torch.optim.SGD(gen.parameters(), lr=0.1)
z = torch.randn(6, 2)
g_loss = -critic(gen(z)).mean()
g_optim.zero_grad()
g_loss.backward()
critic.clip(0.05)
g_optim.step()
