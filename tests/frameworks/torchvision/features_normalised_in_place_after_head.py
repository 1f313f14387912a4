"""The head's first layer keeps the frozen features for its weight's gradient, and they are scaled in place
before backward."""

import torch
from torch import nn
from torchvision.ops import MLP, Conv2dNormActivation

torch.manual_seed(0)
backbone = nn.Sequential(Conv2dNormActivation(3, 8, stride=2), nn.AdaptiveAvgPool2d(1), nn.Flatten())
backbone.requires_grad_(False).eval()
head = MLP(8, [16, 3], norm_layer=nn.LayerNorm, dropout=0.1)
memory_bank = torch.zeros(4, 8)
optimizer = torch.optim.Adam(head.parameters(), lr=1e-3)

for step in range(2):
    images, labels = torch.randn(2, 3, 8, 8), torch.tensor([0, 2])
    features = backbone(images)
    logits = head(features)
    loss = nn.functional.cross_entropy(logits, labels)
    features /= features.norm(dim=1, keepdim=True)  # error: IP101
    memory_bank[2 * step : 2 * step + 2] = features
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
