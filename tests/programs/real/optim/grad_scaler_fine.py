"""Mixed precision with GradScaler: unscale, clip, step, update, in the usual order."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
use_amp = device == "cuda"
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(inplace=True), nn.Linear(16, 4)).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.001)
scaler = torch.amp.GradScaler(device, enabled=use_amp)
loss_fn = torch.nn.MSELoss()
for epoch in range(2):
    for input, target in zip(torch.randn(2, 4, 8), torch.randn(2, 4, 4)):
        with torch.autocast(device_type=device, dtype=torch.bfloat16, enabled=use_amp):
            output = net(input.to(device))
            loss = loss_fn(output, target.to(device))
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm=0.1)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
