"""Labels, and predictions, scaled to the grids of several layers."""

import torch


def match(found, labels):
    gain = torch.ones(4)
    loss = found.sum() * 0
    for i in range(3):
        gain[2:] = torch.tensor([i + 1.0, i + 2.0])
        scaled = labels * gain
        loss = loss + (found.sum(0) - scaled).square().sum()
    return loss


def match_found(found, labels):
    gain = torch.ones(4)
    loss = found.sum() * 0
    for i in range(3):
        gain[2:] = torch.tensor([i + 1.0, i + 2.0])  # error: IP101
        scaled = found * gain
        loss = loss + (labels.sum(0) - scaled).square().sum()
    return loss
