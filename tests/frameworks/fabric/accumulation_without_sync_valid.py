"""Each micro-batch walks its own share of the loss, without syncing but on the last, and the step follows the last one."""

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main(accumulate=2, max_iters=4):
    fabric = L.Fabric(accelerator="cpu", devices=1)
    fabric.launch()
    with fabric.init_module():
        model = nn.Sequential(nn.Embedding(11, 8), nn.LayerNorm(8), nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 11))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.1)
    model, optimizer = fabric.setup(model, optimizer)
    tokens = torch.randint(0, 11, (16, 6))
    loader = fabric.setup_dataloaders(DataLoader(TensorDataset(tokens[:, :-1], tokens[:, 1:]), batch_size=4))

    running = torch.zeros((), device=fabric.device)
    for iter_num, (inputs, targets) in enumerate(loader, start=1):
        if iter_num > max_iters:
            break
        is_accumulating = iter_num % accumulate != 0
        with fabric.no_backward_sync(model, enabled=is_accumulating):
            logits = model(inputs)
            loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
            fabric.backward(loss / accumulate)
        running += loss.detach()
        if not is_accumulating:
            fabric.clip_gradients(model, optimizer, max_norm=1.0)
            optimizer.step()
            optimizer.zero_grad()
            fabric.log_dict({"loss": running / accumulate})
            running.zero_()


if __name__ == "__main__":
    main()
