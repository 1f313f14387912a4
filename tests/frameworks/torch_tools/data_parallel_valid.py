"""DataParallel without a GPU calls the module it wraps, and a plain training loop with keyword arguments is fine."""

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_, clip_grad_value_

model = nn.DataParallel(module=nn.Sequential(nn.Linear(4, 8), nn.ReLU(inplace=True), nn.Linear(8, 2)))
optimizer = torch.optim.RMSprop(params=model.parameters(), lr=1e-2)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer=optimizer, max_lr=0.1, total_steps=3)

for _ in range(3):
    logits = model(torch.randn(3, 4))
    loss = nn.functional.cross_entropy(input=logits, target=torch.tensor(data=[0, 1, 1]))
    optimizer.zero_grad()
    torch.autograd.backward(tensors=[loss])
    clip_grad_value_(parameters=model.module.parameters(), clip_value=0.5)
    clip_grad_norm_(parameters=model.parameters(), max_norm=1.0)
    optimizer.step()
    scheduler.step()
