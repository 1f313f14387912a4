"""A learned rule changes gradients through `.data`: a step of its own that is differentiated misses the rule."""

import torch
from torch import nn


class Learner:
    def __init__(self, width):
        self.rule, self.net = nn.Linear(width, width), nn.Linear(width, width)
        self.optimizer = torch.optim.SGD(self.rule.parameters(), lr=0.1)

    def learn(self, x):
        self.optimizer.zero_grad()
        self.net(x).sum().backward()
        for parameter in self.net.parameters():
            parameter.grad.data = self.rule(parameter.grad)  # error: IP302
        stepped = [parameter - 0.1 * parameter.grad for parameter in self.net.parameters()]
        nn.functional.linear(x, *stepped).sum().backward()
        self.optimizer.step()

    def learn_asked(self, x):
        weight = nn.Parameter(torch.ones(3))
        (gradient,) = torch.autograd.grad((weight * x).sum(), weight)
        gradient.data = self.rule(gradient)  # error: IP302
        ((weight - 0.1 * gradient) * x).sum().backward()


class Follower:
    """Follows a rule that somebody else has learned: reading the gradients' numbers differentiates nothing."""

    def __init__(self, width):
        self.rule, self.net = nn.Linear(width, width), nn.Linear(width, width)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def follow(self, batches):
        for x in batches:
            self.optimizer.zero_grad()
            self.net(x).sum().backward()
            for parameter in self.net.parameters():
                parameter.grad.data = self.rule(parameter.grad)
            length = sum(parameter.grad.norm() for parameter in self.net.parameters())
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), length.item())
            self.optimizer.step()

    def follow_by_hand(self, batches):
        for x in batches:
            self.net(x).sum().backward()
            for parameter in self.net.parameters():
                parameter.grad.data = self.rule(parameter.grad)
                parameter.data -= 0.1 * parameter.grad
                parameter.grad.zero_()
