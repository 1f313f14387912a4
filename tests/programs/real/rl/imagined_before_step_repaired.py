import torch
from torch import nn


class RSSM(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.cell, self.prior = nn.GRUCell(1 + d, d), nn.Linear(d, d)

    def step(self, h, z, a):
        h = self.cell(torch.cat([z, a], -1), h)
        return h, torch.tanh(self.prior(h))


class Dreamer:
    def __init__(self):
        self.model, self.actor, self.value = RSSM(), nn.Linear(8, 1), nn.Linear(8, 1)
        self.model_opt = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)

    def observe(self, actions):
        h = z = torch.zeros(3, 4)
        states = []
        for a in actions:
            h, z = self.model.step(h, z, a)
            states.append(torch.cat([h, z], -1))
        return torch.stack(states)

    def imagine(self, state, horizon=2):
        h, z = state.chunk(2, -1)
        out = []
        for _ in range(horizon):
            a = torch.tanh(self.actor(torch.cat([h, z], -1)))
            h, z = self.model.step(h, z, a)
            out.append(torch.cat([h, z], -1))
        return torch.stack(out)

    def update(self, actions, targets):
        states = self.observe(actions)
        model_loss = (states - targets).pow(2).mean()
        self.model_opt.zero_grad()
        model_loss.backward()
        self.model_opt.step()
        imagined = self.imagine(states[-1].detach())
        actor_loss = -self.value(imagined).mean()
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()


agent = Dreamer()
for _ in range(2):
    agent.update(torch.randn(3, 3, 1), torch.randn(3, 3, 8))
