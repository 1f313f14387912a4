"""Tasks of a pool write what the thread that started them has kept."""

from multiprocessing.pool import ThreadPool

import torch

w = torch.randn(3, requires_grad=True)
kept, free = torch.sigmoid(w), w + 1


def scale_(x, factor=2.0):
    return x.mul_(factor)  # error: IP101


def shift(x):
    return x + 1


with ThreadPool(2) as pool:
    pool.apply_async(scale_, (kept,)).get()
    pool.starmap(scale_, [(free, 2.0), (w.clone(), 3.0)])
    more = pool.map(shift, [kept, free])
(sum(more) + kept).sum().backward()
