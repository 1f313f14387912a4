"""Cutting an image into patches moves its pixels, so the layer returns a copy and the ReLU behind it harms
nothing."""

import torch
from einops.layers.torch import Rearrange, Reduce
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(
    nn.Conv2d(1, 4, 3, padding=1),
    nn.Tanh(),
    Rearrange("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=2, p2=2),
    nn.ReLU(inplace=True),
    nn.Linear(16, 6),
    Reduce("b n c -> b c", "mean"),
    nn.ReLU(inplace=True),
    nn.Linear(6, 3),
)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for images, labels in [(torch.randn(2, 1, 4, 4), torch.tensor([0, 1])) for _ in range(2)]:
    optimizer.zero_grad()
    logits = model(images)
    criterion(logits, labels).backward()
    optimizer.step()
