"""Every kornia augmentation returns a copy, even one that was not applied, so writing it leaves the kept batch
alone."""

import kornia.augmentation as K
import torch
from torch import nn

torch.manual_seed(0)
augment = K.AugmentationSequential(
    K.RandomHorizontalFlip(p=0.0),
    K.CenterCrop(8),
    data_keys=["input"],
)
encoder = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1), nn.Flatten())
projector = nn.Linear(4, 4)
optimizer = torch.optim.SGD([*encoder.parameters(), *projector.parameters()], lr=0.05)

for _ in range(2):
    images = torch.rand(2, 3, 8, 8)
    first = projector(encoder(images))
    augmented = augment(images)
    augmented += 0.05 * torch.randn_like(augmented)
    second = projector(encoder(augmented.clamp_(0.0, 1.0)))
    loss = -nn.functional.cosine_similarity(first, second.detach()).mean()
    loss -= nn.functional.cosine_similarity(second, first.detach()).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
