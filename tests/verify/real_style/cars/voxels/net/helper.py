import torch


def mask_of(counts, most):
    return torch.arange(most).view(1, -1) < counts.view(-1, 1)
