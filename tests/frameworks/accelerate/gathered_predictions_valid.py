"""The predictions are rounded in a tensor of their own, so the logits that gather handed back stay as the loss keeps them."""

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator()
model = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randint(0, 2, (8, 1)).float()), batch_size=4)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
criterion = nn.BCEWithLogitsLoss()

for epoch in range(1):
    correct = total = 0
    for inputs, targets in loader:
        logits = model(inputs)
        loss = criterion(logits, targets)
        with torch.no_grad():
            predictions, references = accelerator.gather_for_metrics((logits, targets))
            predictions = predictions.sigmoid().round_()
            correct += (predictions == references).sum().item()
            total += references.numel()
        optimizer.zero_grad()
        accelerator.backward(loss)
        optimizer.step()
    accelerator.print(f"accuracy {correct / total:.3f}")
