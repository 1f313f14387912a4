"""Optimizers whose class nobody sees, made of parameters, of groups of them, or of the network itself."""

import torch
import torch.nn.functional as F
from torch import nn

hidden = {}
exec(
    """
import torch
from torch import nn

class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=0.01):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.add_(p.grad.sign(), alpha=-group["lr"])

class Average:
    def __init__(self, params):
        self.shadow = [p.detach().clone() for p in params]

    def step(self, params):
        for mine, p in zip(self.shadow, params):
            mine.lerp_(p.detach(), 0.1)

def make_optimizer(settings, network):
    return Lion(network.parameters(), **settings)

def build(last=1):
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, last))

OPTIMIZERS = {"lion": Lion, "adam": torch.optim.Adam}
""",
    hidden,
)
Lion, Average, make_optimizer, build = (hidden[name] for name in ("Lion", "Average", "make_optimizer", "build"))
OPTIMIZERS = hidden["OPTIMIZERS"]


def gan(generator, critic, critic_optimizer, generator_optimizer):
    """The generator's loss went through the critic before the critic was stepped."""
    fake = generator(torch.rand(4, 3))
    generator_loss = -critic(fake).mean()
    critic_loss = critic(fake.detach()).mean()
    critic_optimizer.zero_grad()
    critic_loss.backward()
    critic_optimizer.step()  # error: IP102
    generator_optimizer.zero_grad()
    try:
        generator_loss.backward()
    except RuntimeError as error:
        print(error)
    generator_optimizer.step()


def gan_in_order(generator, critic, critic_optimizer, generator_optimizer):
    fake = generator(torch.rand(4, 3))
    critic_loss = critic(fake.detach()).mean()
    critic_optimizer.zero_grad()
    critic_loss.backward()
    critic_optimizer.step()
    generator_loss = -critic(fake).mean()
    generator_optimizer.zero_grad()
    generator_loss.backward()
    generator_optimizer.step()


for train in (gan, gan_in_order):
    generator, critic = build(3), build()
    train(generator, critic, Lion(critic.parameters()), Lion(generator.parameters()))


class Agent:
    """Optimizers from a registry, in a dict."""

    def __init__(self, name):
        self.networks = {"actor": build(3), "critic": build()}
        self.optimizers = {key: OPTIMIZERS[name](list(net.parameters())) for key, net in self.networks.items()}

    def update_late(self, states):
        actor_loss = -self.networks["critic"](self.networks["actor"](states)).mean()
        critic_loss = self.networks["critic"](states).pow(2).mean()
        self.optimizers["critic"].zero_grad()
        critic_loss.backward()
        self.optimizers["critic"].step()  # error: IP102
        try:
            actor_loss.backward()
        except RuntimeError as error:
            print(error)

    def update(self, states):
        critic_loss = self.networks["critic"](states).pow(2).mean()
        self.optimizers["critic"].zero_grad()
        critic_loss.backward()
        self.optimizers["critic"].step()
        actor_loss = -self.networks["critic"](self.networks["actor"](states)).mean()
        self.optimizers["actor"].zero_grad()
        actor_loss.backward()
        self.optimizers["actor"].step()


agent = Agent("lion")
agent.update(torch.rand(4, 3))
agent.update_late(torch.rand(4, 3))


def learn(net, late):
    """A function made the optimizer of the network."""
    optimizer = make_optimizer({"lr": 0.1}, net)
    last = None
    for _ in range(3):
        out = net(torch.rand(4, 3))
        if late and last is not None:
            loss = (out - last).pow(2).mean()
        else:
            loss = out.pow(2).mean()
        last = out if late else out.detach()
        optimizer.zero_grad()
        try:
            loss.backward(retain_graph=True)
        except RuntimeError as error:
            print(error)
        optimizer.step()  # error: IP102


learn(build(), True)
learn(build(), False)


def learn_scaled(net, optimizer):
    """A scaler steps it."""
    scaler = torch.amp.GradScaler("cpu", enabled=False)
    loss = F.mse_loss(net(torch.rand(4, 3)), torch.rand(4, 1))
    scaler.scale(loss).backward(retain_graph=True)
    scaler.step(optimizer)  # error: IP102
    scaler.update()
    try:
        loss.backward()
    except RuntimeError as error:
        print(error)


net = build()
learn_scaled(net, OPTIMIZERS["adam"]([{"params": net.parameters(), "lr": 0.1}]))


def follow(net):
    """What averages parameters leaves them alone."""
    average = Average(net.parameters())
    optimizer = Lion(net.parameters())
    loss = net(torch.rand(4, 3)).pow(2).mean()
    average.step(net.parameters())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


follow(build())


def fit_by_loss(first, second, made):
    """An optimizer that walks the loss which its step is given."""
    x = torch.rand(4, 3)
    first_optimizer, second_optimizer = made(first.parameters()), made(second.parameters())
    loss, other = first(x).pow(2).mean(), second(x).pow(2).mean()
    first_optimizer.step(loss)
    second_optimizer.step(other)
    loss, other = first(x).pow(2).mean(), second(first(x).expand(4, 3)).pow(2).mean()
    first_optimizer.step(loss)  # error: IP102
    try:
        second_optimizer.step(other)
    except RuntimeError as error:
        print(error)
    return other.detach()


exec(
    """
class Walking(Lion):
    def step(self, loss, retain_graph=False):
        self.zero_grad()
        loss.backward(retain_graph=retain_graph)
        super().step()
""",
    hidden,
)
fit_by_loss(build(), build(), lambda parameters: hidden["Walking"](list(parameters)))
