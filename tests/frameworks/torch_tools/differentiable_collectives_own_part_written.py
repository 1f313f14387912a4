"""What collectives give is new and may be written; the tensor that was handed to them was kept by its tanh."""

import torch
import torch.distributed as dist
import torch.distributed.nn.functional as collectives
from torch import nn

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = nn.Linear(3, 4)
own = net(torch.randn(2, 3)).tanh()
everyone = torch.cat(collectives.all_gather(own, group=dist.group.WORLD))
everyone += 1
total = collectives.all_reduce(own, group=dist.group.WORLD)
total += 1
kept = total.exp()
kept.mul_(0.5)  # error: IP101
own.mul_(0.5)  # error: IP101
try:
    (everyone.sum() + total.sum() + kept.sum() + own.sum()).backward()
finally:
    dist.destroy_process_group()
