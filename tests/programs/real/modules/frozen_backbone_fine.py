"""A frozen backbone is overwritten freely; only the head is trained."""

import torch
import torch.nn as nn

backbone = nn.Sequential(nn.Linear(4, 8), nn.ReLU(inplace=True), nn.Linear(8, 8))
for param in backbone.parameters():
    param.requires_grad = False
head = nn.Linear(8, 2)
opt = torch.optim.SGD(filter(lambda p: p.requires_grad, head.parameters()), lr=0.1)
for _ in range(2):
    feats = backbone(torch.randn(3, 4))
    feats.clamp_(min=0)
    feats /= feats.norm(dim=1, keepdim=True) + 1e-6
    loss = head(feats).pow(2).mean()
    backbone[0].weight[0, 0] = 1.0
    backbone[2].bias.add_(0.1)
    opt.zero_grad()
    loss.backward()
    opt.step()
