"""Tensors that pass through the standard library: copies of lists, random picks, named tuples, pairs, slices of lists."""

import copy
import operator
import random
from collections import defaultdict, namedtuple
from itertools import pairwise

import torch

w = torch.randn(3, requires_grad=True)


def walk(tensors):
    try:
        sum(t.sum() for t in tensors).backward()
    except RuntimeError as e:
        print(e)


xs = [w.exp(), w * 2]
ys = copy.copy(xs)
ys[0].add_(1)  # error: IP101
walk(xs)

xs = [w.exp()]
random.choice(xs).add_(1)  # error: IP101
walk(xs)

Pair = namedtuple("Pair", "mu sigma")
p = Pair(w * 2, w.exp())
q = p._replace(mu=p.mu + 1)
q.mu.add_(1)
q.sigma.add_(1)  # error: IP101
walk(p)

xs = [w.exp() for _ in range(3)]
for a, b in pairwise(xs):
    b += a  # error: IP101
walk(xs)

xs = [w.exp()] + [w * 2]
xs[1:] = [w.sigmoid()]
xs[1].mul_(2)  # error: IP101
walk(xs)

xs = [w.exp()]
operator.methodcaller("add_", 1)(xs[0])  # error: IP101
walk(xs)

groups = defaultdict(list)
groups["a"].append(w.exp())
groups["b"].append(w * 2)
groups["b"][0].add_(1)
groups["a"][0].add_(1)  # error: IP101
walk(groups["a"])
