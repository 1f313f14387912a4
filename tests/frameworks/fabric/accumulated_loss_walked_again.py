"""The loop adds the losses of the micro-batches up and walks the sum each time, the second time through a freed graph."""

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main(accumulate=2):
    fabric = L.Fabric(accelerator="cpu", devices=1)
    fabric.launch()
    model = nn.Sequential(nn.Embedding(11, 8), nn.LayerNorm(8), nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 11))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.1)
    model, optimizer = fabric.setup(model, optimizer)
    tokens = torch.randint(0, 11, (8, 6))
    loader = fabric.setup_dataloaders(DataLoader(TensorDataset(tokens[:, :-1], tokens[:, 1:]), batch_size=4))

    total_loss = 0.0
    for iter_num, (inputs, targets) in enumerate(loader, start=1):
        is_accumulating = iter_num % accumulate != 0
        with fabric.no_backward_sync(model, enabled=is_accumulating):
            logits = model(inputs)
            total_loss += F.cross_entropy(logits.flatten(0, 1), targets.flatten()) / accumulate
            fabric.backward(total_loss)  # error: IP103
        if not is_accumulating:
            optimizer.step()
            optimizer.zero_grad()
            total_loss = 0.0


if __name__ == "__main__":
    main()
