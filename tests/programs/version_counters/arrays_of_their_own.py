"""Arrays that numpy makes: a tensor on their memory does not see what is written into them."""

import numpy as np
import torch
from torch import nn

net = nn.Linear(4, 1)
rng = np.random.default_rng(0)


def drawn():
    batch = rng.normal(size=(8, 4)).astype(np.float32)
    loss = net(torch.from_numpy(batch)).pow(2).mean()
    batch *= 2  # error: IP301
    return loss


def drawn_by_the_module():
    batch = np.float32(np.random.randn(8, 4))
    loss = net(torch.as_tensor(batch)).pow(2).mean()
    batch[0] = 0  # error: IP301
    return loss


def stacked():
    rows = np.stack([np.zeros(4), np.ones(4)]).astype("float32")
    loss = net(torch.from_numpy(rows)).pow(2).mean()
    np.clip(rows, 0.2, 0.4, out=rows)  # error: IP301
    return loss


def joined():
    rows = np.concatenate([np.zeros((4, 4), np.float32), np.ones((4, 4), dtype=np.float32)], axis=0)
    loss = net(torch.from_numpy(rows[2:])).pow(2).mean()
    rows[::-1].fill(3)  # error: IP301
    return loss


def computed():
    grid = (np.arange(32).reshape(8, 4) / 10).astype(np.float32)
    loss = net(torch.from_numpy(grid)).pow(2).mean()
    grid.fill(0)  # error: IP301
    return loss


def shuffled():
    batch = rng.random((8, 4), dtype=np.float32)
    weight = torch.rand(8, 4, requires_grad=True)
    loss = (weight * torch.from_numpy(batch)).sum()
    rng.shuffle(batch)  # error: IP301
    return loss


def by_its_transposed_view():
    batch = np.random.rand(4, 8).astype(np.float32).T
    loss = net(torch.from_numpy(np.ascontiguousarray(batch))).pow(2).mean()
    batch += 1
    loss = loss + net(torch.from_numpy(batch)).pow(2).mean()
    np.random.shuffle(batch)  # error: IP301
    return loss


def counted():
    counts = np.zeros((8, 4), dtype=np.float32)
    loss = net(torch.from_numpy(counts)).pow(2).mean()
    np.add.at(counts, [0, 1, 1], 1)  # error: IP301
    return loss


def copied():
    batch = rng.normal(size=(8, 4)).astype(np.float32)
    loss = net(torch.from_numpy(batch.copy())).pow(2).mean()
    loss = loss + net(torch.tensor(batch)).pow(2).mean()
    batch *= 2
    return loss


def of_another_type():
    doubles = np.random.rand(8, 4)
    loss = net(torch.from_numpy(doubles).float()).pow(2).mean()
    loss = loss + net(torch.as_tensor(doubles, dtype=torch.float32)).pow(2).mean()
    loss = loss + net(torch.from_numpy(doubles.astype(np.float32))).pow(2).mean()
    doubles[0] = 0
    return loss


def one_number():
    weights = np.ones(4, dtype=np.float32)
    scale = weights[0]
    loss = (net.weight * torch.from_numpy(weights)).pow(2).mean()
    scale += 1
    total = 0.0
    for weight in weights:
        weight += 1
        total += weight
    return loss * total


def rows_in_another_order():
    data = torch.rand(8, 4)
    order = rng.permutation(8)
    batch = data[order]
    loss = net(batch).pow(2).mean()
    data[0] = 0
    return loss


def mixed():
    array = np.ones((8, 4), dtype=np.float32)
    hidden = net.weight.exp()
    scaled = torch.from_numpy(array) * hidden.detach() + hidden
    scaled.add_(1)
    shifted = array + hidden.detach().numpy()
    shifted -= 1
    return scaled.sum() + hidden.sum()


for step in (
    drawn,
    drawn_by_the_module,
    stacked,
    joined,
    computed,
    shuffled,
    by_its_transposed_view,
    counted,
    copied,
    of_another_type,
    one_number,
    rows_in_another_order,
    mixed,
):
    step().backward()
