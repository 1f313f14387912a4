import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
act = nn.Sigmoid()
kept = {}


def keeper(name):
    def hook(module, inputs, output):
        kept[name] = output.mean()
        output.clamp_(max=0.5)

    return hook


act.register_forward_hook(keeper('act'))
act(x).sum().backward()
