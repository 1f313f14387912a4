"""A whole training loop without a hazard."""

import torch
import torch.nn.functional as F
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(inplace=True), nn.Dropout(0.1), nn.Linear(8, 2))
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)
for epoch in range(2):
    for _ in range(2):
        x, y = torch.rand(6, 4), torch.randint(2, (6,))
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
    schedule.step()
net.eval()
with torch.no_grad():
    logits = net(torch.rand(3, 4))
    logits.softmax(-1).argmax(-1)
    logits[0] = 0
