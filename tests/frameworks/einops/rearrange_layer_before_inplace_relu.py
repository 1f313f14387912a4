"""The Rearrange layer returns a view of what the tanh keeps, and the ReLU behind it overwrites that memory."""

import torch
from einops.layers.torch import Rearrange, Reduce
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(
    nn.Conv2d(1, 4, 3, padding=1),
    nn.Tanh(),
    Rearrange("b c h w -> b (h w) c"),
    nn.ReLU(inplace=True),
    nn.Linear(4, 6),
    Reduce("b n c -> b c", "mean"),
    nn.Linear(6, 3),
)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for images, labels in [(torch.randn(2, 1, 4, 4), torch.tensor([0, 1])) for _ in range(2)]:
    optimizer.zero_grad()
    logits = model(images)  # error: IP101
    criterion(logits, labels).backward()
    optimizer.step()
