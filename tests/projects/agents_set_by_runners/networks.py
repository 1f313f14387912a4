import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self, seen, action):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(seen + action, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, seen, action):
        return self.layers(torch.cat([seen, action], 1))


def make_actor(settings):
    return nn.Sequential(nn.Linear(settings.seen, 8), nn.ReLU(), nn.Linear(8, settings.action), nn.Tanh())


def make_critic(settings):
    return Critic(settings.seen, settings.action)
