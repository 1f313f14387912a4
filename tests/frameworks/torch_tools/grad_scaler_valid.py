"""The gradients are unscaled in place and clipped between backward and `scaler.step`, when no graph needs anything any more."""

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.AdamW(params=net.parameters(), lr=1e-2)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer=optimizer, mode="min", patience=0)
scaler = torch.amp.GradScaler(device="cpu", init_scale=4.0)

for _ in range(3):
    with torch.autocast(device_type="cpu", dtype=torch.bfloat16):
        output = net(torch.randn(3, 4))
        loss = nn.functional.mse_loss(input=output.float(), target=torch.zeros(3, 1))
    optimizer.zero_grad(set_to_none=True)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    clip_grad_norm_(parameters=net.parameters(), max_norm=1.0)
    scaler.step(optimizer)
    scaler.update()
    plateau.step(metrics=loss.item())
