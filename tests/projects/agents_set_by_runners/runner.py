import importlib

import torch


class Replay:
    def __init__(self, settings):
        self.settings = settings

    def sample(self):
        size, seen = self.settings.batch, self.settings.seen
        return (
            torch.randn(size, seen),
            torch.randn(size, self.settings.action),
            torch.randn(size, 1),
            torch.randn(size, seen),
        )


class Runner:
    def __init__(self, settings, agent):
        networks = importlib.import_module(settings.networks)
        self.agent = agent
        self.agent.actor = networks.make_actor(settings)
        self.agent.critic = networks.make_critic(settings)
        self.agent.prepare(settings, Replay(settings))

    def run(self, steps):
        for _ in range(steps):
            self.agent.learn()
