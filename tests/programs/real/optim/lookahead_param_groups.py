"""Weight decay is applied over param_groups between forward and backward."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(5, 5), nn.SiLU(), nn.Linear(5, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.randn(3, 5)).sum()
optimizer.zero_grad()
for group in optimizer.param_groups:
    for param in group["params"]:
        with torch.no_grad():
            param.mul_(1 - 0.01 * group["lr"])  # error: IP101
loss.backward()
optimizer.step()
