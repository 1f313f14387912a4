"""The first backward keeps the graph."""

import torch
from torch import nn

disc = nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(0.2), nn.Linear(8, 2))
gen = nn.Linear(3, 4)
aux = nn.CrossEntropyLoss()

z = torch.randn(5, 3)
labels = torch.randint(0, 2, (5,))
out = disc(gen(z))
adv_loss = out[:, 0].pow(2).mean()
cls_loss = aux(out, labels)
adv_loss.backward(retain_graph=True)
cls_loss.backward()
