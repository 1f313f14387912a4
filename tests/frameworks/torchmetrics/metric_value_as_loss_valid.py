"""Calling a metric gives the batch's value with its graph while its state is kept without one, so it may serve
as a loss each time."""

import torch
from torch import nn
from torchmetrics import MeanMetric, MeanSquaredError, MetricCollection
from torchmetrics.regression import MeanAbsoluteError

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(inplace=True), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
mse = MeanSquaredError()
tracked = MetricCollection({"mae": MeanAbsoluteError(), "mse": MeanSquaredError()}, prefix="train/")
average = MeanMetric()

for epoch in range(2):
    for _ in range(2):
        x, y = torch.randn(6, 4), torch.randn(6, 1)
        prediction = model(x)
        loss = mse(prediction, y)
        tracked.update(prediction, y)
        average(loss)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    summary = {name: value.item() for name, value in tracked.compute().items()}
    summary["loss"] = average.compute().item()
    tracked.reset()
    average.reset()
    mse.reset()
