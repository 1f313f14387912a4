"""Two losses come from one DistributedDataParallel forward, and the step between their backwards writes weights that the second needs."""

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
        model = DistributedDataParallel(module=nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2)))
        optimizer = torch.optim.SGD(params=model.parameters(), lr=0.1)
        output = model(torch.randn(3, 4))
        first, second = output[:, 0].square().mean(), output[:, 1].square().mean()
        with model.no_sync():
            first.backward(retain_graph=True)
            optimizer.step()  # error: IP102
            optimizer.zero_grad()
            second.backward()
        optimizer.step()
    finally:
        dist.destroy_process_group()
