"""The registry builds both networks by name, and the critic steps while the generator's loss through it waits
for its backward."""

import torch
from torch import nn

MODELS = {}


def register(name):
    def decorate(cls):
        if name in MODELS:
            raise KeyError(name)
        MODELS[name] = cls
        return cls

    return decorate


@register("mlp_generator")
class Generator(nn.Sequential):
    def __init__(self, latent, features):
        super().__init__(nn.Linear(latent, 8), nn.ReLU(True), nn.Linear(8, features))


@register("mlp_critic")
class Critic(nn.Sequential):
    def __init__(self, features):
        super().__init__(nn.Linear(features, 8), nn.LeakyReLU(0.2, True), nn.Linear(8, 1))


def build(name, **kwargs):
    return MODELS[name](**kwargs)


torch.manual_seed(0)
nets = {"g": build("mlp_generator", latent=2, features=3), "d": build("mlp_critic", features=3)}
opts = {key: torch.optim.RMSprop(net.parameters(), lr=5e-5) for key, net in nets.items()}
for _ in range(2):
    real, fake = torch.randn(4, 3), nets["g"](torch.randn(4, 2))
    loss = {"g": -nets["d"](fake).mean()}
    loss["d"] = nets["d"](fake.detach()).mean() - nets["d"](real).mean()
    for key in ("d", "g"):
        opts[key].zero_grad()
        loss[key].backward()
        opts[key].step()  # error: IP102
