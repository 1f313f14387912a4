"""The prediction is mapped back to its units in place for the metric, while the loss of the pairs has kept it
for its backward."""

import torch
from torch import nn
from torchmetrics.functional import cosine_similarity
from torchmetrics.regression import MeanAbsoluteError

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(inplace=True), nn.Linear(8, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
mae = MeanAbsoluteError()
mean, std = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([2.0, 2.0, 0.5])

for _ in range(2):
    x, y = torch.randn(6, 4), torch.randn(6, 3)
    prediction = model(x)
    loss = 1 - cosine_similarity(prediction, y, reduction="mean")
    mae.update(prediction.detach().mul_(std).add_(mean), y * std + mean)  # error: IP101
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(mae.compute())
