"""An averaged copy of a model is written by its own updates; the model it follows is not."""

import torch
from torch import nn
from torch.cuda.amp import GradScaler
from torch.optim.swa_utils import AveragedModel

model = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
average = AveragedModel(model=model)
scaler = GradScaler(init_scale=8.0, enabled=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    loss = model(torch.rand(2, 3)).square().mean()
    average.update_parameters(model=model)
    optimizer.zero_grad()
    scaler.scale(outputs=loss).backward()
    optimizer.step()

x = torch.rand(2, 3, requires_grad=True)
y = average(x).sum()
average.update_parameters(model)  # error: IP102
try:
    y.backward()
except RuntimeError:
    pass
