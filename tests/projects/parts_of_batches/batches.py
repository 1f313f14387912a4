"""Batches of data sets of a library that is not here, moved to a device part by part."""

import numpy as np
import torch
from readers import Readings
from torch.utils.data import DataLoader


def make_loader():
    return DataLoader(Readings(), batch_size=2)


def move(batch: dict, device):
    moved = dict()
    for key, part in batch.items():
        if isinstance(part, torch.Tensor):
            moved[key] = part.to(device)
        elif isinstance(part, np.ndarray):
            moved[key] = torch.from_numpy(part).to(device)
        else:
            moved[key] = part
    return moved


def move_in_place(batch, device):
    for key, part in batch.items():
        batch[key] = part.to(device)
    return batch
