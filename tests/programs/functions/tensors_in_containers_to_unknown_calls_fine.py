"""Tensors in containers, made out of place before a function that nobody sees gets them."""

import torch
from torch import nn
from torch.nn import functional as F

unseen = eval("lambda value: value[1] * 2 if not isinstance(value, dict) else value['features'].sum(1)")


class Voxels(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x, mask):
        x = F.relu(self.linear(x))
        x = x * mask
        return x


class Points(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        x = self.linear(x).sigmoid()
        x = torch.cat((torch.zeros_like(x[:, :1]), x[:, 1:]), dim=1)
        return x


class Detector(nn.Module):
    def __init__(self, width, scatter, head):
        super().__init__()
        self.voxels, self.points = Voxels(width), Points(width)
        self.scatter, self.head = scatter, head

    def forward(self, example):
        features = self.voxels(example["x"], example["mask"])
        placed = self.scatter((example["count"], features))
        return self.head({"count": example["count"], "features": placed}).sum()


class Drawing(nn.Module):
    def __init__(self, width, log):
        super().__init__()
        self.points = Points(width)
        self.log = log

    def forward(self, x):
        shown = self.points(x)
        return self.log([x, shown])


data = {"x": torch.randn(2, 4), "mask": torch.rand(2, 4), "count": 1}
for make in (lambda: Detector(4, unseen, unseen)(data), lambda: Drawing(4, unseen)(torch.randn(2, 4)).sum()):
    try:
        make().backward()
    except RuntimeError as error:
        print(error)
