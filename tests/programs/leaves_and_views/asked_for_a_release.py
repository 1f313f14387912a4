"""A branch for a release of torch that is not used."""

import torch


def place(features, boxes):
    placed = features[0].new_zeros(boxes.size(0), 3)
    if torch.__version__ == "parrots":
        placed.requires_grad = True
    placed[0] = features[1]
    return placed


hidden = torch.rand(3, requires_grad=True).exp()
place([hidden, hidden], torch.rand(2, 4)).sum().backward()
