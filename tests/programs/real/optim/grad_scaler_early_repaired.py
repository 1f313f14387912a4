"""scaler.step comes after both."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.001)
scaler = torch.amp.GradScaler("cpu", enabled=False)
for x in torch.randn(2, 4, 8):
    out = net(x)
    main_loss, aux_loss = out[:, 0].pow(2).mean(), out[:, 1].pow(2).mean()
    opt.zero_grad()
    scaler.scale(main_loss).backward(retain_graph=True)
    scaler.scale(aux_loss).backward()
    scaler.step(opt)
    scaler.update()
