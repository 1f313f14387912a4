import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
net = nn.Sequential(nn.Sigmoid(), nn.Linear(4, 2))


def double(module, args):
    (t,) = args
    t *= 2


net[1].register_forward_pre_hook(double)
net(x).sum().backward()
