"""The probe reads a detached code, so its backward never reaches the encoder that has stepped before."""

import torch
from torch import nn


def get_optimizer(name, parameters, **kwargs):
    optimizers = {
        "sgd": lambda: torch.optim.SGD(parameters, **kwargs),
        "adam": lambda: torch.optim.Adam(parameters, **kwargs),
    }
    try:
        return optimizers[name.lower()]()
    except KeyError:
        raise ValueError(f"unknown optimizer {name}") from None


def make_mlp(*sizes, act="relu"):
    acts = dict(relu=lambda: nn.ReLU(inplace=True), elu=nn.ELU)
    layers = []
    for fan_in, fan_out in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(fan_in, fan_out), acts[act]()]
    return nn.Sequential(*layers[:-1])


torch.manual_seed(0)
encoder, decoder, probe = make_mlp(4, 8, 3), make_mlp(3, 8, 4), make_mlp(3, 2, act="elu")
autoencoder_optimizer = get_optimizer("Adam", [*encoder.parameters(), *decoder.parameters()], lr=1e-3)
probe_optimizer = get_optimizer("SGD", [*probe.parameters()], lr=0.1)
for _ in range(2):
    x, y = torch.randn(5, 4), torch.randint(0, 2, (5,))
    code = encoder(x)
    recon_loss = nn.functional.mse_loss(decoder(code), x)
    probe_loss = nn.functional.cross_entropy(probe(code.detach()), y)
    autoencoder_optimizer.zero_grad()
    recon_loss.backward()
    autoencoder_optimizer.step()
    probe_optimizer.zero_grad()
    probe_loss.backward()
    probe_optimizer.step()
