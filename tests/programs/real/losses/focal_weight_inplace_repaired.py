"""Out of place."""

import torch
import torch.nn as nn


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0):
        super().__init__()
        self.gamma = gamma
        self.ce = nn.CrossEntropyLoss(reduction="none")

    def forward(self, logits, target):
        logp = self.ce(logits, target)
        p = torch.exp(-logp)
        focal = (1 - p) ** self.gamma
        return (focal * logp).mean()


net = nn.Linear(4, 3)
FocalLoss()(net(torch.randn(5, 4)), torch.randint(0, 3, (5,))).backward()
