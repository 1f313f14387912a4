"""Hooks of accelerate's that write copies and fresh results; one is taken away again."""

import torch
from accelerate.hooks import ModelHook, SequentialHook, add_hook_to_module, remove_hook_from_module
from torch import nn


class Noise(ModelHook):
    def pre_forward(self, module, x):
        return (x + 0.01 * torch.randn_like(x),), {}


class Shift(ModelHook):
    def post_forward(self, module, output):
        output += 1
        return output


class Clamp(ModelHook):
    def pre_forward(self, module, x):
        x.clamp_(min=0.1)
        return (x,), {}


class Frozen(ModelHook):
    no_grad = True


net = nn.Sequential(nn.Linear(3, 4), nn.Sigmoid(), nn.Linear(4, 1), nn.Linear(1, 1))
add_hook_to_module(net[2], SequentialHook(Noise(), Shift()))
add_hook_to_module(module=net[3], hook=Clamp())
remove_hook_from_module(net, recurse=True)
add_hook_to_module(net[2], Noise())
add_hook_to_module(net[2], Shift(), append=True)
net(torch.randn(2, 3)).sum().backward()
teacher = add_hook_to_module(nn.Linear(3, 4), Frozen())
target = teacher(torch.randn(2, 3))
target.mul_(2)
