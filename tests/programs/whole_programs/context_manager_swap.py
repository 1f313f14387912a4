"""A context manager sets parameters from a flat vector, then restores what was there, around an evaluation: fine."""

import contextlib

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters


@contextlib.contextmanager
def perturbed(model, direction, eps):
    original = parameters_to_vector(model.parameters()).detach().clone()
    vector_to_parameters(original + eps * direction, model.parameters())
    try:
        yield model
    finally:
        vector_to_parameters(original, model.parameters())


net = nn.Linear(3, 1)
x = torch.randn(5, 3)
direction = torch.randn(4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    with torch.no_grad(), perturbed(net, direction, 1e-2) as m:
        sharp = m(x).square().mean()
    loss = net(x).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(sharp - loss.detach())
