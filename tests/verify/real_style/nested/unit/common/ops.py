import torch


def squash(x):
    return torch.tanh(x)
