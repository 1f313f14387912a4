"""What a function that nobody sees makes of tensors in a tuple, a list or a dict depends on them."""

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
        x *= mask  # error: IP101
        return x


class Points(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        x = self.linear(x).sigmoid()
        x[:, 0] = 0  # error: IP101
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
