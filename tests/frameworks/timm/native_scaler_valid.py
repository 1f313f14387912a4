"""timm's scaler with accumulated gradients: it steps after the second walk."""

import torch
from timm.utils import NativeScaler
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(inplace=True), nn.Linear(4, 1))
opt = torch.optim.AdamW(net.parameters())
scaler = NativeScaler(device="cpu")
for _ in range(2):
    losses = [net(torch.randn(2, 3)).pow(2).mean() for _ in range(2)]
    for at, loss in enumerate(losses):
        scaler(loss, opt, clip_grad=1.0, parameters=net.parameters(), need_update=at == len(losses) - 1)
    opt.zero_grad()
