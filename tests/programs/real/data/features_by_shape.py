import torch
from torch import nn


def cached_features(model, x, bank={}):
    key = tuple(x.shape)
    if key not in bank:
        bank[key] = model(x)
    return bank[key]


backbone = nn.Linear(3, 4)
head = nn.Linear(4, 2)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
for epoch in range(2):
    feats = cached_features(backbone, torch.randn(5, 3))
    logits = head(torch.relu(feats))
    loss = logits.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()  # error: IP103
    optimizer.step()
