"""Merging the batch with the pixels of channel-first features cannot be a view: the tokens are a copy and may
be written."""

import torch
from einops import rearrange, reduce
from torch import nn


class ConvTokens(nn.Module):
    def __init__(self, channels=4, size=4, classes=3):
        super().__init__()
        self.stem = nn.Conv2d(1, channels, 3, padding=1)
        self.pos = nn.Parameter(torch.zeros(channels))
        self.head = nn.Linear(channels, classes)

    def forward(self, images):
        features = self.stem(images).sigmoid()
        tokens = rearrange(features, "b c h w -> (b h w) c")
        tokens += self.pos
        pooled = reduce(tokens, "(b n) c -> b c", "mean", b=images.shape[0])
        return self.head(pooled)


model = ConvTokens()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    images, labels = torch.randn(2, 1, 4, 4), torch.tensor([0, 2])
    loss = criterion(model(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
