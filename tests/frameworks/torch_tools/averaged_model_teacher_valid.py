"""The averaged copy scores under no_grad, so writing it before the student's backward touches nothing that was saved."""

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

student = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
teacher = AveragedModel(model=student, multi_avg_fn=get_ema_multi_avg_fn(decay=0.9))
optimizer = torch.optim.AdamW(params=student.parameters(), lr=1e-2)

for step in range(3):
    x = torch.randn(4, 4)
    with torch.no_grad():
        target = teacher(x)
    loss = nn.functional.mse_loss(input=student(x), target=target)
    teacher.update_parameters(model=student)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
