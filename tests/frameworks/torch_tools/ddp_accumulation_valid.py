"""A model wrapped by DDP in a group of one accumulates gradients over micro-batches, and each loss is walked before the step."""

import contextlib
import os
import tempfile

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(4, 8), nn.Linear(8, 2)

    def forward(self, x):
        x = self.fc1(x)
        F.relu_(x)
        return self.fc2(x)


@contextlib.contextmanager
def process_group():
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method=f"file://{os.path.join(folder, 'store')}", rank=0, world_size=1)
        try:
            yield
        finally:
            dist.destroy_process_group()


class Accumulator:
    def __init__(self, model: DDP, optimizer, every: int) -> None:
        self.model, self.optimizer, self.every, self.count = model, optimizer, every, 0

    def step(self, x, y) -> torch.Tensor:
        self.count += 1
        sync = self.count % self.every == 0
        with contextlib.nullcontext() if sync else self.model.no_sync():
            loss = F.cross_entropy(self.model(x), y) / self.every
            loss.backward()
        if sync:
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.detach()


def main() -> None:
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(8, 4), torch.randint(2, (8,)))
    sampler = DistributedSampler(data, num_replicas=1, rank=0)
    model = DDP(Net())
    trainer = Accumulator(model, torch.optim.SGD(model.parameters(), lr=0.1), every=2)
    running = torch.zeros(1)
    for epoch in range(1):
        sampler.set_epoch(epoch)
        for x, y in DataLoader(data, batch_size=2, sampler=sampler):
            running += trainer.step(x, y)
    dist.all_reduce(running)
    running /= dist.get_world_size()


if __name__ == "__main__":
    with process_group():
        main()
