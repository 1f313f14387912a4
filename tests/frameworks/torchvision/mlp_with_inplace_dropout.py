"""MLP(inplace=True) puts an in-place dropout behind each in-place ReLU, which has kept its result for the
backward pass."""

import torch
from torch import nn
from torchvision import models
from torchvision.ops import MLP

torch.manual_seed(0)
backbone = models.resnet18(weights=None)
backbone.fc = nn.Identity()
for parameter in backbone.parameters():
    parameter.requires_grad_(False)
backbone.eval()

head = MLP(512, [16, 3], norm_layer=nn.LayerNorm, dropout=0.1, inplace=True)
optimizer = torch.optim.Adam(head.parameters(), lr=1e-3)
for _ in range(2):
    images, labels = torch.randn(2, 3, 16, 16), torch.tensor([0, 2])
    features = backbone(images)
    loss = nn.functional.cross_entropy(head(features), labels)  # error: IP101
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
