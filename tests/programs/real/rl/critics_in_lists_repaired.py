import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self, hidden=6):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, s, a):
        return self.body(torch.cat((s, a), dim=-1)).squeeze(-1)


class TD3:
    def __init__(self, n=2):
        self.actor = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 1), nn.Tanh())
        self.critics = [Critic() for _ in range(n)]
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opts = [torch.optim.Adam(c.parameters(), lr=1e-3) for c in self.critics]
        self.steps = 0

    def train_step(self, s, a, y):
        self.steps += 1
        actor_loss = None
        losses = [(critic(s, a) - y).pow(2).mean() for critic in self.critics]
        for opt, loss in zip(self.critic_opts, losses):
            opt.zero_grad()
            loss.backward()
            opt.step()
        if self.steps % 2 == 0:
            actor_loss = -self.critics[0](s, self.actor(s)).mean()
        if actor_loss is not None:
            self.actor_opt.zero_grad()
            actor_loss.backward()
            self.actor_opt.step()


agent = TD3()
for _ in range(4):
    agent.train_step(torch.randn(5, 3), torch.rand(5, 1), torch.randn(5))
