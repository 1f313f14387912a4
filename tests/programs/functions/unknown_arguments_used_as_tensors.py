"""What a function takes for a tensor, by its annotation or by what it asks of it, is one, wherever it came from."""

import pickle

import torch
from torch import nn

load = eval("lambda data: pickle.loads(data)", {"pickle": pickle})


def fill(normals: torch.Tensor, labels: torch.Tensor):
    mask = labels == 1
    picked = normals[mask]
    best = picked.norm(dim=-1) > 0.5
    mask[mask.clone()] = best  # error: IP101
    return picked[best].mean(0)


def spread(scores, weights):
    chosen = weights > 0.5
    kept = scores[chosen]
    chosen.logical_not_()  # error: IP101
    return kept.sum() + scores[chosen].sum()


class Criterion(nn.Module):
    def __init__(self, find):
        super().__init__()
        self.find = find

    def forward(self, scores, batch):
        return self.find(scores, batch["labels"]).sum()


net = nn.Linear(3, 3)
data = {"image": torch.randn(8, 9, 3), "labels": torch.randint(0, 2, (8, 9))}
batch = load(pickle.dumps(data))
for find in (fill, spread):
    try:
        Criterion(find)(net(batch["image"]), batch).backward()
    except RuntimeError as error:
        print(error)
