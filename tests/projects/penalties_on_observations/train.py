"""Trains a policy beside a network that tells its observations from those of an expert."""

import simulator
import torch
from options import parse
from storage import Storage
from torch import nn


class Judge:
    def __init__(self, width):
        self.net = nn.Sequential(nn.Linear(width, 8), nn.Tanh(), nn.Linear(8, 1))
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def penalize(self, expert, observed):
        share = torch.rand(expert.size(0), 1)
        mixed = share * expert + (1 - share) * observed
        mixed.requires_grad = True
        judged = self.net(mixed)
        grad = torch.autograd.grad(judged, mixed, torch.ones_like(judged), create_graph=True)[0]
        return (grad.norm(2, dim=1) - 1).pow(2).mean()

    def update(self, experts, storage):
        for expert, observed in zip(experts, storage.observed[1:]):
            loss = self.net(observed).mean() - self.net(expert).mean() + self.penalize(expert, observed)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


def run(args, experts):
    env = simulator.make(args.world, args.seed)
    policy = nn.Linear(args.width, 1)
    optimizer = torch.optim.Adam(policy.parameters())
    judge = Judge(args.width)
    storage = Storage(args.steps, args.width)
    storage.observed[0].copy_(env.reset())
    for _ in range(args.updates):
        for step in range(args.steps):
            with torch.no_grad():
                value = policy(storage.observed[step])
            observed, reward = env.step(value)
            storage.insert(observed, value)
        if args.judged:
            judge.update(experts, storage)
        loss = policy(storage.observed[:-1]).exp().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        storage.begin_again()


def run_without_cutting(args, experts):
    """The values that the storage keeps hold the graph of the round before."""
    env = simulator.make(args.world, args.seed)
    policy = nn.Linear(args.width, 1)
    optimizer = torch.optim.Adam(policy.parameters())
    judge = Judge(args.width)
    storage = Storage(args.steps, args.width)
    observed = env.reset()
    for _ in range(args.updates):
        for step in range(args.steps):
            value = policy(observed)
            observed, reward = env.step(value.detach())
            storage.insert(observed, value)
        judge.update(experts, storage)
        loss = storage.values.exp().mean()
        optimizer.zero_grad()
        loss.backward()  # error: IP103
        optimizer.step()
        storage.begin_again()


if __name__ == "__main__":
    options = parse()
    run(options, simulator.read_experts(options.experts))
