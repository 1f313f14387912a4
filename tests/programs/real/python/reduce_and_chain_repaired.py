"""With a plain add."""

import itertools
import operator
from functools import reduce

import torch

w = torch.randn(3, requires_grad=True)
main = [(w * i).sum() for i in range(1, 3)]
aux = [(w.exp() * 0.1).sum()]
squares = [m**2 for m in main]
total = reduce(operator.add, itertools.chain(main, aux))
(total + sum(squares)).backward()
