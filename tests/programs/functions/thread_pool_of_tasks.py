"""What a pool of threads computes is written when its futures are done."""

from multiprocessing.pool import ThreadPool

import torch
from torch import nn

experts = nn.ModuleList(nn.Linear(3, 3) for _ in range(2))


def run(expert, scale=1.0):
    return torch.sigmoid(expert(torch.ones(2, 3))) * scale


def run_kept(expert):
    h = torch.sigmoid(expert(torch.ones(2, 3)))
    h.mul_(2)  # error: IP101
    return h


with ThreadPool(2) as pool:
    fine = pool.starmap(run, [(experts[0], 2.0), (experts[1], 3.0)])
    kept = pool.apply_async(run_kept, (experts[0],)).get()
    more = pool.map(run, experts)
fine[0].add_(1)
more[1].add_(1)
(sum(fine) + sum(more) + kept).sum().backward()
