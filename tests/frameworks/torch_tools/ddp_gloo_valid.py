"""DistributedDataParallel accumulates gradients without synchronising, then synchronises and steps once all graphs are walked."""

import tempfile
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

with tempfile.TemporaryDirectory() as folder:
    store = dist.FileStore(str(Path(folder) / "store"), 1)
    dist.init_process_group(backend="gloo", store=store, rank=0, world_size=1)
    try:
        net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(inplace=True), nn.Linear(8, 2))
        model = DistributedDataParallel(module=net)
        optimizer = torch.optim.SGD(params=model.parameters(), lr=0.1)
        for step in range(4):
            if step % 2 == 0:
                with model.no_sync():
                    model(torch.randn(3, 4)).square().mean().backward()
                continue
            loss = model(torch.randn(3, 4)).square().mean()
            loss.backward()
            total = loss.detach().clone()
            dist.all_reduce(tensor=total)
            optimizer.step()
            optimizer.zero_grad()
    finally:
        dist.destroy_process_group()
