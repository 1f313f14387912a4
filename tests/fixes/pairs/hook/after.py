# unsafe: Return a new tensor from the hook: `return output.clamp(max=0.5)` (whoever took `output` before keeps the old values)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
act = nn.Sigmoid()
kept = {}


def keeper(name):
    def hook(module, inputs, output):
        kept[name] = output.mean()
        return output.clamp(max=0.5)

    return hook


act.register_forward_hook(keeper('act'))
act(x).sum().backward()
