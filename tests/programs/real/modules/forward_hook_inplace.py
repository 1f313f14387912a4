"""A forward hook writes to the activation that it captures for later."""

import torch
import torch.nn as nn

model = nn.Sequential(nn.Linear(4, 8), nn.Sigmoid(), nn.Linear(8, 2))
activations = {}


def get_activation(name):
    def hook(module, inputs, output):
        activations[name] = output.detach()
        output.mul_(0.5)  # error: IP101

    return hook


handle = model[1].register_forward_hook(get_activation("sig"))
loss = model(torch.randn(3, 4)).pow(2).mean()
loss.backward()
handle.remove()
