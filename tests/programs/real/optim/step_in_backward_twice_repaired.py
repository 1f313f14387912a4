import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
opts = {p: torch.optim.SGD([p], lr=0.1) for p in net.parameters()}


def apply_now(p):
    pass


for p in net.parameters():
    p.register_post_accumulate_grad_hook(apply_now)
out = net(torch.randn(5, 3))
out[:, 0].mean().backward(retain_graph=True)
out[:, 1].pow(2).mean().backward()
