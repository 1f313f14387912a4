"""The value is clamped in place after the value loss kept it."""

import torch
import torch.nn.functional as F
from torch import nn

vf = nn.Linear(5, 1)
optimizer = torch.optim.Adam(vf.parameters())
obs = torch.randn(7, 5)
old_values, returns = torch.randn(7), torch.randn(7)
for epoch in range(2):
    values = vf(obs).squeeze(-1)
    v_loss_unclipped = F.mse_loss(values, returns, reduction="none")
    clipped = values.sub_(old_values).clamp_(-0.2, 0.2).add_(old_values)  # error: IP101
    v_loss_clipped = F.mse_loss(clipped, returns, reduction="none")
    v_loss = torch.max(v_loss_unclipped, v_loss_clipped).mean()
    optimizer.zero_grad()
    v_loss.backward()
    optimizer.step()
