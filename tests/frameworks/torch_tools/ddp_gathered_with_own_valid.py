"""The embeddings of all ranks are gathered without gradients, and this rank's own entry of the list is replaced, not written."""

import tempfile
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn

with tempfile.TemporaryDirectory() as folder:
    store = dist.FileStore(str(Path(folder) / "store"), 1)
    dist.init_process_group(backend="gloo", store=store, rank=0, world_size=1)
    try:
        net = nn.Linear(4, 3)
        optimizer = torch.optim.SGD(params=net.parameters(), lr=0.1)
        for _ in range(2):
            embedding = net(torch.randn(2, 4))
            gathered = [torch.empty_like(embedding) for _ in range(dist.get_world_size())]
            dist.all_gather(tensor_list=gathered, tensor=embedding.detach())
            gathered[dist.get_rank()] = embedding
            similarity = embedding @ torch.cat(tensors=gathered).T
            similarity /= 0.1
            loss = nn.functional.cross_entropy(input=similarity, target=torch.arange(2))
            optimizer.zero_grad()
            loss.backward()
            reported = loss.detach().clone()
            dist.all_reduce(tensor=reported)
            reported.div_(dist.get_world_size())
            optimizer.step()
    finally:
        dist.destroy_process_group()
