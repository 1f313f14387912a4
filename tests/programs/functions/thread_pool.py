"""A new thread records gradients, whatever the one that started it does."""

import torch
from concurrent.futures import ThreadPoolExecutor, as_completed
import concurrent.futures as cf

w = torch.randn(3, requires_grad=True)


def f(x):
    return torch.exp(x * w)


with torch.no_grad():
    with ThreadPoolExecutor() as pool:
        futures = [pool.submit(f, torch.ones(3)) for _ in range(2)]
        outs = [one.result() for one in as_completed(futures)]
outs[0].mul_(2)  # error: IP101
sum(outs).sum().backward()
with cf.ThreadPoolExecutor(2) as ex:
    for y in ex.map(f, [torch.ones(3)] * 2):
        y.add_(1)  # error: IP101
        y.sum().backward()
