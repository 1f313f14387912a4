"""What a test says of a module: a layer of that class holds the parameters of one, whoever made it."""

import torch
from torch import nn

kinds = {"linear": nn.Linear(3, 3), "conv": nn.Conv2d(1, 1, 1), "norm": nn.BatchNorm1d(3)}
kinds["weight"] = nn.Linear(3, 3).weight


def reset(layer):
    if isinstance(layer, nn.Linear):
        layer.weight.normal_(0, 0.02)  # error: IP201


def reset_one_of(layer):
    if isinstance(layer, (nn.Conv2d, nn.ConvTranspose2d)):
        layer.bias.zero_()  # error: IP201


def reset_by_type(layer):
    if type(layer) is nn.Linear:
        layer.weight.fill_(1)  # error: IP201


def reset_asserted(layer):
    assert isinstance(layer, nn.Linear)
    layer.weight[0] = 0  # error: IP202


def reset_annotated(layer: nn.Linear):
    layer.bias.add_(1)  # error: IP201


def reset_parameter(weight):
    if isinstance(weight, nn.Parameter):
        weight.clamp_(-1, 1)  # error: IP201


def reset_data(layer):
    if isinstance(layer, (nn.Linear, nn.Conv2d)):
        layer.weight.data.normal_(0, 0.02)
        nn.init.zeros_(layer.bias)
    elif isinstance(layer, nn.BatchNorm1d):
        layer.running_mean.zero_()
        layer.weight.detach().fill_(1)


def freeze(layer):
    if isinstance(layer, nn.BatchNorm1d):
        layer.weight.requires_grad_(False)
        layer.weight.fill_(1)


@torch.no_grad()
def scale(layer):
    if isinstance(layer, nn.Linear):
        layer.weight.mul_(2)


def reset_applied(layer):
    if type(layer) == nn.Linear:
        layer.weight.zero_()


def reset_all(net):
    with torch.no_grad():
        net.apply(reset_applied)


def shrink(layer):
    if isinstance(layer, nn.Linear) and layer.weight.grad is not None:
        layer.weight.grad.mul_(0.5)


calls = {"reset": "linear", "reset_one_of": "conv", "reset_by_type": "linear", "reset_asserted": "linear"}
calls |= {"reset_annotated": "linear", "reset_parameter": "weight", "reset_data": "norm", "freeze": "norm"}
calls |= {"scale": "linear", "reset_all": "linear", "shrink": "linear"}
for name, kind in calls.items():  # nothing in sight says with what
    try:
        globals()[name](kinds[kind])
    except RuntimeError as error:
        print(error)
