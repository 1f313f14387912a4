"""The batch's jitter works on a copy that replace puts into a new batch, so the first view stays as the model
has kept it."""

from dataclasses import dataclass, replace

import torch
from torch import nn
from torch.utils.data import DataLoader


@dataclass
class ImageBatch:
    images: torch.Tensor
    labels: torch.Tensor

    def jitter(self, scale=0.1):
        images = self.images.clone()
        images.add_(scale * torch.randn_like(images)).clamp_(0.0, 1.0)
        return replace(self, images=images)

    @classmethod
    def collate(cls, samples):
        images, labels = zip(*samples)
        return cls(torch.stack(images), torch.tensor(labels))


torch.manual_seed(0)
dataset = [(torch.rand(1, 4, 4), i % 2) for i in range(4)]
model = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(64, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in DataLoader(dataset, batch_size=2, collate_fn=ImageBatch.collate):
    clean = model(batch.images)
    noisy = model(batch.jitter().images)
    loss = nn.functional.cross_entropy(clean, batch.labels)
    loss = loss + nn.functional.kl_div(noisy.log_softmax(1), clean.detach().softmax(1), reduction="batchmean")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
