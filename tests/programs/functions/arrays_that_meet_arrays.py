"""Values whose kind nothing tells but the arrays that they are computed with are arrays: no graph saves them."""

import pickle

import numpy as np
import torch
from torch import nn

load = eval("lambda data: pickle.loads(data)", {"pickle": pickle})


def project(element):
    points = element["points"].reshape(9, 3)
    camera = element["camera"].reshape(3, 3)
    camera[:2, :] = camera[:2, :] / np.array([[1920], [1440]]) * np.array([[640], [480]])
    flat = camera @ points.T
    flat[:2, :] = flat[:2, :] / flat[2, :]
    flat[[0, 1], :] = flat[[1, 0], :]
    return flat.T[:, :2]


def project_mirrored(element):
    points = element["points"].reshape(9, 3)
    points[:, 2] = -points[:, 2]
    camera = element["camera"].reshape(3, 3)
    camera[:2, :] = camera[:2, :] / np.array([[1920], [1440]])
    flat = camera @ points.T
    flat[:2, :] = flat[:2, :] / flat[2, :]
    return flat.T


class Projecting(nn.Module):
    def __init__(self):
        super().__init__()
        self.camera = nn.Linear(3, 3, bias=False)

    def forward(self, points):
        flat = self.camera(points).T
        flat[:2, :] = flat[:2, :] / flat[2, :]  # error: IP101
        return flat


data = pickle.dumps({"points": np.linspace(0.1, 0.9, 27), "camera": np.eye(3).reshape(-1)})
for element in [load(data)]:
    shown = torch.from_numpy(project(element.copy()))
    mirrored = torch.from_numpy(project_mirrored(element.copy()))
Projecting()(torch.rand(4, 3)).sum().backward()
