"""The tokens look like a flattened copy but are a view of the activation that the sigmoid keeps, so adding
positions spoils it."""

import torch
from einops import rearrange, reduce
from torch import nn


class ConvTokens(nn.Module):
    def __init__(self, channels=4, size=4, classes=3):
        super().__init__()
        self.stem = nn.Conv2d(1, channels, 3, padding=1)
        self.pos = nn.Parameter(torch.zeros(size * size, channels))
        self.head = nn.Linear(channels, classes)

    def forward(self, images):
        features = self.stem(images).sigmoid()
        tokens = rearrange(features, "b c h w -> b (h w) c")
        tokens += self.pos  # error: IP101
        return self.head(reduce(tokens, "b n c -> b c", "mean"))


model = ConvTokens()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    images, labels = torch.randn(2, 1, 4, 4), torch.tensor([0, 2])
    loss = criterion(model(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
