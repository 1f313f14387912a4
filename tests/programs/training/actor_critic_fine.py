"""Two losses share a first layer; the step between them writes only what has a gradient, and nobody kept that."""

import torch
from torch import nn


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(4, 4)
        self.actor = nn.Linear(4, 2)
        self.critic = nn.Linear(4, 1)

    def forward(self, x):
        h = torch.relu(self.trunk(x))
        return self.actor(h).log_softmax(-1), self.critic(h)


net = ActorCritic()
optimizer = torch.optim.Adam(net.parameters())
policy, value = net(torch.rand(3, 4))
loss_value = (value - 1).square().mean()
loss_policy = -(policy[:, 0] * (1 - value.detach()[:, 0])).mean()
optimizer.zero_grad()
loss_value.backward(retain_graph=True)
optimizer.step()
loss_policy.backward()
