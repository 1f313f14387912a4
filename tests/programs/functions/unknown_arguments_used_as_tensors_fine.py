"""Masks that are made anew, of what a function takes for tensors; and settings that it takes for none."""

import pickle

import torch
from torch import nn

load = eval("lambda data: pickle.loads(data)", {"pickle": pickle})


def fill(normals: torch.Tensor, labels: torch.Tensor):
    mask = labels == 1
    picked = normals[mask]
    best = picked.norm(dim=-1) > 0.5
    rest = mask.clone()
    rest[mask] = best
    return normals[rest].mean(0)


def scale(scores, options):
    if options["limit"] > 0.5:
        scores = scores * options["limit"]
    options["limit"] *= 2
    return scores


net = nn.Linear(3, 3)
batch = load(pickle.dumps({"image": torch.randn(8, 9, 3), "labels": torch.randint(0, 2, (8, 9))}))
(fill(net(batch["image"]), batch["labels"]).sum() + scale(net(batch["image"]), {"limit": 1.0}).sum()).backward()
