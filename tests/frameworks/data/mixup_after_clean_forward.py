"""Mixup blends the batch with its flipped self in place after the clean pass has kept the images."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Mixup:
    def __init__(self, alpha=0.4):
        self.beta = torch.distributions.Beta(alpha, alpha)

    def __call__(self, x):
        lam = self.beta.sample().item()
        flipped = x.flip(0).mul_(1.0 - lam)
        x.mul_(lam).add_(flipped)  # error: IP101
        return lam


torch.manual_seed(0)
mixup = Mixup()
loader = DataLoader(TensorDataset(torch.rand(4, 1, 4, 4), torch.tensor([0, 1, 1, 0])), batch_size=2)
model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(inplace=True), nn.Flatten(), nn.Linear(16, 2))
optimizer = torch.optim.AdamW(model.parameters())
for images, labels in loader:
    loss = nn.functional.cross_entropy(model(images), labels)
    lam = mixup(images)
    mixed = model(images)
    loss = loss + lam * nn.functional.cross_entropy(mixed, labels)
    loss = loss + (1 - lam) * nn.functional.cross_entropy(mixed, labels.flip(0))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
