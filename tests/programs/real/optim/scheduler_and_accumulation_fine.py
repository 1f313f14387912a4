"""Gradient accumulation with a scheduler; the loss is scaled and summed for logging."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.ReLU(inplace=True), nn.Linear(8, 3))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4)
criterion = nn.CrossEntropyLoss()
accum = 2
running_loss = 0.0
optimizer.zero_grad()
for i in range(4):
    inputs, labels = torch.randn(6, 4), torch.randint(0, 3, (6,))
    outputs = model(inputs)
    loss = criterion(outputs, labels)
    loss /= accum
    loss.backward()
    running_loss += loss.item()
    if (i + 1) % accum == 0:
        optimizer.step()
        optimizer.zero_grad()
        scheduler.step()
