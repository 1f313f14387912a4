"""Indices are new tensors of integers, as one or as one for each dimension; `new` makes tensors that share nothing."""

import torch

x = torch.rand(3, 3, requires_grad=True)


def run(clear):
    y = x.exp()
    clear(y)
    y.sum().backward()


def clear_pairs(y):
    rows, columns = (y > 0).nonzero(as_tuple=True)
    y[rows, columns] = 0  # error: IP101


def clear_rows(y):
    rows = torch.nonzero(y > 0, as_tuple=True)[0]
    y[rows] = 0  # error: IP101


def count(y):
    found = torch.nonzero(input=y)
    found.add_(1)
    into = torch.empty(0, dtype=torch.long)
    torch.nonzero(y.detach(), out=into)
    into.add_(1)


def make_more(y):
    noise = y.new(y.size()).fill_(1)
    noise.add_(y.data.new(3, 3).zero_())


for each in (clear_pairs, clear_rows, count, make_more):
    try:
        run(each)
    except RuntimeError as error:
        print(error)
