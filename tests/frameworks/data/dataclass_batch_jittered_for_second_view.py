"""The batch's jitter writes its images in place, so the second view changes the images that the first pass has
kept."""

from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader


@dataclass
class ImageBatch:
    images: torch.Tensor
    labels: torch.Tensor

    def jitter(self, scale=0.1):
        self.images.add_(scale * torch.randn_like(self.images)).clamp_(0.0, 1.0)  # error: IP101
        return self

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
