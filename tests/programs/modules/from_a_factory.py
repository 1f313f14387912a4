"""Networks whose class nobody sees: made by text, handed in by a caller. They have parameters all the same."""

import copy

import torch
from torch import nn

make = eval("lambda: nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))")


class Agent:
    def __init__(self):
        self.critic = make()
        self.policy = make().to("cpu")
        self.target = copy.deepcopy(self.critic)
        self.critic_optim = torch.optim.Adam(self.critic.parameters(), lr=0.1)
        self.policy_optim = torch.optim.Adam(self.policy.parameters(), lr=0.1)
        for p in self.target.parameters():
            p.requires_grad_(False)

    def update_late(self, states):
        """The policy's loss is computed before the critic is stepped, and walked back after."""
        value = self.critic(states)
        critic_loss = (value - 1).pow(2).mean()
        policy_loss = -self.critic(states * self.policy(states)).mean()
        self.critic_optim.zero_grad()
        critic_loss.backward()
        self.critic_optim.step()  # error: IP102
        self.policy_optim.zero_grad()
        policy_loss.backward()
        self.policy_optim.step()

    def update_in_order(self, states):
        """Each loss is walked back before a step changes what it needs."""
        with torch.no_grad():
            wanted = self.target(states)
        critic_loss = (self.critic(states) - wanted).pow(2).mean()
        self.critic_optim.zero_grad()
        critic_loss.backward()
        self.critic_optim.step()
        policy_loss = -self.critic(states * self.policy(states)).mean()
        self.policy_optim.zero_grad()
        policy_loss.backward()
        self.policy_optim.step()
        with torch.no_grad():
            for p, q in zip(self.target.parameters(), self.critic.parameters()):
                p.mul_(0.9).add_(q, alpha=0.1)

    def walk_twice(self, states):
        value = self.critic(states) + 1
        value.mean().backward()
        try:
            value.sum().backward()  # error: IP103
        except RuntimeError as error:
            print(error)


agent = Agent()
try:
    agent.update_late(torch.rand(4, 3))
except RuntimeError as error:
    print(error)
agent.update_in_order(torch.rand(4, 3))
agent.walk_twice(torch.rand(4, 3))


def train(net, batches):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for batch in batches:
        loss = net(batch).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def train_with_memory(net, batches):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    last = net(batches[0])
    for batch in batches:
        now = net(batch)
        loss = (now - last).pow(2).mean()
        optimizer.zero_grad()
        try:
            loss.backward(retain_graph=True)
        except RuntimeError as error:
            print(error)
        optimizer.step()  # error: IP102
        last = now


train(make(), [torch.rand(4, 3) for _ in range(4)])
train_with_memory(make(), [torch.rand(4, 3) for _ in range(4)])


class Twins(nn.Module):
    """Layers that a factory made, under a module of the user's."""

    def __init__(self):
        super().__init__()
        self.first = make()
        self.second = make()

    def forward(self, x):
        return self.first(x), self.second(x)


def update(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()  # error: IP102


def learn(twins, policy, states):
    first_optimizer = torch.optim.Adam(twins.first.parameters())
    policy_optimizer = torch.optim.Adam(policy.parameters())
    first, second = twins(states)
    first_loss = first.pow(2).mean()
    value, _ = twins(states * policy(states))
    policy_loss = -value.mean()
    update(first_optimizer, first_loss)
    update(policy_optimizer, policy_loss)


def learn_in_order(twins, policy, states):
    first_optimizer = torch.optim.Adam(twins.first.parameters())
    policy_optimizer = torch.optim.Adam(policy.parameters())
    first, second = twins(states)
    update(first_optimizer, first.pow(2).mean())
    value, _ = twins(states * policy(states))
    update(policy_optimizer, -value.mean())


learn_in_order(Twins(), make(), torch.rand(4, 3))
try:
    learn(Twins(), make(), torch.rand(4, 3))
except RuntimeError as error:
    print(error)


class LinksSurvive(nn.Module):
    """What is computed from tensors by something unknown depends on them still."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.mix = eval("lambda x: x * 2")

    def forward(self, x):
        y = self.layer(x).relu()
        z = self.mix(y)
        z = z + 1
        y.mul_(2)  # error: IP101
        return z


try:
    LinksSurvive()(torch.rand(2, 3)).sum().backward()
except RuntimeError as error:
    print(error)
