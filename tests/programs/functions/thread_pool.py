"""A new thread records gradients, whatever the one that started it does: a leaf cannot be written there."""

import concurrent.futures
from concurrent.futures import ThreadPoolExecutor, as_completed

import torch

w = torch.randn(3, requires_grad=True)


def power(x):
    return torch.exp(x * w)


def shift_(x):
    return x.add_(1)  # error: IP201


with torch.no_grad(), ThreadPoolExecutor() as pool:
    futures = [pool.submit(power, torch.ones(3)) for _ in range(2)]
    outs = [future.result() for future in as_completed(futures)]
sum(outs).sum().backward()
outs[0].mul_(2)
with concurrent.futures.ThreadPoolExecutor(2) as pool, torch.no_grad():
    list(pool.map(shift_, [w]))
