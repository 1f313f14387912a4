"""Both crops are views of one batch, and erasing the second one in place changes the batch that the first pass
has kept."""

import torch
from torch import nn
from torchvision import transforms
from torchvision.ops import Conv2dNormActivation

torch.manual_seed(0)
global_crop = transforms.CenterCrop(8)
local_crop = transforms.Compose([transforms.CenterCrop(6), transforms.RandomErasing(p=1.0, inplace=True)])
encoder = nn.Sequential(Conv2dNormActivation(3, 8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 4))
optimizer = torch.optim.AdamW(encoder.parameters(), lr=1e-3)

for _ in range(2):
    images = torch.rand(2, 3, 10, 10)
    first = encoder(global_crop(images))
    second = encoder(local_crop(images))  # error: IP101
    loss = -nn.functional.cosine_similarity(first, second).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
