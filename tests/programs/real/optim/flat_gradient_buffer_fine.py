import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
flat = torch.zeros(sum(p.numel() for p in net.parameters()))
at = 0
for p in net.parameters():
    p.grad = flat[at : at + p.numel()].view_as(p)
    at += p.numel()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(2, 5, 3):
    flat.zero_()
    net(x).pow(2).mean().backward()
    flat.div_(flat.norm() + 1e-6)
    opt.step()
