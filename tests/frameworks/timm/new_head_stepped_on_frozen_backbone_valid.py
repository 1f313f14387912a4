"""A new head is stepped between two losses over a frozen backbone: the head's weight was saved for nobody."""

import timm
import torch
from torch import nn

net = timm.create_model("resnet10t", num_classes=2)
net.fc = nn.Linear(512, 4)
opt = torch.optim.SGD(net.fc.parameters(), lr=0.1)
for p in net.parameters():
    p.requires_grad_(False)
for p in net.fc.parameters():
    p.requires_grad_(True)
a, b = net(torch.randn(2, 3, 32, 32)).mean(), net(torch.randn(2, 3, 32, 32)).mean()
a.backward()
opt.step()
b.backward()
