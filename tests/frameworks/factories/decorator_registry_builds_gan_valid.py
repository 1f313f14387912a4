"""The registry builds both networks by name, and each loss is computed only when it is that network's turn to
learn."""

import torch
from torch import nn

MODELS, LOSSES = {}, {}


def register(table, name):
    def decorate(thing):
        table[name] = thing
        return thing

    return decorate


@register(MODELS, "g")
class Generator(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(2, 8), nn.ReLU(True), nn.Linear(8, 3))


@register(MODELS, "d")
class Critic(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(3, 8), nn.LeakyReLU(0.2, True), nn.Linear(8, 1))


@register(LOSSES, "d")
def critic_loss(nets, real, fake):
    return nets["d"](fake.detach()).mean() - nets["d"](real).mean()


@register(LOSSES, "g")
def generator_loss(nets, real, fake):
    return -nets["d"](fake).mean()


torch.manual_seed(0)
nets = {key: cls() for key, cls in MODELS.items()}
opts = {key: torch.optim.RMSprop(net.parameters(), lr=5e-5) for key, net in nets.items()}
for _ in range(2):
    real, fake = torch.randn(4, 3), nets["g"](torch.randn(4, 2))
    for key in ("d", "g"):
        loss = LOSSES[key](nets, real, fake)
        opts[key].zero_grad()
        loss.backward()
        opts[key].step()
