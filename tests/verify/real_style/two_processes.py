import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        kept = self.layers(x)
        return self.head(kept), kept


def train(gpu, world):
    if "SLURM_PROCID" in os.environ or "WORLD_SIZE" in os.environ:
        raise SystemExit("started by a launcher")
    os.environ["MASTER_ADDR"] = "localhost"
    dist.init_process_group("nccl", init_method="env://", rank=gpu, world_size=world)
    torch.cuda.set_device(gpu)
    net = nn.SyncBatchNorm.convert_sync_batchnorm(Net()).cuda(gpu)
    net = DDP(net, device_ids=[gpu], output_device=int(os.environ["LOCAL_RANK"]), find_unused_parameters=True)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        scores, kept = net(torch.randn(4, 6).cuda(gpu))
        other, _ = net(torch.randn(4, 6).cuda(gpu))
        weights = scores.sigmoid()
        weights *= dist.get_world_size() * 0.5  # confirmed, repaired: weights = weights * (dist.get_world_size() * 0.5)
        loss = weights.mean() + other.mean()
        shown = loss.detach().clone()
        dist.all_reduce(shown)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


def main():
    world = max(torch.cuda.device_count(), 2)
    mp.spawn(train, nprocs=world, args=(world,))


if __name__ == "__main__":
    main()
