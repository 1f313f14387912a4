"""The in-place transform rewrites the batch that the first pass has kept for the convolution's gradient."""

import torch
from torch import nn
from torchvision import transforms
from torchvision.ops import Conv2dNormActivation

torch.manual_seed(0)
normalize = transforms.Normalize(mean=[0.5, 0.5, 0.5], std=[0.25, 0.25, 0.25], inplace=True)
model = nn.Sequential(Conv2dNormActivation(3, 4), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for _ in range(2):
    images, labels = torch.rand(4, 3, 8, 8), torch.tensor([0, 1, 1, 0])
    raw_logits = model(images)
    clean_logits = model(normalize(images))  # error: IP101
    loss = nn.functional.cross_entropy(clean_logits, labels)
    loss = loss + nn.functional.mse_loss(raw_logits, clean_logits)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
