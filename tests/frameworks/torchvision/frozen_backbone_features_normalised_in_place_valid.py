"""The backbone is frozen and runs without gradients, so its features can be normalised in place before the head
uses them."""

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

head = MLP(512, [16, 3], norm_layer=nn.LayerNorm, dropout=0.1)
optimizer = torch.optim.Adam(head.parameters(), lr=1e-3)
for _ in range(2):
    images, labels = torch.randn(2, 3, 16, 16), torch.tensor([0, 2])
    features = backbone(images)
    features -= features.mean(dim=0)
    features /= features.norm(dim=1, keepdim=True).clamp_(min=1e-6)
    loss = nn.functional.cross_entropy(head(features), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
