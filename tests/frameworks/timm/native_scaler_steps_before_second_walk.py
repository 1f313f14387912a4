"""timm's scaler walks back and steps in one call, before the second loss over the same weights is walked."""

import torch
from timm.utils import NativeScaler
from torch import nn
from torch.optim.swa_utils import SWALR
from transformers import get_scheduler

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
schedules = [
    get_scheduler("linear", optimizer=opt, num_warmup_steps=0, num_training_steps=4),
    SWALR(opt, swa_lr=0.05),
]
scaler = NativeScaler(device="cpu")
first, second = (net(torch.randn(2, 3)).pow(2).mean() for _ in range(2))
for schedule in schedules:
    schedule.step()
scaler(first, opt, clip_grad=1.0, parameters=net.parameters())  # error: IP102
scaler(second, opt, need_update=False)
