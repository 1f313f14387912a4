"""On one device fabric's all_gather hands back its argument, so scaling the gathered outputs in place spoils the loss's graph."""

import torch
import torch.nn.functional as F
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

fabric = Fabric(accelerator="cpu", devices=1)
fabric.launch()
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
model, optimizer = fabric.setup(model, torch.optim.Adam(model.parameters(), lr=1e-3))
loader = fabric.setup_dataloaders(DataLoader(TensorDataset(torch.randn(8, 4), torch.randn(8, 1)), batch_size=4))
mean, std = 20.0, 5.0

for inputs, targets in loader:
    outputs = model(inputs)
    loss = F.mse_loss(outputs, targets)
    with torch.no_grad():
        degrees = fabric.all_gather(outputs)
        degrees.mul_(std).add_(mean)  # error: IP101
        error = fabric.all_reduce((degrees - (targets * std + mean)).abs().mean(), reduce_op="mean")
    fabric.print(f"off by {error.item():.2f} degrees")
    optimizer.zero_grad()
    fabric.backward(loss)
    optimizer.step()
